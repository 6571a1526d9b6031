// SPDX-License-Identifier: MIT
// Allocation, and what is known about pointers. Device pointers are host pointers: managed,
// pinned and device memory differ only in what the host may expect of them.
#include <algorithm>
#include <cstring>

#include "soft/hip/graph_memory.h"
#include "soft/hip/host_registration.h"
#include "soft/hip/ipc.h"
#include "soft/hip/managed.h"
#include "soft/hip/memory.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/pool.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

// Rows of pitched allocations start at multiples of this, as on AMD hardware.
constexpr std::size_t kPitchAlignment = 256;

hipError_t allocate_host(void** pointer, std::size_t size, unsigned flags) {
  HIP_TRY(allocate(pointer, size, MemoryKind::kHost));
  if (!*pointer) return hipSuccess;
  remember_host_flags(address_of(*pointer), flags);
  return hipSuccess;
}

bool is_kind(const std::optional<Allocation>& allocation, std::initializer_list<MemoryKind> kinds) {
  return allocation && std::ranges::find(kinds, allocation->kind) != kinds.end();
}

hipError_t release_host(void* pointer) {
  if (!pointer) return hipSuccess;
  HIP_RUNTIME(runtime);
  HIP_TRY(finish_everything());
  const auto allocation = runtime.memory().find(address_of(pointer));
  if (!is_kind(allocation, {MemoryKind::kHost}) || allocation->begin != address_of(pointer))
    return hipErrorInvalidValue;
  forget_host_flags(address_of(pointer));
  return runtime.memory().release(address_of(pointer)) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t allocate_pitched(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t rows) {
  if (!pointer || !pitch) return hipErrorInvalidValue;
  if (width == 0 || rows == 0) {
    *pointer = nullptr;
    *pitch = 0;
    return hipSuccess;
  }
  const std::size_t row = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  if (row < width || row > SIZE_MAX / rows) return hipErrorOutOfMemory;
  *pitch = row;
  return allocate(pointer, row * rows, MemoryKind::kDevice);
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
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      store<void*>(data, pointer_to(address));
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
      store<std::uint64_t>(data, allocation->id);
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
      store<std::size_t>(data, allocation->size);
      return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      store<bool>(data, true);
      return hipSuccess;
    default:
      return hipErrorNotSupported;
  }
}

}  // namespace

hipError_t allocate(void** pointer, std::size_t size, MemoryKind kind) {
  if (!pointer) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  return allocate_on(runtime, pointer, size, kind);
}

namespace {

// Programs that read unwritten memory read its beginning, too; filling more makes large buffers
// slow.
constexpr std::size_t kLittered = std::size_t{64} << 20;

// Fresh memory has no defined content. Zeros make a wrong kernel fail the same way every time;
// other numbers reveal programs that count on zeros.
bool is_littered(const Config& config, MemoryKind kind) {
  return (config.schedule.kind == Schedule::Kind::kRandom || !config.runs_kernels) &&
         (kind == MemoryKind::kDevice || kind == MemoryKind::kManaged);
}

void litter(void* memory, std::size_t size, std::uint64_t seed) {
  auto* const bytes = static_cast<std::uint8_t*>(memory);
  for (std::size_t at = 0; at < std::min(size, kLittered); at += sizeof seed) {
    seed += 0x9e3779b97f4a7c15ULL;  // splitmix64
    std::uint64_t word = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ word >> 27) * 0x94d049bb133111ebULL;
    word ^= word >> 31;
    std::memcpy(bytes + at, &word, std::min(sizeof word, size - at));
  }
}

}  // namespace

hipError_t allocate_on(Runtime& runtime, void** pointer, std::size_t size, MemoryKind kind) {
  HIP_TRY(check_not_capturing());
  *pointer = nullptr;
  if (size == 0) return hipSuccess;
  const auto memory = runtime.memory().allocate(size, kind, true, runtime.owner());
  if (!memory) return hipErrorOutOfMemory;
  *pointer = pointer_to(*memory);
  if (is_littered(runtime.config(), kind)) litter(*pointer, size, runtime.config().schedule.seed);
  return hipSuccess;
}

hipError_t release(void* pointer) {
  if (!pointer) return hipSuccess;
  HIP_RUNTIME(runtime);
  HIP_TRY(finish_everything());
  if (const auto freed = free_graph_memory(pointer)) return *freed;
  if (const auto freed = free_in_file(pointer)) return *freed;
  const auto allocation = runtime.memory().find(address_of(pointer));
  if (!is_kind(allocation, {MemoryKind::kDevice, MemoryKind::kManaged, MemoryKind::kHost}) ||
      allocation->begin != address_of(pointer))
    return hipErrorInvalidValue;
  end_sharing(allocation->begin);
  forget_hints(allocation->begin, allocation->size);
  return runtime.memory().release(address_of(pointer)) ? hipSuccess : hipErrorInvalidValue;
}

extern "C" {

hipError_t hipMalloc(void** pointer, std::size_t size) {
  return api([&] { return allocate(pointer, size, MemoryKind::kDevice); });
}
hipError_t hipExtMallocWithFlags(void** pointer, std::size_t size, unsigned flags) {
  return api([&] {
    if (flags > hipDeviceMallocContiguous) return hipErrorInvalidValue;
    if (flags == hipMallocSignalMemory && size != 8) return hipErrorInvalidValue;
    return allocate(pointer, size, MemoryKind::kDevice);
  });
}
hipError_t hipMallocManaged(void** pointer, std::size_t size, unsigned flags) {
  return api([&] {
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost) return hipErrorInvalidValue;
    if (size == 0) return hipErrorInvalidValue;
    return allocate(pointer, size, MemoryKind::kManaged);
  });
}
hipError_t hipFree(void* pointer) {
  return api([&] { return release(pointer); });
}

hipError_t hipMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                          std::size_t height) {
  return api([&] { return allocate_pitched(pointer, pitch, width, height); });
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height, unsigned) {
  return api([&] { return allocate_pitched(pointer, pitch, width, height); });
}
hipError_t hipMalloc3D(hipPitchedPtr* out, hipExtent extent) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    if (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth) return hipErrorOutOfMemory;
    *out = {nullptr, 0, extent.width, extent.height};
    return allocate_pitched(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
  });
}

hipError_t hipHostMalloc(void** pointer, std::size_t size, unsigned flags) {
  return api([&] { return allocate_host(pointer, size, flags); });
}
hipError_t hipHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return api([&] { return allocate_host(pointer, size, flags); });
}
hipError_t hipMallocHost(void** pointer, std::size_t size) {
  return api([&] { return allocate_host(pointer, size, hipHostMallocDefault); });
}
hipError_t hipMemAllocHost(void** pointer, std::size_t size) {
  return api([&] { return allocate_host(pointer, size, hipHostMallocDefault); });
}
hipError_t hipHostFree(void* pointer) {
  return api([&] { return release_host(pointer); });
}
hipError_t hipFreeHost(void* pointer) {
  return api([&] { return release_host(pointer); });
}

hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&] {
    if (!device || !host) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    if (!is_kind(runtime.memory().find(address_of(host)),
                 {MemoryKind::kHost, MemoryKind::kRegistered, MemoryKind::kManaged}))
      return hipErrorInvalidValue;
    *device = host;
    return hipSuccess;
  });
}
hipError_t hipHostGetFlags(unsigned* flags, void* host) {
  return api([&] {
    const auto known = host_flags(address_of(host));
    if (!flags || !known) return hipErrorInvalidValue;
    *flags = *known;
    return hipSuccess;
  });
}

hipError_t hipMemGetInfo(std::size_t* free, std::size_t* total) {
  return api([&] {
    if (!free && !total) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    if (free) *free = runtime.free_bytes();
    if (total) *total = runtime.memory_bytes();
    return hipSuccess;
  });
}
hipError_t hipMemPtrGetInfo(void* pointer, std::size_t* size) {
  return api([&] {
    if (!pointer || !size) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    const auto allocation = runtime.memory().find(address_of(pointer));
    if (!allocation) return hipErrorInvalidValue;
    *size = allocation->size;
    return hipSuccess;
  });
}
hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, std::size_t* size, hipDeviceptr_t pointer) {
  return api([&] {
    HIP_RUNTIME(runtime);
    const auto allocation = runtime.memory().find(address_of(pointer));
    if (!allocation) return hipErrorNotFound;
    if (base) *base = pointer_to(allocation->begin);
    if (size) *size = allocation->size;
    return hipSuccess;
  });
}

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
    if (!attributes || !data) return hipErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i)
      HIP_TRY(pointer_attribute(data[i], attributes[i], address_of(pointer)));
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
