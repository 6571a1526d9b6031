// SPDX-License-Identifier: MIT
// Stream-ordered allocation. Pools keep nothing back: memory that is freed is free at once.
#include <atomic>

#include "soft/hip/graph.h"
#include "soft/hip/memory.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

struct Pool {
  std::atomic<std::uint64_t> used{0}, used_high{0}, threshold{0};
  std::atomic<int> reuse_events{1}, reuse_opportunistic{1}, reuse_internal{1};
};

Registry<Pool, hipMemPool_t>& pools() {
  static auto* const registry = new Registry<Pool, hipMemPool_t>;
  return *registry;
}
hipMemPool_t default_pool() {
  static const hipMemPool_t pool = pools().add(std::make_shared<Pool>());
  return pool;
}
std::atomic<hipMemPool_t> current_pool{nullptr};

// Which pool an allocation came from, for the counters.
struct Origins {
  std::mutex mutex;
  std::unordered_map<void*, std::pair<std::weak_ptr<Pool>, std::size_t>> pool_of;
};
Origins& origins() {
  static auto* const all = new Origins;
  return *all;
}

hipError_t allocate_from(void** pointer, std::size_t size, hipMemPool_t handle,
                         hipStream_t stream) {
  if (!pointer) return hipErrorInvalidValue;
  const auto pool = pools().find(handle);
  const auto target = stream_of(stream);
  if (!pool || !target) return hipErrorInvalidHandle;
  {
    const std::lock_guard lock(capture_mutex());
    if (target->capture) return hipErrorStreamCaptureUnsupported;
  }
  HIP_TRY(allocate(pointer, size, MemoryKind::kDevice));
  if (!*pointer) return hipSuccess;
  const std::uint64_t used = pool->used.fetch_add(size) + size;
  std::uint64_t high = pool->used_high;
  while (high < used && !pool->used_high.compare_exchange_weak(high, used)) {
  }
  const std::lock_guard lock(origins().mutex);
  origins().pool_of[*pointer] = {pool, size};
  return hipSuccess;
}

template <class T>
void put(void* out, T value) {
  *static_cast<T*>(out) = value;
}

}  // namespace

extern "C" {

hipError_t hipMallocAsync(void** pointer, std::size_t size, hipStream_t stream) {
  return api([&] {
    const hipMemPool_t pool = current_pool.load();
    return allocate_from(pointer, size, pool ? pool : default_pool(), stream);
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
  return api([&] {
    if (!pool || !properties || properties->allocType != hipMemAllocationTypePinned)
      return hipErrorInvalidValue;
    if (properties->handleTypes != hipMemHandleTypeNone) return hipErrorNotSupported;
    HIP_TRY(check_device(properties->location.id));
    *pool = pools().add(std::make_shared<Pool>());
    return hipSuccess;
  });
}
hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return api([&] {
    if (!pool || pool == default_pool()) return hipErrorInvalidValue;
    hipMemPool_t expected = pool;
    current_pool.compare_exchange_strong(expected, nullptr);
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
    *pool = default_pool();
    return hipSuccess;
  });
}
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  return api([&] {
    HIP_TRY(check_device(device));
    if (!pools().find(pool)) return hipErrorInvalidValue;
    current_pool = pool;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    if (!pool) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    const hipMemPool_t current = current_pool.load();
    *pool = current ? current : default_pool();
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
