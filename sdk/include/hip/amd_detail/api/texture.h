// SPDX-License-Identifier: MIT
// Texture and surface objects.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

__HW_API_BEGIN

hipError_t hipCreateTextureObject(hipTextureObject_t* p_tex_object,
                                  const hipResourceDesc* p_res_desc,
                                  const hipTextureDesc* p_tex_desc,
                                  const struct hipResourceViewDesc* p_res_view_desc);
hipError_t hipDestroyTextureObject(hipTextureObject_t texture_object);
hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* p_res_desc,
                                           hipTextureObject_t texture_object);
hipError_t hipGetTextureObjectResourceViewDesc(struct hipResourceViewDesc* p_res_view_desc,
                                               hipTextureObject_t texture_object);
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* p_tex_desc,
                                          hipTextureObject_t texture_object);

// CUDA driver-style.
hipError_t hipTexObjectCreate(hipTextureObject_t* p_tex_object, const HIP_RESOURCE_DESC* p_res_desc,
                              const HIP_TEXTURE_DESC* p_tex_desc,
                              const HIP_RESOURCE_VIEW_DESC* p_res_view_desc);
hipError_t hipTexObjectDestroy(hipTextureObject_t tex_object);
hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* p_res_desc,
                                       hipTextureObject_t tex_object);
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* p_res_view_desc,
                                           hipTextureObject_t tex_object);
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* p_tex_desc, hipTextureObject_t tex_object);

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* p_surf_object,
                                  const hipResourceDesc* p_res_desc);
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface_object);

__HW_API_END
