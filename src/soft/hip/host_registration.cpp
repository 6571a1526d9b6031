// SPDX-License-Identifier: MIT
#include "soft/hip/host_registration.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "soft/exec/lost_memory.h"
#include "soft/hip/host_range.h"
#include "soft/hip/pending_work.h"

namespace hipwright::soft::hip {

namespace {

struct HostFlags {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, unsigned> by_begin;
};
HostFlags& all_flags() {
  static auto* const flags = new HostFlags;
  return *flags;
}

// ROCm lets programs register memory again, also in part. To kernels, registrations that overlap
// are one range.
class Registrations {
 public:
  bool add(Memory& memory, std::uint64_t begin, std::uint64_t size, bool writable) {
    const std::lock_guard lock(mutex_);
    const auto around = surroundings(memory, begin, begin + size);
    if (!around) return false;
    const std::vector<Registration> before = take(memory, *around);
    std::vector<Registration> after = before;
    std::erase_if(after, [&](const Registration& each) { return each.begin == begin; });
    after.push_back({{begin, begin + size}, writable});
    if (publish(memory, after)) return true;
    static_cast<void>(publish(memory, before));
    return false;
  }

  bool remove(Memory& memory, std::uint64_t begin) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(begin);
    if (found == known_.end()) return false;
    const auto around = surroundings(memory, begin, found->second.end);
    if (!around) return false;
    std::vector<Registration> left = take(memory, *around);
    std::erase_if(left, [&](const Registration& each) { return each.begin == begin; });
    static_cast<void>(publish(memory, left));
    return true;
  }

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  struct Registration : Range {
    bool writable = true;
  };

  // The range together with those of kernels that it overlaps; nullopt: it overlaps memory that
  // nobody can register.
  static std::optional<Range> surroundings(const Memory& memory, std::uint64_t begin,
                                           std::uint64_t end) {
    Range all{begin, end};
    auto next = memory.last_before(end - 1);
    while (next && next->end() > begin) {
      if (next->kind != MemoryKind::kRegistered) return std::nullopt;
      all = {std::min(all.begin, next->begin), std::max(all.end, next->end())};
      next = memory.last_before(next->begin - 1);
    }
    return all;
  }

  // Kernels lose the range.
  std::vector<Registration> take(Memory& memory, const Range& range) {
    for (auto last = memory.last_before(range.end - 1); last && last->begin >= range.begin;
         last = memory.last_before(range.end - 1))
      if (!memory.unregister(last->begin)) break;
    std::vector<Registration> taken;
    auto at = known_.lower_bound(range.begin);
    for (; at != known_.end() && at->first < range.end; at = known_.erase(at))
      taken.push_back(at->second);
    return taken;
  }

  bool publish(Memory& memory, std::vector<Registration> list) {
    std::ranges::sort(list, {}, &Registration::begin);
    for (std::size_t i = 0; i < list.size();) {
      Registration range = list[i];
      for (++i; i < list.size() && list[i].begin < range.end; ++i) {
        range.end = std::max(range.end, list[i].end);
        range.writable = range.writable && list[i].writable;
      }
      if (!memory.register_range(range.begin, range.end - range.begin, MemoryKind::kRegistered,
                                 range.writable))
        return false;
    }
    for (const Registration& each : list) known_[each.begin] = each;
    return true;
  }

  std::mutex mutex_;
  std::map<std::uint64_t, Registration> known_;  // by begin
};
Registrations& registrations() {
  static auto* const all = new Registrations;
  return *all;
}

// Kernels would read and write it behind the host's back.
hipError_t check_registrable(std::uint64_t begin, std::size_t size, unsigned flags) {
  const HostRange range = host_range(begin, size);
  if (range == HostRange::kWritable ||
      (range == HostRange::kReadOnly && (flags & hipHostRegisterReadOnly)))
    return hipSuccess;
  return refuse(hipErrorInvalidValue,
                {"cannot register host memory", fmt::format("{} bytes at {:#x}", size, begin),
                 range == HostRange::kUnmapped ? "not all of it is memory of this process"
                                               : "it is read-only",
                 range == HostRange::kUnmapped ? "" : "Pass hipHostRegisterReadOnly."});
}

hipError_t register_memory(void* pointer, std::size_t size, unsigned flags) {
  constexpr unsigned kAllFlags = hipHostRegisterPortable | hipHostRegisterMapped |
                                 hipHostRegisterIoMemory | hipHostRegisterReadOnly;
  if (!pointer || size == 0 || (flags & ~kAllFlags)) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  HIP_TRY(check_registrable(address_of(pointer), size, flags));
  if (!registrations().add(runtime.memory(), address_of(pointer), size,
                           (flags & hipHostRegisterReadOnly) == 0))
    return hipErrorHostMemoryAlreadyRegistered;
  remember_host_flags(address_of(pointer), flags);
  watch_registered(address_of(pointer), address_of(pointer) + size);
  return hipSuccess;
}

hipError_t unregister_memory(void* pointer) {
  if (!pointer) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  HIP_TRY(finish_everything());
  if (!registrations().remove(runtime.memory(), address_of(pointer)))
    return hipErrorHostMemoryNotRegistered;
  forget_host_flags(address_of(pointer));
  return hipSuccess;
}

}  // namespace

void remember_host_flags(std::uint64_t begin, unsigned flags) {
  const std::lock_guard lock(all_flags().mutex);
  all_flags().by_begin[begin] = flags;
}
void forget_host_flags(std::uint64_t begin) {
  const std::lock_guard lock(all_flags().mutex);
  all_flags().by_begin.erase(begin);
}
std::optional<unsigned> host_flags(std::uint64_t begin) {
  const std::lock_guard lock(all_flags().mutex);
  const auto found = all_flags().by_begin.find(begin);
  return found == all_flags().by_begin.end() ? std::nullopt : std::optional(found->second);
}

void drop_unmapped(Runtime& runtime) {
  for (const Allocation& gone : runtime.memory().drop_unmapped())
    say(
        fmt::format("the program unmapped {} bytes at {:#x}, which it had registered "
                    "(hipHostRegister): kernels can no longer access them",
                    gone.size, gone.begin));
}

std::string take_lost_memory() {
  const auto lost = take_lost();
  if (!lost) return {};
  return fmt::format(
      "the program unmapped or protected the memory at {:#x}, which it had "
      "registered (hipHostRegister). Unregister it first.",
      *lost);
}

extern "C" {

hipError_t hipHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return api([&] { return register_memory(pointer, size, flags); });
}
hipError_t hipHostUnregister(void* pointer) {
  return api([&] { return unregister_memory(pointer); });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
