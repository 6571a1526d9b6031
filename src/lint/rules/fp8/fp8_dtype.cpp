// SPDX-License-Identifier: MIT
// The OCP fp8 type is used where a GPU may compute with fnuz.
//
// ## What it finds
//
// `torch.float8_e4m3fn` or `torch.float8_e5m2` as the type of a tensor that is made or converted,
// in a function that does not ask which fp8 format the platform has. In C++: a tensor's type
// compared with `kFloat8_e4m3fn` alone, in code that AMD's builds have, too.
//
// ## Why it matters
//
// gfx942 (MI300X) computes with `float8_e4m3fnuz`: another exponent bias, other special values. A
// tensor of the OCP type is refused there by the matrix kernels, or its values are read as half of
// what they are. gfx950 and gfx12 use OCP, so one answer does not fit all AMD GPUs either.
//
// ## Example
//
// ```python
// q = (x / scale).to(torch.float8_e4m3fn)
// ```
//
// ## Use instead
//
// ```python
// q = (x / scale).to(current_platform.fp8_dtype())
// ```
//
// ## When it is not a bug
//
// - The type is compared with (in Python), listed in a table, or the storage format of a
// checkpoint.
// - The function chooses between the formats.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lint/cuda/lanes.h"
#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const std::array kTypes = {Name("float8_e4m3fn"), Name("float8_e5m2")};
const std::array kFnuzTypes = {Name("float8_e4m3fnuz"), Name("float8_e5m2fnuz")};

// The type decides what a tensor is: "dtype=T" of a call, the first argument of ".to(T)",
// ".view(T)",
// ".type(T)", or "fp8_dtype = T" for later.
bool makes_a_tensor(const File& file, TokenRange name, TokenRange statement) {
  if (name.begin < 2) return false;
  const TokenIndex open = file.enclosing(name.begin);
  if (open == kNoToken)
    return name.end == statement.end && file.is(name.begin - 1, "=") &&
           statement.begin + 2 == name.begin && holds(file.text(statement.begin), "dtype");
  if (open == 0 || !file.is(open, "(")) return false;
  if (file.is(name.begin - 1, "=") && file.is(name.begin - 2, "dtype")) return true;
  if (name.begin != open + 1) return false;
  return file.is(open - 1, "to") || file.is(open - 1, "type") || file.is(open - 1, "view");
}

// Formats that are made of OCP's by definition (MX, NVFP4), and libraries of NVIDIA's.
bool is_ocp_by_definition(const PythonCheck& check, StatementIndex index) {
  static constexpr std::array<std::string_view, 3> kFormats = {"mxfp", "fp4", "e2m1"};
  static constexpr std::array<std::string_view, 4> kLibraries = {"cutlass", "deep_gemm",
                                                                 "flashinfer", "trtllm"};
  const File& file = check.file;
  const TokenRange statement = file.statements()[index].tokens;
  const TokenRange function = function_around(file, index);
  const StatementIndex definition = file.enclosing_def(index);
  const TokenIndex name = definition == kNoStatement ? kNoToken : file.name_of(definition);
  return std::ranges::any_of(kFormats,
                             [&](std::string_view word) {
                               return has_word(file, statement, word) ||
                                      holds(check.facts.path, word) ||
                                      (name != kNoToken && holds(file.text(name), word));
                             }) ||
         std::ranges::any_of(kLibraries,
                             [&](std::string_view word) { return has_word(file, function, word); });
}

// Parameter(torch.empty(…, dtype=T)): what a checkpoint has; it is converted when it is loaded.
bool is_storage(const File& file, TokenIndex at, TokenRange function) {
  for (TokenIndex open = file.enclosing(at); open != kNoToken; open = file.enclosing(open))
    if (open > 0 && file.is(open, "(") && file.text(open - 1).ends_with("Parameter")) return true;
  return has_word(file, function, "cuda only");
}

// float8_e4m3fnuz if is_rocm() else …: gfx950 and gfx12 are ROCm's too, and use OCP.
void find_fnuz_for_all(PythonCheck& check) {
  const File& file = check.file;
  for (const Name& type : kFnuzTypes)
    for (const TokenIndex at : file.occurrences(type)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || !is_for_all_of_rocm(file, at)) continue;
      const std::string_view before = file.text(file.dotted(at).begin - 1);
      if (before == "==" || before == "!=" || before == "in" || before == "[") continue;
      check.report(file.span(file.dotted(at)), Confidence::kMedium,
                   fmt::format("{} is gfx942's type, not that of gfx950 and gfx12: ask for the "
                               "format, not for ROCm",
                               type.text()),
                   {}, Relevance::kOcp);
    }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || check.facts.is_test) return;
  find_fnuz_for_all(check);
  for (const Name& type : kTypes)
    for (const TokenIndex at : file.occurrences(type)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || in_function_header(file, index)) continue;
      if (!makes_a_tensor(file, file.dotted(at), file.statements()[index].tokens) ||
          file.token_runs_on_rocm(at) == Truth::kNo)
        continue;
      const Scope scope(file, index);
      const TokenRange function = function_around(file, index);
      if (mentions(file, scope, fnuz_words()) || has_word(file, function, "fnuz") ||
          is_ocp_by_definition(check, index) || is_storage(file, at, function))
        continue;
      check.report(file.span(file.dotted(at)),
                   is_tool(check) ? Confidence::kLow : Confidence::kMedium,
                   fmt::format("{} is not what gfx942 computes with: ask for the platform's type",
                               type.text()));
    }
}

// torch::kFloat8_e4m3fn, at::ScalarType::Float8_e4m3fn
const std::array kScalarTypes = {Name("kFloat8_e4m3fn"), Name("Float8_e4m3fn")};
// Files that have one of these are made for AMD, whatever is known of their build.
const std::array kAmdMacros = {Name("USE_ROCM"), Name("__HIP_PLATFORM_AMD__"), Name("__HIPCC__"),
                               Name("__HIP__")};

const Name kGlobal("__global__");  // the host's own kernels compute with either

bool is_compared(const cu::File& source, cu::TokenIndex type) {
  cu::TokenIndex first = type;
  while (first > 1 && source.is(first - 1, "::") && is_name(source, first - 2)) first -= 2;
  if (first > 0 && source.is(first - 1, "::")) --first;
  return first > 0 && source.is(first - 1, "==");
}

// X_CHECK(type == …) without alternatives: every other type is refused.
bool is_only_type(const cu::File& source, cu::TokenIndex type) {
  const cu::TokenIndex open = source.enclosing(type);
  if (open == cu::kNoToken || open == 0 || !source.is(open, "(") || !is_name(source, open - 1))
    return false;
  const std::string_view name = source.text(open - 1);
  if (!contains_word(name, "check") && !contains_word(name, "assert") && name != "if") return false;
  for (cu::TokenIndex at = open; at < source.partner(open); ++at)
    if (source.is(at, "||")) return false;
  return true;
}

bool speaks_of_fnuz(const cu::File& source, cu::TokenRange code) {
  for (cu::TokenIndex at = code.begin; at < code.end; ++at)
    if (is_name(source, at) && contains_word(source.text(at), "fnuz")) return true;
  return false;
}

void find_in_cuda(CudaCheck& check) {
  const cu::File& source = check.file;
  if (check.facts.is_test || check.facts.is_nvidia_specific || is_bound_to_nvidia(check)) return;
  const bool is_for_amd = check.facts.built_on_amd == Truth::kYes ||
                          std::any_of(kAmdMacros.begin(), kAmdMacros.end(),
                                      [&](const Name& name) { return source.has(name); });
  if (!is_for_amd || !source.has(kGlobal)) return;
  for (const Name& type : kScalarTypes)
    for (const cu::TokenIndex at : source.occurrences(type)) {
      if (source.compiled(at, cu::Platform::kAmd) != Truth::kYes ||
          check.on_amd(at) == Truth::kNo || !is_compared(source, at) ||
          speaks_of_fnuz(source, code_around(source, at)))
        continue;
      check.report(
          source.span(at), is_only_type(source, at) ? Confidence::kMedium : Confidence::kLow,
          fmt::format("tensors of gfx942 have the type Float8_e4m3fnuz, not {}", type.text()));
    }
}

std::vector<Name> triggers() {
  std::vector<Name> names(kTypes.begin(), kTypes.end());
  names.insert(names.end(), kScalarTypes.begin(), kScalarTypes.end());
  return names;
}

}  // namespace

Rule fp8_dtype() {
  return {.code = "HW302",
          .name = "fp8-dtype",
          .summary = "the OCP fp8 type where a GPU may use fnuz",
          .relevance = Relevance::kFnuz,
          .triggers = triggers(),
          .cuda = find_in_cuda,
          .python = find};
}

}  // namespace hipwright::lint::rules
