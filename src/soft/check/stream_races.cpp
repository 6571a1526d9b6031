// SPDX-License-Identifier: MIT
#include "soft/check/stream_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "soft/check/accesses.h"

namespace hipwright::soft {

std::uint32_t StreamRaces::begin(std::uint32_t stream, Clock before, std::string what,
                                 std::string kernel) {
  const std::unique_lock lock(operations_mutex_);
  const std::uint32_t index = before[stream];
  operations_.push_back({stream, index, std::move(before), std::move(what), std::move(kernel)});
  return static_cast<std::uint32_t>(operations_.size());
}

// The elements of a deque stay where they are.
const StreamRaces::Operation& StreamRaces::operation(std::uint32_t number) const {
  const std::shared_lock lock(operations_mutex_);
  return operations_[number - 1];
}

bool StreamRaces::is_ordered(const Mark& earlier, const Now& now) const {
  if (earlier.operation == now.mark.operation) return true;
  const Operation& other = operation(earlier.operation);
  const Clock& before = now.operation->before;
  return other.stream < before.size() && before[other.stream] >= other.index;
}

std::shared_ptr<StreamRaces::Page> StreamRaces::page(std::uint64_t number) {
  const std::lock_guard lock(pages_mutex_);
  auto found = pages_.find(number);
  if (found != pages_.end()) return found->second;
  if (pages_.size() >= most_pages_) {
    if (!std::exchange(is_full_, true))
      findings_.add({.kind = FindingKind::kUncheckedRaces,
                     .what = fmt::format("only the first {} MiB that streams touch between two "
                                         "waits of the host are checked",
                                         (most_pages_ * kPageBytes) >> 20)});
    return nullptr;
  }
  return pages_.emplace(number, std::make_shared<Page>()).first->second;
}

void StreamRaces::visit(Cell& cell, const Now& now) {
  const auto conflicts = [&](const Mark& earlier) {
    return earlier.operation != 0 && (earlier.bytes & now.mark.bytes) != 0 &&
           !(earlier.atomic && now.mark.atomic) && !is_ordered(earlier, now);
  };
  if (conflicts(cell.write)) report(now, cell.write, true);
  if (!now.writes) {
    // The last reads of two streams are kept.
    const auto same = [&](const Mark& read) {
      return read.operation == 0 || operation(read.operation).stream == now.operation->stream;
    };
    const auto put = [&](Mark& read) {
      if (read.operation == now.mark.operation)
        read.bytes |= now.mark.bytes;
      else
        read = now.mark;
    };
    if (!same(cell.read[0]) && !same(cell.read[1])) cell.read[0] = cell.read[1];
    put(same(cell.read[0]) ? cell.read[0] : cell.read[1]);
    return;
  }
  for (const Mark& read : cell.read)
    if (conflicts(read)) report(now, read, false);
  if (cell.write.operation == now.mark.operation) {
    cell.write.bytes |= now.mark.bytes;
    cell.write.atomic &= now.mark.atomic;
  } else {
    cell.write = now.mark;
  }
  cell.read = {};
}

void StreamRaces::visit(Now& now, std::uint64_t begin, std::uint64_t size) {
  const std::uint64_t end = begin + size;
  std::shared_ptr<Page> found;
  std::unique_lock<std::mutex> lock;
  std::uint64_t number = ~std::uint64_t{0};
  for (std::uint64_t at = begin & ~std::uint64_t{3}; at < end; at += 4) {
    if (at / kPageBytes != number) {
      if (lock) lock.unlock();
      number = at / kPageBytes;
      found = page(number);
      if (found) lock = std::unique_lock(found->mutex);
    }
    if (!found) continue;
    const std::uint64_t first = std::max(begin, at) - at, last = std::min(end, at + 4) - at;
    now.mark.bytes = static_cast<std::uint8_t>(((1U << last) - 1) & ~((1U << first) - 1));
    now.address = std::max(begin, at);
    visit(found->cells[at % kPageBytes / 4], now);
  }
}

void StreamRaces::touch(std::uint32_t number, std::uint64_t begin, std::uint64_t size, bool writes,
                        const Memory& memory) {
  if (number == 0 || !memory.find(begin)) return;  // the program's own memory
  Now now{.operation = &operation(number), .writes = writes, .memory = &memory};
  now.mark.operation = number;
  visit(now, begin, size);
}

void StreamRaces::access(std::uint32_t number, const Wave& wave, const Inst& inst,
                         const Access& access, bool atomic) {
  if (number == 0) return;
  Now now{.operation = &operation(number),
          .writes = access.kind != AccessKind::kLoad,
          .memory = &wave.group->lookups->memory(),
          .wave = &wave,
          .inst = &inst,
          .access = &access};
  now.mark.operation = number;
  now.mark.atomic = atomic;
  std::uint64_t before = ~std::uint64_t{0};
  for (std::uint64_t rest = access.mask; rest != 0; rest &= rest - 1) {
    now.lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t begin = access.addresses[now.lane];
    if (begin != before) visit(now, begin, access.bytes);
    before = begin;
  }
}

void StreamRaces::forget(std::uint64_t begin, std::uint64_t size) {
  if (!enabled_) return;
  const std::uint64_t end = begin + size;
  const std::lock_guard lock(pages_mutex_);
  for (std::uint64_t at = begin & ~std::uint64_t{3}; at < end;) {
    const std::uint64_t next = std::min(end, (at / kPageBytes + 1) * kPageBytes);
    if (const auto found = pages_.find(at / kPageBytes); found != pages_.end()) {
      const std::lock_guard page_lock(found->second->mutex);
      for (; at < next; at += 4) found->second->cells[at % kPageBytes / 4] = {};
    }
    at = next;
  }
}

void StreamRaces::forget_all() {
  const std::scoped_lock lock(pages_mutex_, operations_mutex_);
  pages_.clear();
  operations_.clear();
}

void StreamRaces::report(const Now& now, const Mark& earlier, bool earlier_writes) {
  const Operation& other = operation(earlier.operation);
  const auto found = now.memory->find(now.address);
  // The runtime's own memory: printf and malloc of kernels take care of themselves.
  if (found && found->kind == MemoryKind::kInternal) return;
  const std::uint64_t place =
      now.inst ? now.inst->address
               : std::hash<std::string>{}(other.what + '\n' + now.operation->what);
  if (!findings_.is_new(FindingKind::kStreamRace, place)) return;
  CheckFinding finding;
  finding.kind = FindingKind::kStreamRace;
  finding.kernel = now.wave ? kernel_of(*now.wave) : other.kernel;
  finding.memory = now.address;
  if (now.wave) {
    finding.place = place_of(*now.wave, *now.inst);
    finding.actor = actor_of(*now.wave, now.lane);
  }
  std::string where = fmt::format("{:#x}", now.address);
  if (found)
    where += fmt::format(", {} bytes into allocation #{} ({} bytes)", now.address - found->begin,
                         found->id, found->size);
  finding.what = fmt::format(
      "{} at {}: {} of another stream {} it, and no event and no wait of the "
      "host comes between the two",
      now.access ? text_of(*now.access) : now.operation->what, where, other.what,
      earlier_writes ? "writes" : "reads");
  findings_.add(std::move(finding));
}

}  // namespace hipwright::soft
