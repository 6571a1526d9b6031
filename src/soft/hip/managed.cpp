// SPDX-License-Identifier: MIT
// Hints about managed memory: there is one memory, and nothing moves. They are remembered, by
// pages, because programs ask for them.
#include "soft/hip/managed.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "soft/hip/shared_file.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

struct Hints {
  bool read_mostly = false, coarse = false;
  int preferred = hipInvalidDeviceId, prefetched = hipInvalidDeviceId;
  std::set<int> accessed_by;
  bool operator==(const Hints&) const = default;
};

// By the beginning of a range, which ends where the next one begins.
struct HintMap {
  std::mutex mutex;
  std::map<std::uint64_t, Hints> ranges{{0, {}}};

  // With the mutex held.
  std::map<std::uint64_t, Hints>::iterator split(std::uint64_t at) {
    const auto next = ranges.upper_bound(at);
    return ranges.emplace_hint(next, at, std::prev(next)->second);
  }
  template <class Change>
  void change(std::uint64_t begin, std::uint64_t end, Change change) {
    const auto last = split(end);
    for (auto range = split(begin); range != last; ++range) change(range->second);
  }
};
HintMap& hint_map() {
  static auto* const map = new HintMap;
  return *map;
}

struct Pages {
  std::uint64_t begin, end;
};
Pages pages_of(const void* pointer, std::size_t count) {
  return {address_of(pointer) / kSharedPage * kSharedPage,
          whole_pages(address_of(pointer) + count)};
}

template <class Change>
void change_hints(const void* pointer, std::size_t count, Change change) {
  const Pages pages = pages_of(pointer, count);
  const std::lock_guard lock(hint_map().mutex);
  hint_map().change(pages.begin, pages.end, change);
}

std::vector<Hints> hints_of(const void* pointer, std::size_t count) {
  const Pages pages = pages_of(pointer, count);
  const std::lock_guard lock(hint_map().mutex);
  auto& ranges = hint_map().ranges;
  std::vector<Hints> list;
  for (auto at = std::prev(ranges.upper_bound(pages.begin));
       at != ranges.end() && at->first < pages.end; ++at)
    list.push_back(at->second);
  return list;
}

// What all ranges agree on.
template <class Value>
Value common(const std::vector<Hints>& list, Value Hints::*member, Value without) {
  for (const Hints& hints : list)
    if (hints.*member != list.front().*member) return without;
  return list.front().*member;
}

std::optional<Allocation> holder(Runtime& runtime, const void* pointer, std::size_t count) {
  const auto allocation = runtime.memory().find(address_of(pointer));
  if (!allocation || count > allocation->end() - address_of(pointer)) return std::nullopt;
  return allocation;
}

hipError_t check_place(int device) {
  return device == hipCpuDeviceId ? hipSuccess : check_device(device);
}

hipError_t prefetch(const void* pointer, std::size_t count, int device, hipStream_t stream) {
  if (!pointer || count == 0) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  if (!stream_of(stream)) return no_stream();
  if (!holder(runtime, pointer, count)) return hipErrorInvalidValue;
  HIP_TRY(check_place(device));
  change_hints(pointer, count, [&](Hints& hints) { hints.prefetched = device; });
  return hipSuccess;
}

hipError_t advise(const void* pointer, std::size_t count, hipMemoryAdvise advice, int device) {
  if (advice != hipMemAdviseSetReadMostly && advice != hipMemAdviseUnsetReadMostly)
    HIP_TRY(check_place(device));
  if (!pointer || count == 0) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  const auto allocation = holder(runtime, pointer, count);
  if (!allocation || allocation->kind == MemoryKind::kDevice) return hipErrorInvalidValue;
  const auto set = [&](auto change) {
    change_hints(pointer, count, change);
    return hipSuccess;
  };
  switch (advice) {
    case hipMemAdviseSetReadMostly:
    case hipMemAdviseUnsetReadMostly:
      return set([&](Hints& hints) { hints.read_mostly = advice == hipMemAdviseSetReadMostly; });
    case hipMemAdviseSetPreferredLocation:
      return set([&](Hints& hints) { hints.preferred = device; });
    case hipMemAdviseUnsetPreferredLocation:
      return set([&](Hints& hints) { hints.preferred = hipInvalidDeviceId; });
    case hipMemAdviseSetAccessedBy:
      return set([&](Hints& hints) { hints.accessed_by.insert(device); });
    case hipMemAdviseUnsetAccessedBy:
      return set([&](Hints& hints) { hints.accessed_by.erase(device); });
    case hipMemAdviseSetCoarseGrain:
    case hipMemAdviseUnsetCoarseGrain:
      return set([&](Hints& hints) { hints.coarse = advice == hipMemAdviseSetCoarseGrain; });
    default:
      return hipErrorInvalidValue;
  }
}

// Devices that every range names; the rest of the list is hipInvalidDeviceId.
void put_accessed_by(const std::vector<Hints>& list, int* out, std::size_t count) {
  std::size_t used = 0;
  for (const int device : common(list, &Hints::accessed_by, {}))
    if (used < count) out[used++] = device;
  while (used < count) out[used++] = hipInvalidDeviceId;
}

hipMemRangeCoherencyMode coherency(const std::vector<Hints>& list) {
  for (const Hints& hints : list)
    if (hints.coarse != list.front().coarse) return hipMemRangeCoherencyModeIndeterminate;
  return list.front().coarse ? hipMemRangeCoherencyModeCoarseGrain
                             : hipMemRangeCoherencyModeFineGrain;
}

hipError_t range_attribute(void* data, std::size_t bytes, hipMemRangeAttribute attribute,
                           const void* pointer, std::size_t count) {
  if (!data || bytes == 0 || !pointer || count == 0) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  const auto allocation = holder(runtime, pointer, count);
  const bool any_memory = attribute == hipMemRangeAttributeCoherencyMode;
  if (!allocation || (!any_memory && allocation->kind != MemoryKind::kManaged))
    return hipErrorInvalidValue;
  auto* const out = static_cast<int*>(data);
  const std::vector<Hints> list = hints_of(pointer, count);
  if (attribute == hipMemRangeAttributeAccessedBy) {
    if (bytes % sizeof *out != 0) return hipErrorInvalidValue;
    put_accessed_by(list, out, bytes / sizeof *out);
    return hipSuccess;
  }
  if (bytes != sizeof *out) return hipErrorInvalidValue;
  switch (attribute) {
    case hipMemRangeAttributeReadMostly:
      *out = common(list, &Hints::read_mostly, false) ? 1 : 0;
      return hipSuccess;
    case hipMemRangeAttributePreferredLocation:
      *out = common(list, &Hints::preferred, static_cast<int>(hipInvalidDeviceId));
      return hipSuccess;
    case hipMemRangeAttributeLastPrefetchLocation:
      *out = common(list, &Hints::prefetched, static_cast<int>(hipInvalidDeviceId));
      return hipSuccess;
    case hipMemRangeAttributeCoherencyMode:
      *out = allocation->kind == MemoryKind::kDevice ? hipMemRangeCoherencyModeCoarseGrain
                                                     : coherency(list);
      return hipSuccess;
    default:
      return hipErrorInvalidValue;
  }
}

hipError_t attach(hipStream_t stream, void* pointer, std::size_t length, unsigned flags) {
  if (!pointer) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  if (!stream_of(stream)) return no_stream();
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle)
    return hipErrorInvalidValue;
  if (flags == hipMemAttachSingle && !stream) return hipErrorInvalidValue;
  const auto allocation = runtime.memory().find(address_of(pointer));
  if (!allocation || (length != 0 && length != allocation->size)) return hipErrorInvalidValue;
  return hipSuccess;
}

}  // namespace

void forget_hints(std::uint64_t begin, std::uint64_t size) {
  const Pages pages = pages_of(pointer_to(begin), size);
  const std::lock_guard lock(hint_map().mutex);
  auto& ranges = hint_map().ranges;
  if (ranges.size() == 1) return;  // nothing was said about any memory
  hint_map().change(pages.begin, pages.end, [](Hints& hints) { hints = {}; });
  // Neighbours that agree are one range again.
  const auto last = std::next(ranges.find(pages.end));
  for (auto at = ranges.find(pages.begin); at != last;)
    at = at->second == std::prev(at)->second ? ranges.erase(at) : std::next(at);
}

extern "C" {

hipError_t hipMemPrefetchAsync(const void* pointer, std::size_t count, int device,
                               hipStream_t stream) {
  return api([&] { return prefetch(pointer, count, device, stream); });
}
hipError_t hipMemAdvise(const void* pointer, std::size_t count, hipMemoryAdvise advice,
                        int device) {
  return api([&] { return advise(pointer, count, advice, device); });
}
hipError_t hipMemRangeGetAttribute(void* data, std::size_t bytes, hipMemRangeAttribute attribute,
                                   const void* pointer, std::size_t count) {
  return api([&] { return range_attribute(data, bytes, attribute, pointer, count); });
}
hipError_t hipMemRangeGetAttributes(void** data, std::size_t* sizes,
                                    hipMemRangeAttribute* attributes, std::size_t attribute_count,
                                    const void* pointer, std::size_t count) {
  return api([&] {
    if (!data || !sizes || !attributes || attribute_count == 0) return hipErrorInvalidValue;
    for (std::size_t i = 0; i < attribute_count; ++i)
      HIP_TRY(range_attribute(data[i], sizes[i], attributes[i], pointer, count));
    return hipSuccess;
  });
}
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, std::size_t length,
                                   unsigned flags) {
  return api([&] { return attach(stream, pointer, length, flags); });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
