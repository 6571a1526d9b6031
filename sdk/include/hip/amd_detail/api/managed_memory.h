// SPDX-License-Identifier: MIT
// Memory that host and devices share and the driver migrates.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/flags.h>
#include <hip/amd_detail/api/handles.h>
#include <hip/amd_detail/api/memory_pool_types.h>
#include <hip/amd_detail/api/memory_types.h>

__HW_API_BEGIN

hipError_t hipMallocManaged(void** dev_ptr, size_t size,
                            unsigned int flags __hw_default(hipMemAttachGlobal));
hipError_t hipMemPrefetchAsync(const void* dev_ptr, size_t count, int device,
                               hipStream_t stream __hw_default(0));
hipError_t hipMemAdvise(const void* dev_ptr, size_t count, hipMemoryAdvise advice, int device);
#if __HW_ROCM >= 701
hipError_t hipMemPrefetchAsync_v2(const void* dev_ptr, size_t count, hipMemLocation location,
                                  unsigned int flags, hipStream_t stream __hw_default(0));
hipError_t hipMemAdvise_v2(const void* dev_ptr, size_t count, hipMemoryAdvise advice,
                           hipMemLocation location);
#endif
hipError_t hipMemRangeGetAttribute(void* data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void* dev_ptr, size_t count);
hipError_t hipMemRangeGetAttributes(void** data, size_t* data_sizes,
                                    hipMemRangeAttribute* attributes, size_t num_attributes,
                                    const void* dev_ptr, size_t count);
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* dev_ptr, size_t length __hw_default(0),
                                   unsigned int flags __hw_default(hipMemAttachSingle));

__HW_API_END
