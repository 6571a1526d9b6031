// SPDX-License-Identifier: MIT
// Inline assembly in NVIDIA's language stands where AMD's compiler reads it.
//
// ## What it finds
//
// `asm` statements whose text is PTX (`mov.u32`, `ld.global`, `cvt.rn`, …) and that no `#if` keeps
// from AMD.
//
// ## Why it matters
//
// AMD's assembler does not know the instructions: "invalid instruction". In a template the error
// comes only when somebody uses it.
//
// ## Example
//
// ```cuda
// unsigned lane;
// asm("mov.u32 %0, %laneid;" : "=r"(lane));
// ```
//
// ## Use instead
//
// A function that both compilers have, or a branch for each:
//
// ```cuda
// #ifdef USE_ROCM
// unsigned lane = __lane_id();
// #else
// unsigned lane;
// asm("mov.u32 %0, %laneid;" : "=r"(lane));
// #endif
// ```
//
// ## When it is not a bug
//
// - The text is AMD's (`v_`, `s_`, `global_`) or the host's.
// - An empty text, which only keeps the compiler from moving code.
// - A macro of the project decides: it mostly names what NVIDIA's hardware can do.
// - The file is one that only NVIDIA builds, or that nothing but NVIDIA's hardware can run
// (`wgmma`, `ldmatrix`).
#include <fmt/format.h>

#include "lint/cuda/assembly.h"
#include "lint/cuda/lanes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Truth;

void find(CudaCheck& check) {
  const syntax::cuda::File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  for (const Assembly& each : assembly(file)) {
    // Unknown macros around assembly are mostly names of what the hardware can do.
    const Truth compiled = file.compiled(each.keyword, syntax::cuda::Platform::kAmd);
    if (compiled != Truth::kYes || check.on_amd(each.keyword) == Truth::kNo) continue;
    const std::string instruction = ptx_instruction(each.text);
    if (instruction.empty()) continue;
    check.report(file.span(each.keyword), Confidence::kHigh,
                 fmt::format("PTX ({}) that AMD's assembler does not know", instruction));
  }
}

}  // namespace

Rule inline_ptx() {
  return {.code = "HW801",
          .name = "inline-ptx",
          .summary = "inline PTX that AMD's compiler sees",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = assembly_names(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
