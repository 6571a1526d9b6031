// SPDX-License-Identifier: MIT
// Inline assembly in NVIDIA's language stands where AMD's compiler reads it.
//
// ## What it finds
//
// `asm` statements whose text is PTX (`mov.u32`, `ld.global`, `cvt.rn`, …) and that no `#if` keeps
// from AMD. In Python: Triton's `inline_asm_elementwise` with such a text.
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
#include "lint/python/around.h"
#include "syntax/python/flow.h"

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

// --- Triton ---

namespace py = syntax::python;

const syntax::Name kTritonAssembly("inline_asm_elementwise");

// The strings of a range, joined; a name stands for the string that it was given.
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
        mentions(file, Scope(file, index), platform_questions()))
      continue;
    std::optional<py::TokenRange> value = file.keyword_argument(at + 1, "asm");
    if (!value) {
      const std::vector<py::TokenRange> given = file.positional_arguments(at + 1);
      if (given.empty()) continue;
      value = given.front();
    }
    const std::string instruction = ptx_instruction(assembly_text(file, *value));
    if (instruction.empty()) continue;
    check.report(file.span(file.dotted(at)), Confidence::kMedium,
                 fmt::format("PTX ({}) that AMD's assembler does not know", instruction));
  }
}

std::vector<syntax::Name> triggers() {
  std::vector<syntax::Name> names = assembly_names();
  names.push_back(kTritonAssembly);
  return names;
}

}  // namespace

Rule inline_ptx() {
  return {.code = "HW801",
          .name = "inline-ptx",
          .summary = "inline PTX that AMD's compiler sees",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = triggers(),
          .cuda = find,
          .python = find_in_triton};
}

}  // namespace hipwright::lint::rules
