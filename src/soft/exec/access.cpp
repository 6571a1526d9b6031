// SPDX-License-Identifier: MIT
#include "soft/exec/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "soft/exec/watch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hipwright::soft {

namespace {

// All addresses of an access: they are `first` with some of the bits of `spread` flipped.
struct Span {
  std::uint64_t first = 0;   // the address of the first lane
  std::uint64_t spread = 0;  // bits in which any lane differs from it
};

Span span_of_lanes(const std::uint64_t* addresses, std::uint64_t mask) {
  Span span{.first = addresses[std::countr_zero(mask)]};
  for (; mask != 0; mask &= mask - 1) span.spread |= addresses[std::countr_zero(mask)] ^ span.first;
  return span;
}

#if defined(__x86_64__)
// `rows`: all ones where a lane takes part; nullptr: all do.
[[gnu::target("avx2")]] Span span_avx2(const std::uint64_t* addresses, std::uint64_t mask,
                                       unsigned lanes, const std::uint32_t* rows) {
  const std::uint64_t first = addresses[std::countr_zero(mask)];
  const __m256i reference = _mm256_set1_epi64x(static_cast<long long>(first));
  __m256i spread = _mm256_setzero_si256();
  for (unsigned i = 0; i < lanes; i += 4) {
    const __m256i address = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(addresses + i));
    __m256i difference = _mm256_xor_si256(address, reference);
    if (rows) {
      const __m128i active = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + i));
      difference = _mm256_and_si256(difference, _mm256_cvtepi32_epi64(active));
    }
    spread = _mm256_or_si256(spread, difference);
  }
  const __m128i half =
      _mm_or_si128(_mm256_castsi256_si128(spread), _mm256_extracti128_si256(spread, 1));
  return {.first = first,
          .spread = static_cast<std::uint64_t>(_mm_extract_epi64(half, 0)) |
                    static_cast<std::uint64_t>(_mm_extract_epi64(half, 1))};
}

bool machine_has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif

Span span_of(const Wave& wave, const Access& access) {
#if defined(__x86_64__)
  // A scalar access has one address, not a row of them.
  if (machine_has_avx2() && !access.scalar) {
    if (access.mask == wave.full_exec)
      return span_avx2(access.addresses, access.mask, wave.lanes, nullptr);
    if (access.mask == wave.exec)
      return span_avx2(access.addresses, access.mask, wave.lanes, wave.exec_row.data());
  }
#endif
  return span_of_lanes(access.addresses, access.mask);
}

// Only atomics need natural alignment: it makes them atomic on the host.
std::uint64_t alignment_mask(const Access& access) {
  return access.kind == AccessKind::kAtomic && std::has_single_bit(access.bytes)
             ? std::min(access.bytes, 8U) - 1U
             : 0;
}

bool in_bounds(Wave& wave, const Access& access, std::uint64_t begin, std::uint64_t end) {
  if (end <= begin) return false;  // beyond 2⁶⁴: no access is empty
  switch (access.space) {
    case Space::kLds:
      return end <= wave.group->lds_size;
    case Space::kScratch:
      return end <= wave.group->scratch_per_lane;
    case Space::kGlobal:
      break;
  }
  const Allocation* found = wave.group->lookups->find(begin, end);
  return found && (found->writable || access.kind == AccessKind::kLoad);
}

// The lanes that are outside or misaligned, found one by one.
std::uint64_t bad_lanes(Wave& wave, const Access& access) {
  const std::uint64_t alignment = alignment_mask(access);
  std::uint64_t bad = 0;
  for (std::uint64_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint64_t address = access.addresses[lane];
    if ((address & alignment) != 0 || !in_bounds(wave, access, address, address + access.bytes))
      bad |= std::uint64_t{1} << lane;
  }
  return bad;
}

std::uint64_t lanes_nowhere(const Access& access, std::uint64_t bad) {
  if (access.space != Space::kLds || access.kind == AccessKind::kAtomic) return 0;
  std::uint64_t nowhere = 0;
  for (std::uint64_t rest = bad; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (is_nowhere_in_lds(access.addresses[lane])) nowhere |= std::uint64_t{1} << lane;
  }
  return nowhere;
}

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return "load";
    case AccessKind::kStore:
      return "store";
    case AccessKind::kAtomic:
      break;
  }
  return "atomic";
}

// Where a global address lies, seen from the allocations around it.
std::string whereabouts(const Memory& memory, std::uint64_t address, unsigned bytes) {
  if (address < 4096) return "a null pointer";
  const Memory::Neighbours around = memory.around(address);
  if (around.below && address < around.below->end()) {
    if (address + bytes > around.below->end())
      return fmt::format("it reaches {} bytes past the end of the allocation of {} bytes at {:#x}",
                         address + bytes - around.below->end(), around.below->size,
                         around.below->begin);
    if (around.below->writable)
      return fmt::format(
          "the {} bytes at {:#x} belong to device {}, to which this one has no peer "
          "access",
          around.below->size, around.below->begin, around.below->owner);
    return fmt::format("the {} bytes at {:#x} are read-only", around.below->size,
                       around.below->begin);
  }
  if (around.freed)
    return fmt::format("{} bytes into the allocation of {} bytes at {:#x}, which was freed",
                       address - around.freed->begin, around.freed->size, around.freed->begin);
  const std::uint64_t after = around.below ? address - around.below->end() : ~0ULL;
  const std::uint64_t before = around.above ? around.above->begin - address : ~0ULL;
  if (std::min(after, before) > (1ULL << 30)) return "no allocation is nearby";
  if (after <= before)
    return fmt::format("{} bytes after the end of the allocation of {} bytes at {:#x}", after,
                       around.below->size, around.below->begin);
  return fmt::format("{} bytes before the allocation of {} bytes at {:#x}", before,
                     around.above->size, around.above->begin);
}

Fault fault_of(const Wave& wave, const Inst& inst, const Access& access, unsigned lane) {
  const std::uint64_t address = access.addresses[lane];
  std::string what;
  if ((address & alignment_mask(access)) != 0) {
    what = fmt::format("misaligned atomic of {} bytes at {:#x}: it must be a multiple of {}",
                       access.bytes, address, alignment_mask(access) + 1);
  } else {
    const std::string_view kind = verb(access.kind);
    switch (access.space) {
      case Space::kLds:
        what = fmt::format("{} of {} bytes at offset {:#x} of LDS: the workgroup has {} bytes",
                           kind, access.bytes, address, wave.group->lds_size);
        break;
      case Space::kScratch:
        what = fmt::format("{} of {} bytes at offset {:#x} of scratch: a lane has {} bytes", kind,
                           access.bytes, address, wave.group->scratch_per_lane);
        break;
      case Space::kGlobal:
        what = fmt::format("{} of {} bytes at {:#x}: {}", kind, access.bytes, address,
                           whereabouts(wave.group->lookups->memory(), address, access.bytes));
        break;
    }
  }
  return {.kind = Fault::Kind::kBadAddress,
          .inst = &inst,
          .address = address,
          .lane = lane,
          .bytes = access.bytes,
          .write = access.kind != AccessKind::kLoad,
          .what = std::move(what)};
}

// Some lanes cannot continue: the checks decide whether the others do.
std::uint64_t admit_part(Wave& wave, const Inst& inst, const Access& access, std::uint64_t bad) {
  if (wave.watch && wave.watch->bad_address(wave, inst, access, bad)) return access.mask & ~bad;
  const auto lane = static_cast<unsigned>(std::countr_zero(bad));
  wave.stop(fault_of(wave, inst, access, lane));
  return 0;
}

}  // namespace

std::uint64_t admit(Wave& wave, const Inst& inst, const Access& wanted) {
  Access access = wanted;
  if (access.scalar) access.mask = 1;
  if (access.mask == 0 || wave.state == WaveState::kFault) [[unlikely]]
    return 0;
  const Span span = span_of(wave, access);
  const bool aligned = ((span.first | span.spread) & alignment_mask(access)) == 0;
  // Usually the least and the greatest address that such bits can make are both inside; else lanes
  // are looked at one by one.
  if (!aligned || !in_bounds(wave, access, span.first & ~span.spread,
                             (span.first | span.spread) + access.bytes)) {
    const std::uint64_t bad = bad_lanes(wave, access);
    const std::uint64_t nowhere = lanes_nowhere(access, bad);
    access.mask &= ~nowhere;
    if (bad != nowhere) access.mask = admit_part(wave, inst, access, bad & ~nowhere);
  }
  if (wave.watch && access.mask != 0) wave.watch->access(wave, inst, access);
  return access.mask;
}

}  // namespace hipwright::soft
