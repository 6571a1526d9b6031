// SPDX-License-Identifier: MIT
#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "device/cpu/device.h"

namespace hipwright::device::cpu {

namespace {

// Querying the system for free memory takes longer than a small allocation.
constexpr std::size_t kLookFrom = 64 << 20;

// How memory came to the device, and which call ends that.
struct OriginText {
  const char* text;
  const char* advice;
};
constexpr std::array<OriginText, 3> kOrigins = {
    {{"was allocated as device memory", "Use free()."},
     {"was allocated as pinned host memory", "Use free_pinned()."},
     {"was registered", "Use unregister_pinned()."}}};

double mib(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

}  // namespace

Outcome<void*> CpuDevice::allocate(std::size_t bytes) {
  return take("allocate", bytes, Origin::kAllocated);
}

Done CpuDevice::free(void* pointer) {
  return give_back("free", pointer, Origin::kAllocated);
}

Outcome<void*> CpuDevice::allocate_pinned(std::size_t bytes) {
  return take("allocate_pinned", bytes, Origin::kPinned);
}

Done CpuDevice::free_pinned(void* pointer) {
  return give_back("free_pinned", pointer, Origin::kPinned);
}

Done CpuDevice::register_pinned(void* memory, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(memory);
  const std::unique_lock lock(memory_mutex_);
  const auto next = allocations_.lower_bound(begin);
  const bool meets_next = next != allocations_.end() && next->first < begin + bytes;
  const bool meets_previous = next != allocations_.begin() &&
                              std::prev(next)->first + std::prev(next)->second.bytes > begin;
  if (meets_next || meets_previous)
    return failure(
        "register_pinned",
        fmt::format("{} bytes at {} overlap memory of the device", bytes, fmt::ptr(memory)),
        "Register memory once, and only memory of the program.");
  allocations_.emplace(begin, Allocation{bytes, Origin::kRegistered});
  return {};
}

Done CpuDevice::unregister_pinned(void* memory) {
  return give_back("unregister_pinned", memory, Origin::kRegistered);
}

Outcome<void*> CpuDevice::allocate_async(std::size_t, Stream) {
  return std::unexpected(Failure(FailureKind::kNotAvailable, "allocate_async", id(),
                                 "the cpu device has no stream-ordered allocator",
                                 "Disable enable_stream_ordered_allocator."));
}

Done CpuDevice::free_async(void*, Stream) {
  return std::unexpected(Failure(FailureKind::kNotAvailable, "free_async", id(),
                                 "the cpu device has no stream-ordered allocator"));
}

Outcome<void*> CpuDevice::take(const char* call, std::size_t bytes, Origin origin) {
  if (bytes == 0) return nullptr;
  const auto refuse = [&](std::string why) {
    return std::unexpected(Failure(FailureKind::kMemory, call, id(), std::move(why),
                                   "Free memory, allocate less, or use a machine with more."));
  };
  const std::unique_lock lock(memory_mutex_);
  const std::uint64_t total = properties_.memory_bytes;
  if (bytes > total || allocated_ > total - bytes)
    return refuse(fmt::format("{:.1f} MiB needed; {:.1f} of {:.1f} MiB are allocated", mib(bytes),
                              mib(allocated_), mib(total)));
  if (bytes >= kLookFrom) {
    const MemoryInfo machine = machine_memory();
    if (bytes > machine.free_bytes)
      return refuse(
          fmt::format("{:.1f} MiB needed, {:.1f} MiB free", mib(bytes), mib(machine.free_bytes)));
  }
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr)
    return refuse(fmt::format("no contiguous block of {:.1f} MiB available", mib(bytes)));
  allocations_.emplace(static_cast<const std::byte*>(memory), Allocation{bytes, origin});
  allocated_ += bytes;
  return memory;
}

Done CpuDevice::give_back(const char* call, void* pointer, Origin origin) {
  if (pointer == nullptr) return {};
  HW_CHECK(refuse_while_capturing(call));
  {
    const std::shared_lock lock(memory_mutex_);
    const auto found = allocations_.find(static_cast<const std::byte*>(pointer));
    if (found == allocations_.end())
      return failure(call,
                     fmt::format("{} is not the start of a live allocation", fmt::ptr(pointer)),
                     "Free each pointer from allocate() exactly once.");
    const OriginText& actual = kOrigins[static_cast<std::size_t>(found->second.origin)];
    if (found->second.origin != origin)
      return failure(call, fmt::format("{} {}", fmt::ptr(pointer), actual.text), actual.advice);
  }
  drain_all();
  const std::unique_lock lock(memory_mutex_);
  const auto found = allocations_.find(static_cast<const std::byte*>(pointer));
  if (found == allocations_.end())
    return failure(call, fmt::format("{} was freed by another thread", fmt::ptr(pointer)),
                   "Free each pointer from allocate() exactly once.");
  if (origin != Origin::kRegistered) allocated_ -= found->second.bytes;
  allocations_.erase(found);
  if (origin != Origin::kRegistered) std::free(pointer);
  return {};
}

Outcome<MemoryInfo> CpuDevice::memory_info() {
  MemoryInfo info = machine_memory();
  // The system counts pages as used only once they are written, so allocated pages are subtracted.
  const std::shared_lock lock(memory_mutex_);
  info.total_bytes = properties_.memory_bytes;
  info.free_bytes = std::min<std::uint64_t>(info.free_bytes, info.total_bytes - allocated_);
  return info;
}

Done CpuDevice::check_range(const char* call, const void* pointer, std::size_t bytes) const {
  const auto* const begin = static_cast<const std::byte*>(pointer);
  const std::shared_lock lock(memory_mutex_);
  auto found = allocations_.upper_bound(begin);
  if (found != allocations_.begin()) {
    --found;
    const auto offset = static_cast<std::size_t>(begin - found->first);
    const std::size_t size = found->second.bytes;
    if (offset < size && bytes <= size - offset) return {};
    if (offset < size)
      return failure(call, fmt::format("{} bytes from {} exceed their allocation, which has {} "
                                       "bytes from there on",
                                       bytes, fmt::ptr(pointer), size - offset));
  }
  return failure(call, fmt::format("{} does not point to memory of this device", fmt::ptr(pointer)),
                 "Device memory comes from the device or a pool over it.");
}

Done CpuDevice::check_copy(const char* call, const void* to, const void* from, std::size_t bytes,
                           Direction direction) const {
  if (to == nullptr || from == nullptr)
    return failure(call,
                   fmt::format("{} bytes to {}, from {}", bytes, fmt::ptr(to), fmt::ptr(from)),
                   "Neither address may be null.");
  if (direction != Direction::kToHost) HW_CHECK(check_range(call, to, bytes));
  if (direction != Direction::kToDevice) HW_CHECK(check_range(call, from, bytes));
  return {};
}

Done CpuDevice::copy(void* to, const void* from, std::size_t bytes, Direction direction) {
  HW_CHECK(refuse_while_capturing("copy"));
  if (bytes == 0) return {};
  HW_CHECK(check_copy("copy", to, from, bytes, direction));
  if (default_queue_.idle()) {
    std::memmove(to, from, bytes);
    return {};
  }
  const auto point = std::make_shared<Point>();
  default_queue_.push(CopyCall{to, from, bytes});
  default_queue_.push(Reach{point});
  point->wait();
  return {};
}

Done CpuDevice::copy_async(void* to, const void* from, std::size_t bytes, Direction direction,
                           Stream stream) {
  if (bytes == 0) return {};
  HW_CHECK(check_copy("copy_async", to, from, bytes, direction));
  return submit("copy_async", stream, CopyCall{to, from, bytes});
}

Done CpuDevice::copy_peer(void* to, Device& other, const void* from, std::size_t bytes,
                          Stream stream) {
  if (&other != this)
    return failure("copy_peer", fmt::format("{} is another device", other.id()),
                   "There is only one cpu device: copy through the host.");
  if (bytes == 0) return {};
  HW_CHECK(check_copy("copy_peer", to, from, bytes, Direction::kOnDevice));
  return submit("copy_peer", stream, CopyCall{to, from, bytes});
}

Done CpuDevice::fill(void* to, unsigned char byte, std::size_t bytes, Stream stream) {
  if (bytes == 0) return {};
  HW_CHECK(check_range("fill", to, bytes));
  return submit("fill", stream, FillCall{to, byte, bytes});
}

Outcome<bool> CpuDevice::can_access_peer(Device& other) {
  return &other == this;
}

Done CpuDevice::enable_peer_access(Device& other) {
  if (&other == this) return {};
  return failure("enable_peer_access", fmt::format("{} is another device", other.id()),
                 "There is only one cpu device: copy through the host.");
}

}  // namespace hipwright::device::cpu
