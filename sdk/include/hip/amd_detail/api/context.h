// SPDX-License-Identifier: MIT
// CUDA driver-style contexts. Deprecated: HIP has one context per device.
#pragma once

#include <hip/amd_detail/api/launch_types.h>

__HW_API_BEGIN

__HW_DEPRECATED hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int flags, hipDevice_t device);
__HW_DEPRECATED hipError_t hipCtxDestroy(hipCtx_t ctx);
__HW_DEPRECATED hipError_t hipCtxPopCurrent(hipCtx_t* ctx);
__HW_DEPRECATED hipError_t hipCtxPushCurrent(hipCtx_t ctx);
__HW_DEPRECATED hipError_t hipCtxSetCurrent(hipCtx_t ctx);
__HW_DEPRECATED hipError_t hipCtxGetCurrent(hipCtx_t* ctx);
__HW_DEPRECATED hipError_t hipCtxGetDevice(hipDevice_t* device);
#if __HW_ROCM < 700
__HW_DEPRECATED hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int* api_version);
#else
__HW_DEPRECATED hipError_t hipCtxGetApiVersion(hipCtx_t ctx, unsigned int* api_version);
#endif
__HW_DEPRECATED hipError_t hipCtxGetCacheConfig(hipFuncCache_t* cache_config);
__HW_DEPRECATED hipError_t hipCtxSetCacheConfig(hipFuncCache_t cache_config);
__HW_DEPRECATED hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);
__HW_DEPRECATED hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* p_config);
__HW_DEPRECATED hipError_t hipCtxSynchronize(void);
__HW_DEPRECATED hipError_t hipCtxGetFlags(unsigned int* flags);
__HW_DEPRECATED hipError_t hipCtxEnablePeerAccess(hipCtx_t peer_ctx, unsigned int flags);
__HW_DEPRECATED hipError_t hipCtxDisablePeerAccess(hipCtx_t peer_ctx);

__HW_DEPRECATED hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int* flags,
                                                       int* active);
__HW_DEPRECATED hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev);
__HW_DEPRECATED hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* pctx, hipDevice_t dev);
__HW_DEPRECATED hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev);
__HW_DEPRECATED hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags);

__HW_API_END
