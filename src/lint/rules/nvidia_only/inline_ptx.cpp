// SPDX-License-Identifier: MIT
// Inline PTX is visible to AMD's compiler.
//
// ## What it finds
//
// `asm` statements with PTX instructions (`mov.u32`, `ld.global`, `cvt.rn`, …) that no `#if` hides
// from AMD's compiler. In Python: Triton's `inline_asm_elementwise` with PTX.
//
// ## Why it matters
//
// AMD's assembler does not know the instructions: "invalid instruction". In a template the error
// appears only when the template is used.
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
// A function that both compilers provide, or one branch for each:
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
// - The assembly is AMD's (`v_`, `s_`, `global_`) or the host's.
// - The string is empty and only keeps the compiler from moving code.
// - The code is under a macro of the project, which usually names an NVIDIA hardware feature.
// - Only NVIDIA builds compile the file, or only NVIDIA hardware can run it (`wgmma`, `ldmatrix`).
#include <fmt/format.h>

#include "lint/cuda/lanes.h"
#include "lint/python/platform_choice.h"
#include "syntax/cuda/assembly.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Truth;

void find(CudaCheck& check) {
  const syntax::cuda::File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  for (const cu::Assembly& each : cu::assembly(file)) {
    // Unknown macros around assembly mostly name hardware features.
    const Truth compiled = file.compiled(each.keyword, syntax::cuda::Platform::kAmd);
    if (compiled != Truth::kYes || check.on_amd(each.keyword) == Truth::kNo) continue;
    const std::string instruction = cu::ptx_instruction(each.text);
    if (instruction.empty()) continue;
    check.report(file.span(each.keyword), Confidence::kHigh,
                 fmt::format("AMD's assembler does not support this PTX ({})", instruction));
  }
}

// --- Triton ---

namespace py = syntax::python;

const syntax::Name kTritonAssembly("inline_asm_elementwise");

// The joined strings of a range, with names replaced by the strings assigned to them.
std::string assembly_text(const py::File& file, py::TokenRange value) {
  std::string text;
  for (py::TokenIndex at = value.begin; at < value.end; ++at) {
    if (file.tokens()[at].kind == py::Kind::kString) text += file.string_value(at);
    if (file.tokens()[at].kind != py::Kind::kName) continue;
    for (const py::Binding& binding : py::bindings(file, py::variable_at(file, at)))
      if (binding.value.size() == 1 && file.tokens()[binding.value.begin].kind == py::Kind::kString)
        text += file.string_value(binding.value.begin);
  }
  return text;
}

void find_in_triton(PythonCheck& check) {
  const py::File& file = check.file;
  if (is_for_others(check)) return;
  for (const py::TokenIndex at : file.occurrences(kTritonAssembly)) {
    const py::StatementIndex index = file.statement_at(at);
    if (!file.is(at + 1, "(") || index == py::kNoStatement) continue;
    if (file.token_runs_on_rocm(at) == Truth::kNo ||
        mentions(file, syntax::python::FunctionScope(file, index), platform_questions()))
      continue;
    std::optional<py::TokenRange> value = file.keyword_argument(at + 1, "asm");
    if (!value) {
      const std::vector<py::TokenRange> given = file.positional_arguments(at + 1);
      if (given.empty()) continue;
      value = given.front();
    }
    const std::string instruction = cu::ptx_instruction(assembly_text(file, *value));
    if (instruction.empty()) continue;
    check.report(file.span(file.dotted(at)), Confidence::kMedium,
                 fmt::format("AMD's assembler does not support this PTX ({})", instruction));
  }
}

std::vector<syntax::Name> triggers() {
  std::vector<syntax::Name> names = cu::assembly_names();
  names.push_back(kTritonAssembly);
  return names;
}

}  // namespace

Rule inline_ptx() {
  return {.code = "HW801",
          .name = "inline-ptx",
          .summary = "inline PTX visible to AMD's compiler",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = triggers(),
          .cuda = find,
          .python = find_in_triton};
}

}  // namespace hipwright::lint::rules
