// SPDX-License-Identifier: MIT
// OpenGL buffers and images as HIP resources.
#pragma once

#include <hip/amd_detail/api/config.h>
#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/external_types.h>

__HW_API_BEGIN

typedef enum hipGLDeviceList {
  hipGLDeviceListAll = 1,
  hipGLDeviceListCurrentFrame = 2,
  hipGLDeviceListNextFrame = 3,
} hipGLDeviceList;

// As in GL's own header, which may be included as well.
typedef unsigned int GLuint;
typedef unsigned int GLenum;

hipError_t hipGLGetDevices(unsigned int* pHipDeviceCount, int* pHipDevices,
                           unsigned int hipDeviceCount, hipGLDeviceList deviceList);
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource** resource, GLuint buffer,
                                       unsigned int flags);
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource** resource, GLuint image, GLenum target,
                                      unsigned int flags);

__HW_API_END
