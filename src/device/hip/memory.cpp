// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "device/hip/device.h"

namespace hipwright::device::hip {

namespace {

hipMemcpyKind kind_of(Direction direction) {
  switch (direction) {
    case Direction::kToDevice:
      return hipMemcpyHostToDevice;
    case Direction::kToHost:
      return hipMemcpyDeviceToHost;
    case Direction::kOnDevice:
      return hipMemcpyDeviceToDevice;
  }
  bug("a copy without a direction", __FILE__, __LINE__);
}

// "hipErrorInvalidValue" does not name the value, but these calls have only one that can be wrong.
Done with_pointer(Done done, const void* pointer, const char* what) {
  if (!done && done.error().code == hipErrorInvalidValue) {
    done.error().why = fmt::format("{} is not {}", fmt::ptr(pointer), what);
    done.error().advice = "Free each allocation of this device exactly once.";
  }
  return done;
}

// A missing pool is not the caller's error.
template <class T>
T not_available(T outcome) {
  if (!outcome && outcome.error().code == hipErrorNotSupported)
    outcome.error().kind = FailureKind::kNotAvailable;
  return outcome;
}

}  // namespace

Outcome<void*> HipDevice::allocate(std::size_t bytes) {
  void* pointer = nullptr;
  auto done = call(api_->hipMalloc, &pointer, bytes);
  if (done) return pointer;
  if (done.error().kind == FailureKind::kMemory)
    done.error().why += fmt::format(" for {} bytes", bytes);
  return std::unexpected(std::move(done).error());
}

Done HipDevice::free(void* pointer) {
  return with_pointer(call(api_->hipFree, pointer), pointer,
                      "the start of a live allocation of the device");
}

Outcome<void*> HipDevice::allocate_async(std::size_t bytes, Stream stream) {
  void* pointer = nullptr;
  HW_CHECK(not_available(call(api_->hipMallocAsync, &pointer, bytes, native(stream))));
  return pointer;
}

Done HipDevice::free_async(void* pointer, Stream stream) {
  return with_pointer(not_available(call(api_->hipFreeAsync, pointer, native(stream))), pointer,
                      "the start of a live allocation of the device");
}

Outcome<void*> HipDevice::allocate_pinned(std::size_t bytes) {
  void* pointer = nullptr;
  HW_CHECK(call(api_->hipHostMalloc, &pointer, bytes, unsigned{hipHostMallocDefault}));
  return pointer;
}

Done HipDevice::free_pinned(void* pointer) {
  return with_pointer(call(api_->hipHostFree, pointer), pointer,
                      "the start of a live allocation of page-locked memory");
}

Done HipDevice::register_pinned(void* memory, std::size_t bytes) {
  HW_CHECK(call(api_->hipHostRegister, memory, bytes, unsigned{hipHostRegisterDefault}));
  void* seen_by_device = nullptr;
  Done done = call(api_->hipHostGetDevicePointer, &seen_by_device, memory, 0U);
  if (done && seen_by_device != memory)
    done =
        refused(FailureKind::kNotAvailable, "cannot register memory on",
                fmt::format("the device sees {} at {}", fmt::ptr(memory), fmt::ptr(seen_by_device)),
                "Copy the data to device memory.");
  if (!done) static_cast<void>(call(api_->hipHostUnregister, memory));
  return done;
}

Done HipDevice::unregister_pinned(void* memory) {
  return call(api_->hipHostUnregister, memory);
}

Outcome<MemoryInfo> HipDevice::memory_info() {
  std::size_t free = 0, total = 0;
  HW_CHECK(call(api_->hipMemGetInfo, &free, &total));
  return MemoryInfo{.free_bytes = free, .total_bytes = total};
}

Done HipDevice::copy(void* to, const void* from, std::size_t bytes, Direction direction) {
  HW_CHECK(call(api_->hipMemcpy, to, from, bytes, kind_of(direction)));
  // Within a device, hipMemcpy returns before the copy is done.
  if (direction == Direction::kOnDevice) return synchronize(Stream{nullptr});
  return {};
}

Done HipDevice::copy_async(void* to, const void* from, std::size_t bytes, Direction direction,
                           Stream stream) {
  return call(api_->hipMemcpyAsync, to, from, bytes, kind_of(direction), native(stream));
}

Outcome<HipDevice*> HipDevice::peer(Device& other, const char* call) const {
  auto* device = dynamic_cast<HipDevice*>(&other);
  if (device == nullptr || device->api_ != api_)
    return std::unexpected(Failure(FailureKind::kDevice, call, id(),
                                   fmt::format("{} belongs to another runtime", other.id()),
                                   "Copy through host memory."));
  return device;
}

Done HipDevice::copy_peer(void* to, Device& other, const void* from, std::size_t bytes,
                          Stream stream) {
  HW_TRY(const HipDevice* device, peer(other, api_->hipMemcpyPeerAsync.name));
  return call(api_->hipMemcpyPeerAsync, to, device->ordinal_, from, ordinal_, bytes,
              native(stream));
}

Done HipDevice::fill(void* to, unsigned char byte, std::size_t bytes, Stream stream) {
  return call(api_->hipMemsetAsync, to, int{byte}, bytes, native(stream));
}

Outcome<bool> HipDevice::can_access_peer(Device& other) {
  const auto* device = dynamic_cast<HipDevice*>(&other);
  if (device == nullptr || device->api_ != api_) return false;
  if (device == this) return true;
  int can = 0;
  HW_CHECK(call(api_->hipDeviceCanAccessPeer, &can, ordinal_, device->ordinal_));
  return can != 0;
}

Done HipDevice::enable_peer_access(Device& other) {
  HW_TRY(const HipDevice* device, peer(other, api_->hipDeviceEnablePeerAccess.name));
  if (device == this) return {};
  const auto done = call(api_->hipDeviceEnablePeerAccess, device->ordinal_, 0U);
  if (!done && done.error().code == hipErrorPeerAccessAlreadyEnabled) return {};
  return done;
}

}  // namespace hipwright::device::hip
