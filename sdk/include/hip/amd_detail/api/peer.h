// SPDX-License-Identifier: MIT
// Access from one device to the memory of another.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/handles.h>

__HW_API_BEGIN

hipError_t hipDeviceCanAccessPeer(int* can_access_peer, int device_id, int peer_device_id);
hipError_t hipDeviceEnablePeerAccess(int peer_device_id, unsigned int flags);
hipError_t hipDeviceDisablePeerAccess(int peer_device_id);

// A program may define USE_PEER_NON_UNIFIED as 0 to hide the copies that name both devices.
#ifndef USE_PEER_NON_UNIFIED
#define USE_PEER_NON_UNIFIED 1
#endif
#if USE_PEER_NON_UNIFIED == 1
hipError_t hipMemcpyPeer(void* dst, int dst_device_id, const void* src, int src_device_id,
                         size_t size_bytes);
hipError_t hipMemcpyPeerAsync(void* dst, int dst_device_id, const void* src, int src_device,
                              size_t size_bytes, hipStream_t stream __hw_default(0));
#endif

__HW_API_END
