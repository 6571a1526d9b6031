// SPDX-License-Identifier: MIT
// C++ forms of the memory functions: typed pointers, and symbols by reference.
#pragma once

#include <hip/amd_detail/api/flags.h>
#include <hip/amd_detail/api/managed_memory.h>
#include <hip/amd_detail/api/memory.h>
#include <hip/amd_detail/api/memory_copy.h>
#include <hip/amd_detail/api/memory_pool.h>

// For programs that take the type of a C function, which an overload would make ambiguous.
// The casts are C casts so that pointers to const can be allocated, too.
#if !defined(__HIP_DISABLE_CPP_FUNCTIONS__)

template <class T>
static inline hipError_t hipMalloc(T** dev_ptr, size_t size) {
  return ::hipMalloc((void**)dev_ptr, size);
}

template <class T>
static inline hipError_t hipMallocPitch(T** dev_ptr, size_t* pitch, size_t width, size_t height) {
  return ::hipMallocPitch((void**)dev_ptr, pitch, width, height);
}

template <class T>
static inline hipError_t hipHostMalloc(T** ptr, size_t size,
                                       unsigned int flags = hipHostMallocDefault) {
  return ::hipHostMalloc((void**)ptr, size, flags);
}

template <class T>
static inline hipError_t hipHostAlloc(T** ptr, size_t size,
                                      unsigned int flags = hipHostAllocDefault) {
  return ::hipHostAlloc((void**)ptr, size, flags);
}

template <class T>
static inline hipError_t hipMallocManaged(T** dev_ptr, size_t size,
                                          unsigned int flags = hipMemAttachGlobal) {
  return ::hipMallocManaged((void**)dev_ptr, size, flags);
}

#endif

static inline hipError_t hipMallocAsync(void** dev_ptr, size_t size, hipMemPool_t mem_pool,
                                        hipStream_t stream) {
  return ::hipMallocFromPoolAsync(dev_ptr, size, mem_pool, stream);
}

template <class T>
static inline hipError_t hipMallocAsync(T** dev_ptr, size_t size, hipMemPool_t mem_pool,
                                        hipStream_t stream) {
  return ::hipMallocFromPoolAsync(reinterpret_cast<void**>(dev_ptr), size, mem_pool, stream);
}

template <class T>
static inline hipError_t hipMallocAsync(T** dev_ptr, size_t size, hipStream_t stream) {
  return ::hipMallocAsync(reinterpret_cast<void**>(dev_ptr), size, stream);
}

template <class T>
static inline hipError_t hipMallocFromPoolAsync(T** dev_ptr, size_t size, hipMemPool_t mem_pool,
                                                hipStream_t stream) {
  return ::hipMallocFromPoolAsync(reinterpret_cast<void**>(dev_ptr), size, mem_pool, stream);
}

template <typename T>
hipError_t hipGetSymbolAddress(void** dev_ptr, const T& symbol) {
  return ::hipGetSymbolAddress(dev_ptr, (const void*)&symbol);
}

template <typename T>
hipError_t hipGetSymbolSize(size_t* size, const T& symbol) {
  return ::hipGetSymbolSize(size, (const void*)&symbol);
}

template <typename T>
hipError_t hipMemcpyToSymbol(const T& symbol, const void* src, size_t size_bytes, size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return ::hipMemcpyToSymbol((const void*)&symbol, src, size_bytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* src, size_t size_bytes,
                                  size_t offset, hipMemcpyKind kind, hipStream_t stream = 0) {
  return ::hipMemcpyToSymbolAsync((const void*)&symbol, src, size_bytes, offset, kind, stream);
}

template <typename T>
hipError_t hipMemcpyFromSymbol(void* dst, const T& symbol, size_t size_bytes, size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return ::hipMemcpyFromSymbol(dst, (const void*)&symbol, size_bytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t size_bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream = 0) {
  return ::hipMemcpyFromSymbolAsync(dst, (const void*)&symbol, size_bytes, offset, kind, stream);
}
