// SPDX-License-Identifier: MIT
// Stream-ordered allocation. Pools keep nothing back: memory that is freed is free at once.
#include "soft/hip/pool.h"

#include <array>

#include "soft/hip/graph.h"
#include "soft/hip/memory.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

hipMemPoolProps default_properties(int device) {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, device};
  return properties;
}
// Of one device, made when first asked for.
hipMemPool_t default_pool(int device) {
  static auto* const mutex = new std::mutex;
  static auto* const all = new std::array<hipMemPool_t, kMostDevices>{};
  const std::lock_guard lock(*mutex);
  hipMemPool_t& pool = (*all)[static_cast<std::size_t>(device)];
  if (!pool) pool = pools().add(std::make_shared<Pool>(default_properties(device)));
  return pool;
}
// What hipDeviceSetMemPool chose, per device.
std::array<std::atomic<hipMemPool_t>, kMostDevices> chosen_pools{};
hipMemPool_t current_pool(int device) {
  const hipMemPool_t chosen = chosen_pools[static_cast<std::size_t>(device)].load();
  return chosen ? chosen : default_pool(device);
}

// Which pool an allocation came from, for the counters.
struct Origins {
  std::mutex mutex;
  std::unordered_map<void*, std::pair<std::weak_ptr<Pool>, std::size_t>> pool_of;
};
Origins& origins() {
  static auto* const all = new Origins;
  return *all;
}

bool is_capturing(const Stream& stream) {
  const std::lock_guard lock(capture_mutex());
  return stream.capture != nullptr;
}

// The address is known at once; the memory is there when the graph runs.
hipError_t allocate_in_graph(void** pointer, std::size_t size, int device, hipStream_t stream) {
  if (size == 0) return hipErrorInvalidValue;
  AllocateWork work;
  work.memory = reserve_graph_memory(device, size);
  if (!work.memory) return hipErrorOutOfMemory;
  void* const address = pointer_to(work.memory->begin);
  work.parameters.poolProps.allocType = hipMemAllocationTypePinned;
  work.parameters.poolProps.location = {hipMemLocationTypeDevice, device};
  work.parameters.bytesize = size;
  work.parameters.dptr = address;
  HIP_TRY(submit(stream, std::move(work)));
  *pointer = address;
  return hipSuccess;
}

hipError_t allocate_from(void** pointer, std::size_t size, hipMemPool_t handle,
                         hipStream_t stream) {
  if (!pointer) return hipErrorInvalidValue;
  const auto pool = pools().find(handle);
  const auto target = stream_of(stream);
  if (!target) return no_stream();
  if (!pool) return hipErrorInvalidValue;
  if (is_capturing(*target)) return allocate_in_graph(pointer, size, pool->device, stream);
  Runtime& runtime = *runtime_of(pool->device);
  HIP_TRY(runtime.sticky_error());
  const std::uint64_t most = pool->properties.maxSize;
  if (most != 0 && (size > most || pool->used > most - size)) return hipErrorOutOfMemory;
  if (pool->file && size != 0)
    HIP_TRY(allocate_in_file(runtime, pool, size, pointer));
  else
    HIP_TRY(allocate_on(runtime, pointer, size, MemoryKind::kDevice));
  if (!*pointer) return hipSuccess;
  const std::uint64_t used = pool->used.fetch_add(size) + size;
  std::uint64_t high = pool->used_high;
  while (high < used && !pool->used_high.compare_exchange_weak(high, used)) {
  }
  const std::lock_guard lock(origins().mutex);
  origins().pool_of[*pointer] = {pool, size};
  return hipSuccess;
}

hipError_t create_pool(hipMemPool_t* out, const hipMemPoolProps* properties) {
  if (!out || !properties || properties->allocType != hipMemAllocationTypePinned ||
      properties->location.type != hipMemLocationTypeDevice ||
      check_device(properties->location.id) != hipSuccess)
    return hipErrorInvalidValue;
  const bool shares = properties->handleTypes == hipMemHandleTypePosixFileDescriptor;
  if (!shares && properties->handleTypes != hipMemHandleTypeNone) return hipErrorNotSupported;
  auto pool = std::make_shared<Pool>(*properties);
  if (shares) {
    pool->file = SharedFile::create(0);
    if (!pool->file) return hipErrorOutOfMemory;
  }
  *out = pools().add(std::move(pool));
  return hipSuccess;
}

template <class T>
void put(void* out, T value) {
  *static_cast<T*>(out) = value;
}

}  // namespace

Registry<Pool, hipMemPool_t>& pools() {
  static auto* const registry = new Registry<Pool, hipMemPool_t>;
  return *registry;
}

extern "C" {

hipError_t hipMallocAsync(void** pointer, std::size_t size, hipStream_t stream) {
  return api([&] {
    const auto target = stream_of(stream);
    if (!target) return no_stream();
    return allocate_from(pointer, size, current_pool(target->runtime->ordinal()), stream);
  });
}
hipError_t hipMallocFromPoolAsync(void** pointer, std::size_t size, hipMemPool_t pool,
                                  hipStream_t stream) {
  return api([&] { return allocate_from(pointer, size, pool, stream); });
}
hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  return api([&] {
    if (!pointer) return hipErrorInvalidValue;
    {
      const std::lock_guard lock(origins().mutex);
      const auto found = origins().pool_of.find(pointer);
      if (found != origins().pool_of.end()) {
        if (const auto pool = found->second.first.lock()) pool->used -= found->second.second;
        origins().pool_of.erase(found);
      }
    }
    return submit(stream, FreeWork{pointer});
  });
}

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties) {
  return api([&] { return create_pool(pool, properties); });
}
hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return api([&] {
    const auto found = pools().find(pool);
    if (!found || pool == default_pool(found->device)) return hipErrorInvalidValue;
    hipMemPool_t expected = pool;
    chosen_pools[static_cast<std::size_t>(found->device)].compare_exchange_strong(expected,
                                                                                  nullptr);
    return pools().remove(pool) ? hipSuccess : hipErrorInvalidValue;
  });
}
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, std::size_t) {
  return api([&] { return pools().find(pool) ? hipSuccess : hipErrorInvalidValue; });
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  return api([&] {
    const auto pool = pools().find(handle);
    if (!pool || !value) return hipErrorInvalidValue;
    switch (attribute) {
      case hipMemPoolReuseFollowEventDependencies:
        pool->reuse_events = *static_cast<int*>(value);
        return hipSuccess;
      case hipMemPoolReuseAllowOpportunistic:
        pool->reuse_opportunistic = *static_cast<int*>(value);
        return hipSuccess;
      case hipMemPoolReuseAllowInternalDependencies:
        pool->reuse_internal = *static_cast<int*>(value);
        return hipSuccess;
      case hipMemPoolAttrReleaseThreshold:
        pool->threshold = *static_cast<std::uint64_t*>(value);
        return hipSuccess;
      case hipMemPoolAttrReservedMemHigh:
      case hipMemPoolAttrUsedMemHigh:
        // 0 resets the mark to what is used now; other values are not allowed.
        if (*static_cast<std::uint64_t*>(value) != 0) return hipErrorInvalidValue;
        pool->used_high = pool->used.load();
        return hipSuccess;
      default:
        return hipErrorInvalidValue;
    }
  });
}
hipError_t hipMemPoolGetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  return api([&] {
    const auto pool = pools().find(handle);
    if (!pool || !value) return hipErrorInvalidValue;
    switch (attribute) {
      case hipMemPoolReuseFollowEventDependencies:
        put<int>(value, pool->reuse_events);
        return hipSuccess;
      case hipMemPoolReuseAllowOpportunistic:
        put<int>(value, pool->reuse_opportunistic);
        return hipSuccess;
      case hipMemPoolReuseAllowInternalDependencies:
        put<int>(value, pool->reuse_internal);
        return hipSuccess;
      case hipMemPoolAttrReleaseThreshold:
        put<std::uint64_t>(value, pool->threshold);
        return hipSuccess;
      case hipMemPoolAttrReservedMemCurrent:
      case hipMemPoolAttrUsedMemCurrent:
        put<std::uint64_t>(value, pool->used);
        return hipSuccess;
      case hipMemPoolAttrReservedMemHigh:
      case hipMemPoolAttrUsedMemHigh:
        put<std::uint64_t>(value, pool->used_high);
        return hipSuccess;
      default:
        return hipErrorInvalidValue;
    }
  });
}
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* list, std::size_t count) {
  return api([&] {
    if (!pools().find(pool) || (count > 0 && !list)) return hipErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) HIP_TRY(check_device(list[i].location.id));
    return hipSuccess;
  });
}
hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool,
                               hipMemLocation* location) {
  return api([&] {
    if (!flags || !location || !pools().find(pool)) return hipErrorInvalidValue;
    HIP_TRY(check_device(location->id));
    *flags = hipMemAccessFlagsProtReadWrite;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    if (!pool) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *pool = default_pool(device);
    return hipSuccess;
  });
}
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  return api([&] {
    HIP_TRY(check_device(device));
    const auto found = pools().find(pool);
    if (!found || found->device != device) return hipErrorInvalidValue;
    chosen_pools[static_cast<std::size_t>(device)] = pool;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    if (!pool) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *pool = current_pool(device);
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
