// SPDX-License-Identifier: MIT
// Devices: initialisation, selection, properties, limits.
#pragma once

#include <hip/amd_detail/api/device_types.h>
#include <hip/amd_detail/api/launch_types.h>
#include <hip/amd_detail/api/memory_pool_types.h>
#include <hip/driver_types.h>

__HW_API_BEGIN

// Initialisation and versions.
hipError_t hipInit(unsigned int flags);
hipError_t hipDriverGetVersion(int* driver_version);
hipError_t hipRuntimeGetVersion(int* runtime_version);

// Devices by ordinal, PCI address and property.
hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDevice(int* device_id);
hipError_t hipSetDevice(int device_id);
hipError_t hipSetValidDevices(int* device_arr, int len);
hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* prop);
hipError_t hipDeviceGet(hipDevice_t* device, int ordinal);
hipError_t hipDeviceGetByPCIBusId(int* device, const char* pci_bus_id);

// Queries.
hipError_t hipGetDeviceProperties(hipDeviceProp_t* prop, int device_id);
hipError_t hipDeviceGetAttribute(int* pi, hipDeviceAttribute_t attr, int device_id);
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device);
hipError_t hipDeviceGetName(char* name, int len, hipDevice_t device);
hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device);
hipError_t hipDeviceGetPCIBusId(char* pci_bus_id, int len, int device);
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device);
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attr, int src_device,
                                    int dst_device);
hipError_t hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t* linktype,
                                        uint32_t* hopcount);

// ROCm 6.4 declares this one with the parameters of hipDeviceGetMemPool; its library expects
// (size_t*, const hipChannelFormatDesc*, int). Kept as released: do not call it through this
// header.
#if __HW_ROCM < 700
hipError_t hipDeviceGetTexture1DLinearMaxWidth(hipMemPool_t* mem_pool, int device);
#else
hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t* max_width, const hipChannelFormatDesc* desc,
                                               int device);
#endif

// Whole-device state.
hipError_t hipDeviceSynchronize(void);
hipError_t hipDeviceReset(void);
hipError_t hipGetDeviceFlags(unsigned int* flags);
hipError_t hipSetDeviceFlags(unsigned flags);
hipError_t hipDeviceGetLimit(size_t* p_value, enum hipLimit_t limit);
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* cache_config);
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cache_config);
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* p_config);
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);
hipError_t hipDeviceGetStreamPriorityRange(int* least_priority, int* greatest_priority);

__HW_API_END
