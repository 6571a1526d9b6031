// SPDX-License-Identifier: MIT
// Where the elements of MFMA's matrices lie: lanes and registers from the shape alone, as AMD's
// matrix instruction calculator documents them. Rows of a matrix that belong together are always
// in consecutive lanes, so a place is a register and its first lane.
#pragma once

#include <cstdint>

#include "soft/exec/ops/ops.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

constexpr unsigned kMfmaLanes = 64;

// M = N always; `k` counts the elements that are stored (half of K for a sparse A).
struct MfmaInput {
  unsigned m, k, blocks, bits;

  // Lanes are filled with all rows of all blocks, then with the next run of k.
  constexpr unsigned runs() const { return kMfmaLanes / (m * blocks); }
  constexpr unsigned run_length() const { return k / runs(); }
  constexpr unsigned lane(unsigned block, unsigned at) const {
    return (at / run_length() * blocks + block) * m;
  }
  // Elements of a run are packed into consecutive registers.
  constexpr unsigned bit(unsigned at) const { return at % run_length() * bits; }
};

struct MfmaOutput {
  unsigned m, blocks, bits;

  // A register holds bands of 4 rows (1 row of 64-bit elements), one below the other in the lanes.
  constexpr unsigned band() const { return bits == 64 ? 1 : 4; }
  constexpr unsigned bands_per_register() const { return kMfmaLanes / m; }
  // Small blocks share a register.
  constexpr unsigned blocks_per_register() const {
    const unsigned lanes = m * m / band();
    return lanes >= kMfmaLanes ? 1 : kMfmaLanes / lanes;
  }
  // In units of elements: times two for 64-bit ones.
  constexpr unsigned slot(unsigned block, unsigned i) const {
    return block * (m * m / kMfmaLanes) + i / (band() * bands_per_register()) * band() + i % band();
  }
  constexpr unsigned lane(unsigned block, unsigned i) const {
    return block % blocks_per_register() * m +
           i / band() % bands_per_register() * blocks_per_register() * m;
  }
  constexpr unsigned slots() const { return slot(blocks - 1, m - 1) + 1; }
};

// cbsz broadcasts one block of A to 2^cbsz blocks; abid says which.
constexpr unsigned broadcast_block(unsigned block, unsigned cbsz, unsigned abid) {
  return (block >> cbsz << cbsz) + abid;
}

// blgp: the lane of B that a lane reads, ((lane + turn) & mask) + first. A table, because clang 22
// miscompiles the loop over lanes of a switch (-O3 -mavx2).
struct LanePattern {
  unsigned turn, mask, first;
};
constexpr LanePattern kLanePatterns[] = {{0, 63, 0}, {0, 31, 0},  {0, 31, 32}, {16, 63, 0},
                                         {0, 15, 0}, {0, 15, 16}, {0, 15, 32}, {0, 15, 48}};
constexpr unsigned pattern_lane(unsigned lane, const LanePattern& pattern) {
  return ((lane + pattern.turn) & pattern.mask) + pattern.first;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
