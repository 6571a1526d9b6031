// SPDX-License-Identifier: MIT
// An environment variable is set that only NVIDIA software reads.
//
// ## What it finds
//
// `CUDA_LAUNCH_BLOCKING`, `CUDA_DEVICE_MAX_CONNECTIONS`, `TORCH_CUDA_ARCH_LIST`,
// `NVIDIA_VISIBLE_DEVICES` and others, set in Python, shell scripts, Dockerfiles and YAML files
// that do not mention the ROCm counterpart; and `CUDA_HOME` used to test for a GPU toolkit.
//
// ## Why it matters
//
// ROCm silently ignores the variable: launches stay asynchronous, the number of queues does not
// change, the wrong targets are built. `CUDA_HOME` is None on a ROCm machine, so code that tests it
// skips its extensions.
//
// | CUDA | ROCm |
// | --- | --- |
// | `CUDA_LAUNCH_BLOCKING=1` | `HIP_LAUNCH_BLOCKING=1` or `AMD_SERIALIZE_KERNEL=3` |
// | `CUDA_DEVICE_MAX_CONNECTIONS` | `GPU_MAX_HW_QUEUES` |
// | `TORCH_CUDA_ARCH_LIST` | `PYTORCH_ROCM_ARCH` |
// | `NVIDIA_VISIBLE_DEVICES` | `ROCR_VISIBLE_DEVICES` |
// | `NVIDIA_TF32_OVERRIDE` | `HIPBLASLT_ALLOW_TF32` |
// | `CUDA_HOME`, `CUDA_PATH` | `ROCM_HOME`, `ROCM_PATH` |
//
// ## Example
//
// ```python
// os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
// ```
//
// ## Use instead
//
// ```python
// os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
// os.environ["AMD_SERIALIZE_KERNEL"] = "3"
// ```
//
// ## When it is not a bug
//
// - HIP, RCCL and PyTorch honour some NVIDIA names: `CUDA_VISIBLE_DEVICES`, `NCCL_…`,
//   `PYTORCH_CUDA_ALLOC_CONF`, `CUBLAS_WORKSPACE_CONFIG`.
// - The counterpart is set too, or the file is for CUDA only.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "project/path.h"
#include "syntax/text_lines.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

struct Variable {
  std::string_view name;
  std::string_view on_rocm;  // the first word is the name to look for in the file
  Confidence when_set;
};
constexpr std::array<Variable, 9> kVariables = {{
    {"CUDA_LAUNCH_BLOCKING", "AMD_SERIALIZE_KERNEL=3 or HIP_LAUNCH_BLOCKING=1",
     Confidence::kMedium},
    {"CUDA_DEVICE_MAX_CONNECTIONS", "GPU_MAX_HW_QUEUES", Confidence::kMedium},
    {"TORCH_CUDA_ARCH_LIST", "PYTORCH_ROCM_ARCH", Confidence::kLow},
    {"NVIDIA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", Confidence::kMedium},
    {"NVIDIA_TF32_OVERRIDE", "HIPBLASLT_ALLOW_TF32", Confidence::kMedium},
    {"CUDA_HOME", "ROCM_HOME", Confidence::kLow},
    {"CUDA_PATH", "ROCM_PATH", Confidence::kLow},
    {"CUDA_MODULE_LOADING", "HIP_ENABLE_DEFERRED_LOADING", Confidence::kLow},
    {"CUDA_CACHE_PATH", "AMD_COMGR_CACHE_DIR", Confidence::kLow},
}};

const Name kEnviron("environ");
const Name kPutenv("putenv");
const Name kSetenv("setenv");
const Name kEnvVars("env_vars");
const Name kHome("CUDA_HOME");

const Variable* variable_named(std::string_view name) {
  const auto found = std::ranges::find(kVariables, name, &Variable::name);
  return found == kVariables.end() ? nullptr : &*found;
}

// Does the file mention the counterpart, or any ROCm variable?
bool knows_rocm(std::string_view text, const Variable& variable) {
  const std::string_view first = variable.on_rocm.substr(0, variable.on_rocm.find_first_of("= "));
  for (const std::string_view word :
       {first, std::string_view("HIP_LAUNCH_BLOCKING"), std::string_view("ROCM_HOME"),
        std::string_view("ROCM_PATH"), std::string_view("HIP_VISIBLE_DEVICES")})
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

std::string message(const Variable& variable) {
  return fmt::format("ROCm ignores {}; set {} instead", variable.name, variable.on_rocm);
}

// environ["X"] = …, setdefault("X", …), putenv("X", …), {"X": …}
bool is_set(const File& file, TokenIndex text) {
  if (file.is(text + 1, "]") && file.is(text + 2, "=")) return true;
  if (file.is(text + 1, ":")) return true;
  const TokenIndex open = file.enclosing(text);
  return open != kNoToken && open > 0 && file.is(text + 1, ",") &&
         (file.is(open - 1, "setdefault") || file.is(open - 1, kPutenv) ||
          file.is(open - 1, kSetenv));
}

void look_at_statement(PythonCheck& check, StatementIndex index) {
  const File& file = check.file;
  const TokenRange tokens = file.statements()[index].tokens;
  for (TokenIndex at = tokens.begin; at < tokens.end; ++at) {
    if (file.tokens()[at].kind != Kind::kString) continue;
    const Variable* variable = variable_named(file.string_value(at));
    if (variable == nullptr || !is_set(file, at) || knows_rocm(file.text(), *variable)) continue;
    const Truth runs = file.token_runs_on_rocm(at);
    if (runs == Truth::kNo || mentions(file, FunctionScope(file, index), platform_questions()))
      continue;
    check.report(file.span(at), check.facts.is_test ? Confidence::kLow : variable->when_set,
                 message(*variable));
  }
}

// os.path.join(CUDA_HOME, "include"): fails on None
bool is_joined(const File& file, TokenIndex at) {
  const TokenIndex begin = file.dotted(at).begin;
  return begin > 1 && file.is(begin - 1, "(") && file.is(begin - 2, "join") && file.is(at + 1, ",");
}

// if CUDA_HOME is None, not CUDA_HOME, and CUDA_HOME: …
bool asked_as_a_fact(const File& file, TokenIndex at) {
  const TokenRange name = file.dotted(at);
  if (name.begin == 0) return false;
  const std::string_view before = file.text(name.begin - 1), after = file.text(name.end);
  const bool ends = after == "is" || after == ":" || after == "and" || after == "or" ||
                    after == ")" || after == "," || file.tokens()[name.end].kind == Kind::kNewline;
  return ends && (before == "if" || before == "elif" || before == "not" || before == "and" ||
                  before == "or" || before == "assert");
}

void find_home(PythonCheck& check) {
  const File& file = check.file;
  if (knows_rocm(file.text(), *variable_named("CUDA_HOME"))) return;
  for (const TokenIndex at : file.occurrences(kHome)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || !(asked_as_a_fact(file, at) || is_joined(file, at))) continue;
    if (file.token_runs_on_rocm(at) == Truth::kNo ||
        mentions(file, FunctionScope(file, index), platform_questions()))
      continue;
    // Code that looks for nvcc means CUDA.
    const Statement& statement = file.statements()[index];
    if (has_word(file,
                 {statement.tokens.begin, file.statements()[statement.block_end - 1].tokens.end},
                 "nvcc"))
      continue;
    check.report(file.span(at), check.facts.is_test ? Confidence::kLow : Confidence::kMedium,
                 "CUDA_HOME is None on ROCm; test ROCM_HOME too");
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check)) return;
  find_home(check);
  StatementIndex last = kNoStatement;
  for (const Name& name : {kEnviron, kPutenv, kSetenv, kEnvVars})
    for (const TokenIndex at : file.occurrences(name)) {
      const StatementIndex index = file.statement_at(at);
      if (index != kNoStatement && index != last) look_at_statement(check, index);
      last = index;
    }
}

// "NAME=", "NAME: ", after blanks, export, ENV, "- " or quotes
bool sets(std::string_view line, std::size_t at, std::string_view name) {
  if (at > 0 && (std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0 ||
                 line[at - 1] == '_' || line[at - 1] == '$' || line[at - 1] == '{'))
    return false;
  const std::string_view after = line.substr(at + name.size());
  return after.starts_with("=") || after.starts_with(":") || after.starts_with("\":") ||
         (after.starts_with(" ") && line.starts_with("ENV "));
}

// By its name, or because it uses NVIDIA's images and tools.
bool is_for_cuda(const TextCheck& check) {
  const std::string_view path = check.facts.path;
  const std::string_view name = project::name_of(path);
  if (check.facts.is_nvidia_specific || contains_word(name, "cuda") || contains_word(name, "_cu1"))
    return true;
  if (check.facts.is_rocm_specific) return false;
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"nvidia/cuda", "nvcr.io", "nvcc", "nvidia-smi", "/cuda"},
      [&](std::string_view word) { return check.text.find(word) != std::string_view::npos; });
}

// X="$X" passes on an existing value.
bool is_handed_on(std::string_view value, std::string_view name) {
  for (const char* before : {"$", "${"})
    if (value.find(before + std::string(name)) != std::string_view::npos) return true;
  return false;
}

void find_in_text(TextCheck& check) {
  if (check.text.find("CUDA_") == std::string_view::npos &&
      check.text.find("NVIDIA_") == std::string_view::npos)
    return;
  if (is_for_cuda(check)) return;
  syntax::for_each_line(check.text, [&](std::string_view line, std::size_t begin) {
    if (const std::size_t first = line.find_first_not_of(" \t");
        first == std::string_view::npos || line[first] == '#' ||
        line.substr(first).starts_with("echo "))
      return;
    for (const Variable& variable : kVariables) {
      const std::size_t at = line.find(variable.name);
      if (at == std::string_view::npos || !sets(line, at, variable.name)) continue;
      // Only CUDA's tools read the toolkit's path.
      if (variable.name == "CUDA_HOME" || variable.name == "CUDA_PATH") continue;
      if (knows_rocm(check.text, variable) || is_handed_on(line.substr(at), variable.name))
        continue;
      const bool for_rocm = check.facts.is_rocm_specific;
      check.report({begin + at, begin + at + variable.name.size()},
                   for_rocm ? Confidence::kHigh : Confidence::kLow, message(variable));
    }
  });
}

}  // namespace

Rule cuda_only_environment() {
  return {.code = "HW702",
          .name = "cuda-only-environment",
          .summary = "environment variable that ROCm ignores",
          .triggers = {kEnviron, kPutenv, kSetenv, kEnvVars, kHome},
          .python = find,
          .text = find_in_text,
          .text_files = {"*.sh", "*.bash", "Dockerfile*", "*.Dockerfile", "*.dockerfile", "*.yaml",
                         "*.yml", "*.env"}};
}

}  // namespace hipwright::lint::rules
