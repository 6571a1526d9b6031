// SPDX-License-Identifier: MIT
#include "soft/exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

namespace hipwright::soft {

namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kGap = 256;  // never allocated, behind every allocation
constexpr std::uint64_t kPage = 4096;
// From here on an allocation is its own mapping: its pages come zeroed, when first touched.
constexpr std::uint64_t kLarge = std::uint64_t{64} << 10;
constexpr std::uint64_t kQuarantineBytes = std::uint64_t{256} << 20;
constexpr std::size_t kQuarantineEntries = 4096;
constexpr std::uint64_t kBlock = 8192;  // what borrow() hands out

std::uint64_t rounded_up(std::uint64_t size, std::uint64_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Whether it is memory of a device.
bool counts(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kManaged;
}

bool is_mapping(std::uint64_t reach) {
  return reach >= kLarge;
}
// Memory of a device has its pages for itself, so that they can be shared with other processes.
std::uint64_t mapped_size(std::uint64_t reach, MemoryKind kind) {
  if (is_mapping(reach)) return rounded_up(reach + kGap, kPage);
  return rounded_up(counts(kind) ? rounded_up(reach, kPage) + kGap : reach + kGap, kAlignment);
}

void* obtain(std::uint64_t reach, MemoryKind kind) {
  const std::uint64_t bytes = mapped_size(reach, kind);
  if (is_mapping(reach)) {
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapped == MAP_FAILED ? nullptr : mapped;
  }
  void* block = nullptr;
  if (posix_memalign(&block, counts(kind) ? kPage : kAlignment, bytes) != 0) return nullptr;
  // Zeros make a wrong kernel fail the same way every time.
  std::memset(block, 0, bytes);
  return block;
}

void* pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

void unmap(const Allocation& allocation) {
  if (is_mapping(allocation.reach))
    munmap(pointer(allocation.begin), mapped_size(allocation.reach, allocation.kind));
  else
    std::free(pointer(allocation.begin));
}

}  // namespace

Memory::Memory(std::uint64_t limit, Bounds bounds) : limit_(limit), bounds_(bounds) {}

Memory::~Memory() {
  for (const auto& [begin, allocation] : table_)
    if (allocation.owned) unmap(allocation);
  for (const Freed& freed : quarantine_) unmap(freed.allocation);
}

const Allocation* Memory::holder(std::uint64_t address) const {
  const auto next = table_.upper_bound(address);
  if (next == table_.begin()) return nullptr;
  const Allocation& candidate = std::prev(next)->second;
  return address - candidate.begin < candidate.size ? &candidate : nullptr;
}

std::optional<Allocation> Memory::last_before(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const auto next = table_.upper_bound(address);
  return next == table_.begin() ? std::nullopt : std::optional(std::prev(next)->second);
}

Status Memory::insert(Allocation allocation) {
  const auto next = table_.upper_bound(allocation.begin);
  const Allocation* hit = nullptr;
  if (next != table_.end() && next->first - allocation.begin < allocation.size) hit = &next->second;
  if (next != table_.begin()) {
    const Allocation& last = std::prev(next)->second;
    if (allocation.begin - last.begin < std::max<std::uint64_t>(last.size, 1)) hit = &last;
  }
  if (hit)
    return fail("cannot register memory", fmt::format("{:#x}", allocation.begin),
                fmt::format("{} bytes at {:#x} overlap {} bytes at {:#x}", allocation.size,
                            allocation.begin, hit->size, hit->begin));
  allocation.id = next_id_++;
  if (!allocation.owned) ++registered_;
  table_.emplace_hint(next, allocation.begin, allocation);
  changed();
  return {};
}

std::uint64_t Memory::free(unsigned owner) const {
  const auto rest = [](std::uint64_t limit, std::uint64_t used) {
    return limit - std::min(limit, used);
  };
  return std::min(rest(limit(owner), used(owner)), rest(limit(), used()));
}

Result<std::uint64_t> Memory::allocate(std::uint64_t size, MemoryKind kind, bool writable,
                                       unsigned owner) {
  size = std::max<std::uint64_t>(size, 1);
  const std::lock_guard lock(mutex_);
  const std::uint64_t used = used_.load(std::memory_order_relaxed);
  if (size > limit_ || used > limit_ - size)
    return fail("cannot allocate device memory", fmt::format("{} bytes", size),
                fmt::format("{} of {} bytes are in use", used, limit_));
  if (counts(kind) && size > free(owner))
    return fail("cannot allocate device memory", fmt::format("{} bytes", size),
                fmt::format("{} of {} bytes are in use", this->used(owner), limit(owner)));
  const bool pages =
      bounds_ == Bounds::kPages && kind != MemoryKind::kInternal && kind != MemoryKind::kCode;
  const std::uint64_t reach = pages ? rounded_up(size, kPage) : size;
  void* block = obtain(reach, kind);
  if (!block)
    return fail("cannot allocate device memory", fmt::format("{} bytes", size),
                "the host has no memory left");
  const auto begin = reinterpret_cast<std::uint64_t>(block);
  const Allocation allocation{.begin = begin,
                              .size = size,
                              .reach = reach,
                              .kind = kind,
                              .writable = writable,
                              .owner = static_cast<std::uint8_t>(owner)};
  if (auto inserted = insert(allocation); !inserted) {
    unmap(allocation);
    return std::unexpected(std::move(inserted).error());
  }
  if (kind != MemoryKind::kInternal) used_.fetch_add(size, std::memory_order_relaxed);
  if (counts(kind)) shares_[owner].used.fetch_add(size, std::memory_order_relaxed);
  return begin;
}

Result<std::uint64_t> Memory::borrow(std::uint64_t size) {
  if (size > kBlock) return allocate(size, MemoryKind::kInternal);
  {
    const std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      const std::uint64_t begin = spare_.back();
      spare_.pop_back();
      std::memset(pointer(begin), 0, size);
      return begin;
    }
  }
  return allocate(kBlock, MemoryKind::kInternal);
}

void Memory::give_back(std::uint64_t begin, std::uint64_t size) {
  if (size > kBlock) {
    static_cast<void>(release(begin));  // borrow() allocated it
    return;
  }
  const std::lock_guard lock(mutex_);
  spare_.push_back(begin);
}

Result<Allocation> Memory::remove(std::uint64_t begin, bool owned, std::string_view what) {
  const auto at = table_.find(begin);
  if (at == table_.end()) {
    const Allocation* inside = holder(begin);
    const bool freed = std::any_of(quarantine_.begin(), quarantine_.end(), [&](const Freed& entry) {
      return entry.allocation.begin == begin;
    });
    return fail(std::string(what), fmt::format("{:#x}", begin),
                inside  ? fmt::format("it lies inside the allocation of {} bytes at {:#x}",
                                      inside->size, inside->begin)
                : freed ? "it was freed before"
                        : "no allocation begins there");
  }
  const Allocation found = at->second;
  if (found.owned != owned)
    return fail(std::string(what), fmt::format("{:#x}", begin),
                owned ? "it was registered, not allocated" : "it was allocated, not registered");
  if (!owned) --registered_;
  table_.erase(at);
  changed();
  return found;
}

void Memory::give_up_oldest() {
  const Freed oldest = quarantine_.front();
  quarantine_.pop_front();
  quarantined_ -= oldest.mapped;
  unmap(oldest.allocation);
}

Status Memory::release(std::uint64_t begin) {
  const std::lock_guard lock(mutex_);
  HW_TRY(const Allocation freed, remove(begin, true, "cannot free device memory"));
  if (freed.kind != MemoryKind::kInternal) used_.fetch_sub(freed.size, std::memory_order_relaxed);
  if (counts(freed.kind))
    shares_[freed.owner].used.fetch_sub(freed.size, std::memory_order_relaxed);
  const std::uint64_t mapped = mapped_size(freed.reach, freed.kind);
  if (is_mapping(freed.reach)) madvise(pointer(begin), mapped, MADV_DONTNEED);
  quarantine_.push_back({.allocation = freed, .mapped = mapped});
  quarantined_ += mapped;
  while (!quarantine_.empty() && (quarantined_ > std::min(kQuarantineBytes, limit_ / 4) ||
                                  quarantine_.size() > kQuarantineEntries))
    give_up_oldest();
  return {};
}

Status Memory::register_range(std::uint64_t begin, std::uint64_t size, MemoryKind kind,
                              bool writable, unsigned owner) {
  if (begin == 0 || size == 0 || begin + size < begin)
    return fail("cannot register memory", fmt::format("{:#x}", begin),
                fmt::format("{} bytes from there are not a memory range", size));
  const std::lock_guard lock(mutex_);
  return insert({.begin = begin,
                 .size = size,
                 .reach = size,
                 .kind = kind,
                 .writable = writable,
                 .owned = false,
                 .owner = static_cast<std::uint8_t>(owner)});
}

Status Memory::unregister(std::uint64_t begin) {
  const std::lock_guard lock(mutex_);
  HW_CHECK(remove(begin, false, "cannot unregister memory"));
  return {};
}

std::vector<Allocation> Memory::drop_unmapped() {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation> dropped;
  if (registered_ == 0) return dropped;
  for (auto at = table_.begin(); at != table_.end();) {
    const Allocation& each = at->second;
    // Without flags that write, it only tells whether all pages are mapped.
    const std::uint64_t page = each.begin / kPage * kPage;
    if (each.owned || msync(pointer(page), each.end() - page, MS_ASYNC) == 0 || errno != ENOMEM) {
      ++at;
      continue;
    }
    dropped.push_back(each);
    --registered_;
    at = table_.erase(at);
  }
  if (!dropped.empty()) changed();
  return dropped;
}

std::optional<Allocation> Memory::find(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const Allocation* found = holder(address);
  return found ? std::optional(*found) : std::nullopt;
}

Memory::Neighbours Memory::around(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  Neighbours result;
  const auto next = table_.upper_bound(address);
  if (next != table_.end()) result.above = next->second;
  if (next != table_.begin()) result.below = std::prev(next)->second;
  for (const Freed& entry : quarantine_)
    if (address - entry.allocation.begin < entry.allocation.size) result.freed = entry.allocation;
  return result;
}

std::vector<Allocation> Memory::live() const {
  const std::shared_lock lock(mutex_);
  std::vector<Allocation> all;
  all.reserve(table_.size());
  for (const auto& [begin, allocation] : table_) all.push_back(allocation);
  return all;
}

void LookupCache::forget() {
  // The version first: entries that are newer than it only mean one more refresh.
  version_ = memory_.version();
  entries_ = {};
}

const Allocation* LookupCache::miss(std::uint64_t begin, std::uint64_t end) {
  if (begin > end) return nullptr;
  const std::optional<Allocation> found = memory_.last_before(begin);
  if (!found || end - found->begin > found->reach) return nullptr;
  if (found->kind == MemoryKind::kDevice && !(owners_ >> found->owner & 1)) return nullptr;
  Allocation& entry = entries_[victim_];
  victim_ = (victim_ + 1) % entries_.size();
  entry = *found;
  return &entry;
}

}  // namespace hipwright::soft
