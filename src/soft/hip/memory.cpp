// SPDX-License-Identifier: MIT
// Allocation, and what is known about pointers. Device pointers are host pointers: managed,
// pinned and device memory differ only in what the host may expect of them.
#include <algorithm>
#include <cstring>

#include "soft/hip/external_memory.h"
#include "soft/hip/graph_memory.h"
#include "soft/hip/host_registration.h"
#include "soft/hip/ipc.h"
#include "soft/hip/managed.h"
#include "soft/hip/memory.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/pool.h"
#include "soft/hip/stream.h"
#include "soft/hip/stream_order.h"

namespace hipwright::soft::hip {

namespace {

// Rows of pitched allocations start at multiples of this, as on AMD hardware.
constexpr std::size_t kPitchAlignment = 256;

hipError_t allocate_host(void** pointer, std::size_t size, unsigned flags) {
  constexpr unsigned kCoherence = hipHostMallocCoherent | hipHostMallocNonCoherent;
  constexpr unsigned kAllFlags = kCoherence | hipHostMallocPortable | hipHostMallocMapped |
                                 hipHostMallocWriteCombined | hipHostMallocNumaUser;
  if (!pointer) return hipErrorInvalidValue;
  *pointer = nullptr;
  if ((flags & ~kAllFlags) || (flags & kCoherence) == kCoherence) return hipErrorInvalidValue;
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
  if (!leave_pool(pointer)) return hipErrorInvalidValue;
  if (const auto freed = free_in_file(pointer)) return *freed;
  if (const auto freed = free_external(pointer)) return *freed;
  return release_now(runtime, pointer);
}

hipError_t release_now(Runtime& runtime, void* pointer) {
  const auto allocation = runtime.memory().find(address_of(pointer));
  if (!is_kind(allocation, {MemoryKind::kDevice, MemoryKind::kManaged, MemoryKind::kHost}) ||
      allocation->begin != address_of(pointer))
    return hipErrorInvalidValue;
  end_sharing(allocation->begin);
  forget_hints(allocation->begin, allocation->size);
  forget_memory(runtime, allocation->begin, allocation->size);
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

}  // extern "C"

}  // namespace hipwright::soft::hip
