// SPDX-License-Identifier: MIT
// A wave on the bench: registers are set, assembly text is run, registers are read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "soft/decode/program.h"
#include "soft/decode/targets.h"
#include "soft/launch/launch.h"

namespace hipwright::soft {

// Machine code for `gfx`; one instruction per line. LLVM's message is in the error.
Result<std::vector<std::uint8_t>> assemble(std::string_view gfx, unsigned wave_size,
                                           std::string_view text);

class Lab {
 public:
  // wave_size 0: the target's default. LDS of 64 KiB, scratch of 1 KiB per lane.
  explicit Lab(std::string_view gfx, unsigned wave_size = 0);
  ~Lab();

  Wave& wave() { return *wave_; }
  Workgroup& group() { return *group_; }
  Memory& memory() { return *memory_; }
  unsigned lanes() const;

  // Registers by lane. 64-bit values take `row` and `row + 1`.
  std::uint32_t v(unsigned row, unsigned lane) const;
  void set_v(unsigned row, unsigned lane, std::uint32_t value);
  std::uint64_t v64(unsigned row, unsigned lane) const;
  void set_v64(unsigned row, unsigned lane, std::uint64_t value);
  std::uint32_t s(unsigned index) const;
  void set_s(unsigned index, std::uint32_t value);
  std::uint64_t s64(unsigned index) const;
  void set_s64(unsigned index, std::uint64_t value);

  // Assembles and runs straight-line or branching code up to its end (an s_endpgm is added).
  // Fails the current test when the text does not assemble. The wave's registers stay as they
  // are; look at wave().state and wave().fault for faults.
  void run(std::string_view text);
  // Whether the target's assembler takes the text: tests run on every target that has it.
  bool accepts(std::string_view text) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  Wave* wave_ = nullptr;
  Workgroup* group_ = nullptr;
  Memory* memory_ = nullptr;
};

// Values that find mistakes: NaNs (quiet and signalling), infinities, zeros, denormals, extremes,
// powers of two and their neighbours; then random bits. `count` in all, the same every time.
std::vector<std::uint32_t> interesting_f32(unsigned count, std::uint64_t seed = 1);
std::vector<std::uint64_t> interesting_f64(unsigned count, std::uint64_t seed = 1);
std::vector<std::uint16_t> interesting_f16(unsigned count, std::uint64_t seed = 1);
std::vector<std::uint32_t> interesting_i32(unsigned count, std::uint64_t seed = 1);
std::vector<std::uint64_t> interesting_i64(unsigned count, std::uint64_t seed = 1);

// One of each instruction set: "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100",
// "gfx1201".
const std::vector<std::string>& all_targets();

}  // namespace hipwright::soft
