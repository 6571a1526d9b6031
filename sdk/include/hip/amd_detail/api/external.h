// SPDX-License-Identifier: MIT
// Memory and semaphores of other APIs, and graphics resources.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/external_types.h>

__HW_API_BEGIN

hipError_t hipImportExternalMemory(hipExternalMemory_t* extMem_out,
                                   const hipExternalMemoryHandleDesc* mem_handle_desc);
hipError_t hipExternalMemoryGetMappedBuffer(void** dev_ptr, hipExternalMemory_t ext_mem,
                                            const hipExternalMemoryBufferDesc* buffer_desc);
hipError_t hipExternalMemoryGetMappedMipmappedArray(
    hipMipmappedArray_t* mipmap, hipExternalMemory_t ext_mem,
    const hipExternalMemoryMipmappedArrayDesc* mipmap_desc);
hipError_t hipDestroyExternalMemory(hipExternalMemory_t ext_mem);

hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t* extSem_out,
                                      const hipExternalSemaphoreHandleDesc* sem_handle_desc);
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t* ext_sem_array,
                                            const hipExternalSemaphoreSignalParams* params_array,
                                            unsigned int num_ext_sems, hipStream_t stream);
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t* ext_sem_array,
                                          const hipExternalSemaphoreWaitParams* params_array,
                                          unsigned int num_ext_sems, hipStream_t stream);
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t ext_sem);

hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t* resources,
                                   hipStream_t stream __hw_default(0));
hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t* array, hipGraphicsResource_t resource,
                                                unsigned int array_index, unsigned int mip_level);
hipError_t hipGraphicsResourceGetMappedPointer(void** dev_ptr, size_t* size,
                                               hipGraphicsResource_t resource);
hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t* resources,
                                     hipStream_t stream __hw_default(0));
hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource);

__HW_API_END
