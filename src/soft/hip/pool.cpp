// SPDX-License-Identifier: MIT
// Stream-ordered allocation. A pool holds freed memory until the host waits, and beyond that as
// much as its threshold says. With bounds checks it holds nothing: an access after the free is a
// finding then.
#include "soft/hip/pool.h"

#include <algorithm>
#include <array>
#include <vector>

#include "soft/hip/graph.h"
#include "soft/hip/memory.h"
#include "soft/hip/pending_work.h"
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

// Where the memory of pools comes from.
struct Origin {
  std::weak_ptr<Pool> pool;
  std::size_t size = 0;
  bool held = false;
};
struct Origins {
  std::mutex mutex;  // locked before a pool's
  std::unordered_map<void*, Origin> by_address;
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

// With the pool's mutex held.
void count_use(Pool& pool, std::uint64_t size, bool is_new) {
  pool.used += size;
  pool.used_high = std::max(pool.used_high, pool.used);
  if (is_new) pool.reserved += size;
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
}

bool may_reuse(const Pool& pool, const HeldBlock& block, Stream& stream) {
  if (block.stream.lock().get() == &stream) return true;
  if (block.done) return pool.reuse_opportunistic != 0;
  return pool.reuse_events != 0 && is_behind(stream, block.number);
}

// nullptr: nothing that fits. As in ROCm, blocks up to an eighth larger do.
void* take_held(Pool& pool, std::size_t size, Stream& stream) {
  const std::lock_guard origin_lock(origins().mutex);
  const std::lock_guard lock(pool.mutex);
  for (auto at = pool.held.lower_bound(size); at != pool.held.end(); ++at) {
    if (at->first - size > size / 8) break;
    if (!may_reuse(pool, at->second, stream)) continue;
    void* const address = at->second.address;
    count_use(pool, at->second.size, false);
    pool.held.erase(at);
    origins().by_address[address].held = false;
    return address;
  }
  return nullptr;
}

hipError_t allocate_new(void** pointer, std::size_t size, const std::shared_ptr<Pool>& pool) {
  Runtime& runtime = *runtime_of(pool->device);
  HIP_TRY(runtime.sticky_error());
  {
    const std::lock_guard lock(pool->mutex);
    const std::uint64_t most = pool->properties.maxSize;
    if (most != 0 && (size > most || pool->reserved > most - size)) return hipErrorOutOfMemory;
  }
  if (pool->file)
    HIP_TRY(allocate_in_file(runtime, pool, size, pointer));
  else
    HIP_TRY(allocate_on(runtime, pointer, size, MemoryKind::kDevice));
  {
    const std::lock_guard lock(pool->mutex);
    count_use(*pool, size, true);
  }
  const std::lock_guard lock(origins().mutex);
  origins().by_address[*pointer] = {pool, size};
  return hipSuccess;
}

hipError_t allocate_from(void** pointer, std::size_t size, hipMemPool_t handle,
                         hipStream_t stream) {
  if (!pointer) return hipErrorInvalidValue;
  const auto pool = pools().find(handle);
  const auto target = stream_of(stream);
  if (!target) return hipErrorInvalidHandle;
  if (!pool) return hipErrorInvalidValue;
  if (is_capturing(*target)) return allocate_in_graph(pointer, size, pool->device, stream);
  *pointer = nullptr;
  if (size == 0) return hipSuccess;
  *pointer = take_held(*pool, size, *target);
  return *pointer ? hipSuccess : allocate_new(pointer, size, pool);
}

// The pool that keeps the memory for later; nullptr: none does. The memory is then the pool's.
std::shared_ptr<Pool> hold(void* pointer, const std::shared_ptr<Stream>& stream,
                           std::uint64_t& serial) {
  static std::atomic<std::uint64_t> next{1};
  const std::lock_guard lock(origins().mutex);
  const auto found = origins().by_address.find(pointer);
  if (found == origins().by_address.end()) return nullptr;
  const auto pool = found->second.pool.lock();
  if (!pool || pool->file || stream->runtime->config().checks.bounds) return nullptr;
  serial = next++;
  found->second.held = true;
  const std::lock_guard pool_lock(pool->mutex);
  const std::size_t size = found->second.size;
  pool->used -= size;
  pool->held.emplace(size, HeldBlock{pointer, size, stream, serial, 0, false});
  return pool;
}

void set_number(Pool& pool, std::uint64_t serial, std::uint64_t number) {
  const std::lock_guard lock(pool.mutex);
  for (auto& [size, block] : pool.held)
    if (block.serial == serial) block.number = number;
}

bool is_freed(void* pointer) {
  const std::lock_guard lock(origins().mutex);
  const auto found = origins().by_address.find(pointer);
  return found != origins().by_address.end() && found->second.held;
}

hipError_t free_in_order(void* pointer, hipStream_t handle) {
  if (!pointer) return hipErrorInvalidValue;
  const auto stream = stream_of(handle);
  if (!stream) return hipErrorInvalidHandle;
  if (is_capturing(*stream)) return submit(handle, FreeWork{.pointer = pointer});
  if (is_freed(pointer)) return hipErrorInvalidValue;
  std::uint64_t serial = 0;
  const auto pool = hold(pointer, stream, serial);
  if (!pool) return submit(handle, FreeWork{.pointer = pointer});
  const hipError_t result = submit(handle, FreeWork{pointer, pool, serial});
  if (result == hipSuccess) set_number(*pool, serial, stream->last);
  return result;
}

// What of it no stream needs, until no more than `most` bytes are held.
void release_held(Pool& pool, std::uint64_t most) {
  std::vector<void*> released;
  {
    const std::lock_guard lock(pool.mutex);
    for (auto at = pool.held.begin(); at != pool.held.end();) {
      if (pool.reserved - pool.used <= most) break;
      if (!at->second.done) {
        ++at;
        continue;
      }
      pool.reserved -= at->second.size;
      released.push_back(at->second.address);
      at = pool.held.erase(at);
    }
  }
  for (void* const each : released) {
    {
      const std::lock_guard lock(origins().mutex);
      origins().by_address.erase(each);
    }
    static_cast<void>(release_now(*runtime_of(pool.device), each));
  }
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
hipError_t put_count(Pool& pool, const std::uint64_t& count, void* out) {
  const std::lock_guard lock(pool.mutex);
  put<std::uint64_t>(out, count);
  return hipSuccess;
}
hipError_t reset_mark(Pool& pool, std::uint64_t& mark, const std::uint64_t& count,
                      const void* value) {
  if (*static_cast<const std::uint64_t*>(value) != 0) return hipErrorInvalidValue;
  const std::lock_guard lock(pool.mutex);
  mark = count;
  return hipSuccess;
}

hipError_t check_location(const hipMemLocation& location, hipError_t unknown_device) {
  if (location.type != hipMemLocationTypeDevice) return hipErrorInvalidValue;
  return check_device(location.id) == hipSuccess ? hipSuccess : unknown_device;
}
hipError_t check_access(const hipMemAccessDesc& wanted) {
  HIP_TRY(check_location(wanted.location, hipErrorInvalidDevice));
  // A pool's memory cannot be taken from a device.
  if (wanted.flags == hipMemAccessFlagsProtNone) return hipErrorInvalidDevice;
  return wanted.flags <= hipMemAccessFlagsProtReadWrite ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace

Registry<Pool, hipMemPool_t>& pools() {
  static auto* const registry = new Registry<Pool, hipMemPool_t>;
  return *registry;
}

void reach_free(Pool& pool, std::uint64_t serial) {
  const std::lock_guard lock(pool.mutex);
  for (auto& [size, block] : pool.held)
    if (block.serial == serial) block.done = true;
}

void release_held_memory() {
  for (const auto& pool : pools().all()) release_held(*pool, pool->threshold);
}

bool leave_pool(void* pointer) {
  const std::lock_guard lock(origins().mutex);
  const auto found = origins().by_address.find(pointer);
  if (found == origins().by_address.end()) return true;
  if (found->second.held) return false;
  if (const auto pool = found->second.pool.lock()) {
    const std::lock_guard pool_lock(pool->mutex);
    pool->used -= found->second.size;
    pool->reserved -= found->second.size;
  }
  origins().by_address.erase(found);
  return true;
}

extern "C" {

hipError_t hipMallocAsync(void** pointer, std::size_t size, hipStream_t stream) {
  return api([&] {
    const auto target = stream_of(stream);
    if (!target) return hipErrorInvalidHandle;
    return allocate_from(pointer, size, current_pool(target->runtime->ordinal()), stream);
  });
}
hipError_t hipMallocFromPoolAsync(void** pointer, std::size_t size, hipMemPool_t pool,
                                  hipStream_t stream) {
  return api([&] { return allocate_from(pointer, size, pool, stream); });
}
hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  return api([&] { return free_in_order(pointer, stream); });
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
    HIP_TRY(finish_everything());
    release_held(*found, 0);
    return pools().remove(pool) ? hipSuccess : hipErrorInvalidValue;
  });
}
hipError_t hipMemPoolTrimTo(hipMemPool_t handle, std::size_t held) {
  return api([&] {
    const auto pool = pools().find(handle);
    if (!pool) return hipErrorInvalidValue;
    release_held(*pool, held);
    return hipSuccess;
  });
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
      // 0 resets a mark to what it is now; other values are not allowed.
      case hipMemPoolAttrReservedMemHigh:
        return reset_mark(*pool, pool->reserved_high, pool->reserved, value);
      case hipMemPoolAttrUsedMemHigh:
        return reset_mark(*pool, pool->used_high, pool->used, value);
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
        return put_count(*pool, pool->reserved, value);
      case hipMemPoolAttrReservedMemHigh:
        return put_count(*pool, pool->reserved_high, value);
      case hipMemPoolAttrUsedMemCurrent:
        return put_count(*pool, pool->used, value);
      case hipMemPoolAttrUsedMemHigh:
        return put_count(*pool, pool->used_high, value);
      default:
        return hipErrorInvalidValue;
    }
  });
}
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* list, std::size_t count) {
  return api([&] {
    if (!pools().find(pool) || !list) return hipErrorInvalidValue;
    if (count > static_cast<std::size_t>(device_count())) return hipErrorInvalidDevice;
    for (std::size_t i = 0; i < count; ++i) HIP_TRY(check_access(list[i]));
    return hipSuccess;
  });
}
hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool,
                               hipMemLocation* location) {
  return api([&] {
    if (!flags || !location || !pools().find(pool)) return hipErrorInvalidValue;
    HIP_TRY(check_location(*location, hipErrorInvalidValue));
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
    if (check_device(device) != hipSuccess) return hipErrorInvalidValue;
    const auto found = pools().find(pool);
    if (!found || found->device != device) return hipErrorInvalidValue;
    chosen_pools[static_cast<std::size_t>(device)] = pool;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    if (!pool || check_device(device) != hipSuccess) return hipErrorInvalidValue;
    *pool = current_pool(device);
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
