// SPDX-License-Identifier: MIT
// The configurations that autotune tries for a matrix product set no option of the AMD backend.
//
// ## What it finds
//
// `@triton.autotune` with tiles of three sides (`BLOCK_M`, `BLOCK_N` and `BLOCK_K`, in their usual
// spellings) in a file that never names `waves_per_eu`, `matrix_instr_nonkdim` or `kpack`. A note.
//
// ## Why it matters
//
// AMD's backend has options of its own: `waves_per_eu` limits the registers so that more waves fit
// on a SIMD, `matrix_instr_nonkdim` selects the 16×16 or the 32×32 matrix instruction, `kpack` how
// operands are packed in shared memory (not on gfx950). The best configuration for NVIDIA is rarely
// the best for AMD, and without these options autotune cannot find it.
//
// ## Example
//
// ```python
// @triton.autotune([triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 32}, num_warps=8)],
// key=["m"])
// ```
//
// ## Use instead
//
// ```python
// configs = [
//     triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 32, "waves_per_eu": 2,
//                    "matrix_instr_nonkdim": 16}, num_warps=8, num_stages=2),
// ] if is_hip() else cuda_configs
// ```
//
// ## When it is not a bug
//
// It is never a bug: results are the same.
#include <string_view>

#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/function_scope.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kAutotune("autotune");
constexpr std::string_view kDepths[] = {"BLOCK_K", "BLOCK_SIZE_K", "\"BK\"", "'BK'", "TILE_K"};
constexpr std::string_view kRows[] = {"BLOCK_M", "BLOCK_SIZE_M", "\"BM\"", "'BM'", "TILE_M"};
constexpr std::string_view kOptions[] = {"waves_per_eu", "matrix_instr_nonkdim", "kpack"};

template <std::size_t N>
bool has_one_of(std::string_view text, const std::string_view (&words)[N]) {
  for (const std::string_view word : words)
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || check.facts.is_nvidia_specific || check.facts.is_test ||
      file.text().find("triton") == std::string_view::npos || has_one_of(file.text(), kOptions) ||
      !has_one_of(file.text(), kDepths) || !has_one_of(file.text(), kRows))
    return;
  for (const TokenIndex at : file.occurrences(kAutotune)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || !file.is(at + 1, "(") || at == 0 || !file.is(at - 1, ".") ||
        file.token_runs_on_rocm(at) == Truth::kNo ||
        (file.enclosing_def(index) != kNoStatement &&
         mentions(file, FunctionScope(file, index), platform_questions())))
      continue;
    check.report(file.span(file.dotted(at)), Confidence::kLow,
                 "no configuration has waves_per_eu or matrix_instr_nonkdim, which AMD's backend "
                 "is tuned with");
    return;  // once for a file
  }
}

}  // namespace

Rule triton_tuning() {
  return {.code = "HW809",
          .name = "triton-tuning",
          .summary = "Autotuned Triton matrix product without AMD's options",
          .severity = Severity::kNote,
          .triggers = {kAutotune},
          .python = find};
}

}  // namespace hipwright::lint::rules
