// SPDX-License-Identifier: MIT
#include "device/cuda/device.h"

namespace hipwright::device::cuda {

Outcome<void*> CudaDevice::allocate(std::size_t bytes) {
  CUdeviceptr pointer = 0;
  HW_CHECK(call("cuMemAlloc", &Api::cuMemAlloc, &pointer, bytes));
  return reinterpret_cast<void*>(pointer);
}

Done CudaDevice::free(void* pointer) {
  return call("cuMemFree", &Api::cuMemFree, address(pointer));
}

Outcome<void*> CudaDevice::allocate_async(std::size_t bytes, Stream stream) {
  if (api_.cuMemAllocAsync == nullptr || attribute(kMemoryPools) == 0)
    return missing("cuMemAllocAsync", "11.2");
  CUdeviceptr pointer = 0;
  HW_CHECK(call("cuMemAllocAsync", &Api::cuMemAllocAsync, &pointer, bytes, native(stream)));
  return reinterpret_cast<void*>(pointer);
}

Done CudaDevice::free_async(void* pointer, Stream stream) {
  if (api_.cuMemFreeAsync == nullptr) return missing("cuMemFreeAsync", "11.2");
  return call("cuMemFreeAsync", &Api::cuMemFreeAsync, address(pointer), native(stream));
}

Outcome<void*> CudaDevice::allocate_pinned(std::size_t bytes) {
  void* pointer = nullptr;
  HW_CHECK(call("cuMemHostAlloc", &Api::cuMemHostAlloc, &pointer, bytes, 0U));
  return pointer;
}

Done CudaDevice::free_pinned(void* pointer) {
  return call("cuMemFreeHost", &Api::cuMemFreeHost, pointer);
}

Done CudaDevice::register_pinned(void* memory, std::size_t bytes) {
  if (api_.cuMemHostRegister == nullptr || api_.cuMemHostUnregister == nullptr ||
      api_.cuMemHostGetDevicePointer == nullptr)
    return missing("cuMemHostRegister", "6.5");
  HW_CHECK(call("cuMemHostRegister", &Api::cuMemHostRegister, memory, bytes, kHostRegisterMapped));
  CUdeviceptr seen_by_device = 0;
  Done done = call("cuMemHostGetDevicePointer", &Api::cuMemHostGetDevicePointer, &seen_by_device,
                   memory, 0U);
  if (done && seen_by_device != address(memory))
    done = std::unexpected(Failure(FailureKind::kNotAvailable, "cuMemHostRegister", id(),
                                   "the device sees the memory at another address",
                                   "Copy the data to device memory."));
  if (!done) static_cast<void>(call("cuMemHostUnregister", &Api::cuMemHostUnregister, memory));
  return done;
}

Done CudaDevice::unregister_pinned(void* memory) {
  return call("cuMemHostUnregister", &Api::cuMemHostUnregister, memory);
}

Outcome<MemoryInfo> CudaDevice::memory_info() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  HW_CHECK(call("cuMemGetInfo", &Api::cuMemGetInfo, &free_bytes, &total_bytes));
  return MemoryInfo{free_bytes, total_bytes};
}

Done CudaDevice::copy(void* to, const void* from, std::size_t bytes, Direction direction) {
  switch (direction) {
    case Direction::kToDevice:
      return call("cuMemcpyHtoD", &Api::cuMemcpyHtoD, address(to), from, bytes);
    case Direction::kToHost:
      return call("cuMemcpyDtoH", &Api::cuMemcpyDtoH, to, address(from), bytes);
    case Direction::kOnDevice:
      // Between buffers of the device the driver does not wait.
      HW_CHECK(call("cuMemcpyDtoD", &Api::cuMemcpyDtoD, address(to), address(from), bytes));
      return synchronize(Stream{});
  }
  bug("a copy without a direction", __FILE__, __LINE__);
}

Done CudaDevice::copy_async(void* to, const void* from, std::size_t bytes, Direction direction,
                            Stream stream) {
  switch (direction) {
    case Direction::kToDevice:
      return call("cuMemcpyHtoDAsync", &Api::cuMemcpyHtoDAsync, address(to), from, bytes,
                  native(stream));
    case Direction::kToHost:
      return call("cuMemcpyDtoHAsync", &Api::cuMemcpyDtoHAsync, to, address(from), bytes,
                  native(stream));
    case Direction::kOnDevice:
      return call("cuMemcpyDtoDAsync", &Api::cuMemcpyDtoDAsync, address(to), address(from), bytes,
                  native(stream));
  }
  bug("a copy without a direction", __FILE__, __LINE__);
}

Outcome<CudaDevice*> CudaDevice::peer(Device& other, const char* call) const {
  if (other.properties().kind != Kind::kCuda)
    return std::unexpected(
        Failure(FailureKind::kDevice, call, id(), other.id() + " is not a CUDA device"));
  return static_cast<CudaDevice*>(&other);
}

Done CudaDevice::copy_peer(void* to, Device& other, const void* from, std::size_t bytes,
                           Stream stream) {
  HW_TRY(const CudaDevice* target, peer(other, "cuMemcpyPeerAsync"));
  return call("cuMemcpyPeerAsync", &Api::cuMemcpyPeerAsync, address(to), target->context_,
              address(from), context_, bytes, native(stream));
}

Done CudaDevice::fill(void* to, unsigned char byte, std::size_t bytes, Stream stream) {
  return call("cuMemsetD8Async", &Api::cuMemsetD8Async, address(to), byte, bytes, native(stream));
}

Outcome<bool> CudaDevice::can_access_peer(Device& other) {
  HW_TRY(const CudaDevice* target, peer(other, "cuDeviceCanAccessPeer"));
  if (target == this) return true;
  int can = 0;
  HW_CHECK(
      call("cuDeviceCanAccessPeer", &Api::cuDeviceCanAccessPeer, &can, ordinal_, target->ordinal_));
  return can != 0;
}

Done CudaDevice::enable_peer_access(Device& other) {
  HW_TRY(const CudaDevice* target, peer(other, "cuCtxEnablePeerAccess"));
  if (target == this) return {};
  const Done done =
      call("cuCtxEnablePeerAccess", &Api::cuCtxEnablePeerAccess, target->context_, 0U);
  if (!done && done.error().code == kPeerAccessAlreadyEnabled) return {};
  return done;
}

}  // namespace hipwright::device::cuda
