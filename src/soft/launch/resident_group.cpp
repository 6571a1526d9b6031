// SPDX-License-Identifier: MIT
#include "soft/launch/resident_group.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

namespace hipwright::soft {

namespace {

// Rows behind the last register: an operand of many registers that begins at the last one stays
// inside the wave's memory.
constexpr unsigned kSpareRows = 64;

}  // namespace

Pages::~Pages() {
  if (data_) munmap(data_, size_);
}

bool Pages::reserve(std::uint64_t size) {
  if (size <= size_) return true;
  constexpr std::uint64_t kUnit = 65536;
  const std::uint64_t rounded = (size + kUnit - 1) / kUnit * kUnit;
  void* mapped = mmap(nullptr, rounded, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  if (data_) munmap(data_, size_);
  data_ = static_cast<std::uint8_t*>(mapped);
  size_ = rounded;
  return true;
}

void Pages::clear(std::uint64_t size) {
  constexpr std::uint64_t kCheapToWrite = 1 << 20;
  if (size <= kCheapToWrite)
    std::memset(data_, 0, size);
  else
    madvise(data_, size_, MADV_DONTNEED);
}

Status Resident::attach(const LaunchPlan& plan) {
  const std::uint64_t per_wave = std::uint64_t{kVectorRows + kSpareRows} * plan.wave_size * 4;
  if (!vectors_.reserve(per_wave * plan.waves) || !lds_.reserve(plan.lds_size) ||
      !scratch_.reserve(plan.scratch_bytes))
    return fail("cannot run the kernel", plan.kernel->info->name,
                "the host has no memory for registers, LDS and scratch");
  if (group.waves.size() != plan.waves) group.waves = std::vector<Wave>(plan.waves);
  for (unsigned i = 0; i < plan.waves; ++i)
    group.waves[i].vectors = reinterpret_cast<std::uint32_t*>(vectors_.data() + i * per_wave);
  group.lds = lds_.data();
  group.scratch = scratch_.data();
  if (plan.scratch_bytes != 0) scratch_.clear(plan.scratch_bytes);
  return {};
}

}  // namespace hipwright::soft
