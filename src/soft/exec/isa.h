// SPDX-License-Identifier: MIT
// Which hardware rules apply: one value for all targets that share their instructions.
#pragma once

#include <cstdint>

namespace hipwright::soft {

enum class Isa : std::uint8_t { kGfx908, kGfx90a, kGfx942, kGfx950, kGfx10, kGfx11, kGfx12 };
constexpr bool is_gfx9(Isa isa) {
  return isa <= Isa::kGfx950;
}
constexpr bool is_gfx942_or_gfx950(Isa isa) {
  return isa == Isa::kGfx942 || isa == Isa::kGfx950;
}
// The kernel itself adds up where its scratch is; on the others the hardware knows.
constexpr bool computes_scratch_base(Isa isa) {
  return isa <= Isa::kGfx90a || isa == Isa::kGfx10;
}
// x, y and z of the thread in v0, v1 and v2; elsewhere all three in v0.
constexpr bool has_unpacked_thread_ids(Isa isa) {
  return isa == Isa::kGfx908 || isa == Isa::kGfx10;
}
// Accumulation registers in a file of their own, of the same size.
constexpr bool has_separate_accumulators(Isa isa) {
  return isa == Isa::kGfx908;
}
constexpr bool has_fp8(Isa isa) {
  return is_gfx942_or_gfx950(isa) || isa == Isa::kGfx12;
}
// Atomic stores of the device scope are plain ones, and f32 additions in memory lose denormals
// (LLVM: memory-atomic-fadd-f32-denormal-support).
constexpr bool has_plain_memory_atomics(Isa isa) {
  return !is_gfx942_or_gfx950(isa) && isa != Isa::kGfx12;
}

}  // namespace hipwright::soft
