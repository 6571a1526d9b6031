// SPDX-License-Identifier: MIT
#include "soft/hip/graph_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>

namespace hipwright::soft::hip {

namespace {

constexpr std::size_t kPage = 4096;

struct Counters {
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
};

struct All {
  std::mutex mutex;
  std::map<std::uint64_t, GraphMemoryRef> allocated;  // by begin
  std::map<std::uint64_t, std::uint64_t> reserved;    // begin to end
  std::set<std::uint64_t> without_free_node;
  std::array<Counters, kMostDevices> counters{};
};
All& all() {
  static auto* const instance = new All;
  return *instance;
}

Counters& counters_of(int device) {
  return all().counters[static_cast<std::size_t>(device)];
}

std::uint64_t* counter(Counters& counters, hipGraphMemAttributeType attribute) {
  switch (attribute) {
    case hipGraphMemAttrUsedMemCurrent:
      return &counters.used;
    case hipGraphMemAttrUsedMemHigh:
      return &counters.used_high;
    case hipGraphMemAttrReservedMemCurrent:
      return &counters.reserved;
    case hipGraphMemAttrReservedMemHigh:
      return &counters.reserved_high;
  }
  return nullptr;
}

}  // namespace

GraphMemory::~GraphMemory() {
  if (begin == 0) return;
  munmap(pointer_to(begin), reserved);
  const std::lock_guard lock(all().mutex);
  all().without_free_node.erase(begin);
  all().reserved.erase(begin);
}

GraphMemoryRef reserve_graph_memory(int device, std::size_t size) {
  const Runtime* const runtime = runtime_of(device);
  if (!runtime || size > runtime->free_bytes()) return nullptr;
  auto memory = std::make_shared<GraphMemory>();
  memory->size = size;
  memory->reserved = (size + kPage - 1) / kPage * kPage;
  memory->device = device;
  void* const mapped = mmap(nullptr, memory->reserved, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  memory->begin = address_of(mapped);
  const std::lock_guard lock(all().mutex);
  all().without_free_node.insert(memory->begin);
  all().reserved[memory->begin] = memory->begin + memory->reserved;
  return memory;
}

hipError_t allocate_graph_memory(const GraphMemoryRef& memory) {
  Runtime* const runtime = runtime_of(memory->device);
  if (!runtime) return hipErrorInvalidDevice;
  const std::lock_guard lock(all().mutex);
  if (all().allocated.contains(memory->begin)) return hipErrorInvalidValue;
  if (mprotect(pointer_to(memory->begin), memory->reserved, PROT_READ | PROT_WRITE) != 0)
    return hipErrorOutOfMemory;
  if (!runtime->memory().register_range(memory->begin, memory->size, MemoryKind::kDevice, true,
                                        runtime->owner()))
    return hipErrorInvalidValue;
  all().allocated[memory->begin] = memory;
  Counters& counters = counters_of(memory->device);
  counters.used += memory->reserved;
  counters.used_high = std::max(counters.used_high, counters.used);
  counters.reserved = std::max(counters.reserved, counters.used);
  counters.reserved_high = std::max(counters.reserved_high, counters.reserved);
  return hipSuccess;
}

bool is_graph_memory(std::uint64_t address) {
  const std::lock_guard lock(all().mutex);
  const auto next = all().reserved.upper_bound(address);
  return next != all().reserved.begin() && address < std::prev(next)->second;
}

bool is_allocated(const GraphMemory& memory) {
  const std::lock_guard lock(all().mutex);
  return all().allocated.contains(memory.begin);
}

std::optional<hipError_t> free_graph_memory(void* pointer) {
  GraphMemoryRef memory;  // its destructor takes the lock
  const std::lock_guard lock(all().mutex);
  const auto found = all().allocated.find(address_of(pointer));
  if (found == all().allocated.end()) return std::nullopt;
  memory = std::move(found->second);
  all().allocated.erase(found);
  Runtime& runtime = *runtime_of(memory->device);
  static_cast<void>(runtime.memory().unregister(memory->begin));
  // Nobody may read it until it is allocated again, and then its content is undefined.
  mmap(pointer, memory->reserved, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  counters_of(memory->device).used -= memory->reserved;
  return hipSuccess;
}

bool claim_free_node(void* pointer) {
  const std::lock_guard lock(all().mutex);
  return all().without_free_node.erase(address_of(pointer)) != 0;
}

extern "C" {

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void* value) {
  return api([&] {
    HIP_TRY(check_device(device));
    if (!value) return hipErrorInvalidValue;
    const std::lock_guard lock(all().mutex);
    const std::uint64_t* const found = counter(counters_of(device), attribute);
    if (!found) return hipErrorInvalidValue;
    *static_cast<std::uint64_t*>(value) = *found;
    return hipSuccess;
  });
}

// Only the high-water marks can be set, and only back to what is current.
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void* value) {
  return api([&] {
    HIP_TRY(check_device(device));
    const bool is_mark =
        attribute == hipGraphMemAttrUsedMemHigh || attribute == hipGraphMemAttrReservedMemHigh;
    if (!value || !is_mark || *static_cast<std::uint64_t*>(value) != 0) return hipErrorInvalidValue;
    const std::lock_guard lock(all().mutex);
    Counters& counters = counters_of(device);
    if (attribute == hipGraphMemAttrUsedMemHigh)
      counters.used_high = counters.used;
    else
      counters.reserved_high = counters.reserved;
    return hipSuccess;
  });
}

hipError_t hipDeviceGraphMemTrim(int device) {
  return api([&] {
    HIP_TRY(check_device(device));
    const std::lock_guard lock(all().mutex);
    Counters& counters = counters_of(device);
    counters.reserved = counters.used;
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
