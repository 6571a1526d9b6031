// SPDX-License-Identifier: MIT
// What is known about pointers. Device pointers are host pointers.
#include "soft/hip/pointer_attributes.h"

#include <mutex>
#include <unordered_set>

#include "soft/hip/host_registration.h"
#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

namespace {

// By the allocation's number, which is never used twice.
struct Waiting {
  std::mutex mutex;
  std::unordered_set<std::uint64_t> ids;
};
Waiting& waiting() {
  static auto* const all = new Waiting;
  return *all;
}

hipMemoryType type_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kManaged:
      return hipMemoryTypeManaged;
    case MemoryKind::kHost:
    case MemoryKind::kRegistered:
      return hipMemoryTypeHost;
    default:
      return hipMemoryTypeDevice;
  }
}

template <class T>
void store(void* data, T value) {
  *static_cast<T*>(data) = value;
}

hipError_t pointer_attribute(void* data, hipPointer_attribute attribute, std::uint64_t address) {
  if (!data) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  const auto allocation = runtime.memory().find(address);
  if (!allocation) return hipErrorInvalidValue;
  switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      store<hipMemoryType>(data, type_of(allocation->kind));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      if (allocation->kind == MemoryKind::kDevice) {
        store<void*>(data, nullptr);
        return hipErrorInvalidValue;
      }
      [[fallthrough]];
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
      store<void*>(data, pointer_to(address));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      store<bool>(data, waits_for_copies(*allocation));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      store<std::uint32_t>(data, host_flags(allocation->begin).value_or(0));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:  // 32 bits in ROCm, as the size below
      store<std::uint32_t>(data, static_cast<std::uint32_t>(allocation->id));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
      store<bool>(data, allocation->kind == MemoryKind::kManaged);
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      store<int>(data, allocation->owner);
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      store<void*>(data, pointer_to(allocation->begin));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
      store<std::uint32_t>(data, static_cast<std::uint32_t>(allocation->size));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      store<bool>(data, true);
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_CONTEXT:
    case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
    case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
    case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return hipErrorNotSupported;
    default:
      return hipErrorInvalidValue;
  }
}

}  // namespace

bool waits_for_copies(const Allocation& allocation) {
  const std::lock_guard lock(waiting().mutex);
  return waiting().ids.contains(allocation.id);
}

extern "C" {

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* out, const void* pointer) {
  return api([&] {
    if (!out || !pointer) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    const auto allocation = runtime.memory().find(address_of(pointer));
    *out = {};
    out->device = hipInvalidDeviceId;
    if (!allocation) {
      out->type = hipMemoryTypeUnregistered;
      return hipSuccess;
    }
    const bool on_host = allocation->kind != MemoryKind::kDevice;
    out->type = type_of(allocation->kind);
    out->device = allocation->owner;
    out->devicePointer = const_cast<void*>(pointer);
    out->hostPointer = on_host ? const_cast<void*>(pointer) : nullptr;
    out->isManaged = allocation->kind == MemoryKind::kManaged;
    out->allocationFlags = host_flags(allocation->begin).value_or(0);
    return hipSuccess;
  });
}
hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute,
                                  hipDeviceptr_t pointer) {
  return api([&] { return pointer_attribute(data, attribute, address_of(pointer)); });
}
hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute* attributes, void** data,
                                      hipDeviceptr_t pointer) {
  return api([&] {
    if (count == 0 || !attributes || !data || !pointer) return hipErrorInvalidValue;
    // As in ROCm, an attribute that the pointer lacks is no error here.
    for (unsigned i = 0; i < count; ++i)
      static_cast<void>(pointer_attribute(data[i], attributes[i], address_of(pointer)));
    return hipSuccess;
  });
}

hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                  hipDeviceptr_t pointer) {
  return api([&] {
    if (!value || !pointer || attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS)
      return hipErrorInvalidValue;
    const unsigned waits = *static_cast<const unsigned*>(value);
    if (waits > 1) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    const auto allocation = runtime.memory().find(address_of(pointer));
    if (!allocation) return hipErrorInvalidDevicePointer;
    const std::lock_guard lock(waiting().mutex);
    if (waits)
      waiting().ids.insert(allocation->id);
    else
      waiting().ids.erase(allocation->id);
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
