// SPDX-License-Identifier: MIT
// A workgroup: its waves, its LDS, its scratch memory, its barriers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "soft/exec/code_source.h"
#include "soft/exec/launch_state.h"
#include "soft/exec/memory.h"
#include "soft/exec/wave.h"

namespace hipwright::soft {

// FLAT addresses inside these 4 GiB windows are LDS and scratch.
constexpr std::uint64_t kSharedAperture = 0x0001'0000'0000'0000ULL;
constexpr std::uint64_t kPrivateAperture = 0x0002'0000'0000'0000ULL;
constexpr std::uint64_t kApertureSize = 1ULL << 32;

struct Barrier {
  unsigned members = 0;  // waves that must arrive
  unsigned arrived = 0;
  std::uint64_t phase = 0;  // completed rounds
};

struct Workgroup {
  const LaunchState* launch = nullptr;
  CodeSource* program = nullptr;
  LookupCache* lookups = nullptr;  // of the thread that runs the group
  std::array<std::uint32_t, 3> id{};
  std::uint64_t number = 0;  // linear id in the grid
  std::vector<Wave> waves;

  std::uint8_t* lds = nullptr;
  std::uint32_t lds_size = 0;  // static + dynamic, in whole granules unless Engine::exact_bounds

  // Scratch of one wave is dword-interleaved, as the hardware swizzles it: dword d of lane l is
  // at scratch(wave) + (d × lanes + l) × 4.
  std::uint8_t* scratch = nullptr;
  std::uint32_t scratch_per_lane = 0;  // bytes, a multiple of 4
  std::uint8_t* scratch_of(const Wave& wave) const {
    return scratch + std::size_t{wave.id} * scratch_per_lane * wave.lanes;
  }

  Barrier barrier;                // s_barrier; the -1 barrier of gfx12
  std::array<Barrier, 17> named;  // gfx12: named barriers 1…16
};

}  // namespace hipwright::soft
