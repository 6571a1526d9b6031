// SPDX-License-Identifier: MIT
// Installing the dependencies replaces ROCm's PyTorch with NVIDIA's.
//
// ## What it finds
//
// In requirements files, pyproject.toml and setup.py: `torch==…` and its companions pinned to a
// version, CUDA builds (`+cu124`), `nvidia-…` packages, `jax[cuda12]`, `cupy-cuda…`, and the index
// URLs of CUDA builds.
//
// ## Why it matters
//
// PyPI's `torch` is the CUDA build. When the installed ROCm build does not satisfy a pin, pip
// replaces it, and the GPU disappears without an error.
//
// ## Example
//
// ```text
// torch==2.4.0
// ```
//
// ## Use instead
//
// ```text
// torch>=2.4
// ```
//
// and install ROCm's build first, or move NVIDIA's pins to a separate file.
//
// ## When it is not a bug
//
// - The file is CUDA-only by its name.
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

const Name kInstall("install_requires");
const Name kSetup("setup_requires");

constexpr std::array<std::string_view, 5> kPinned = {"torch", "torchvision", "torchaudio", "triton",
                                                     "xformers"};

bool starts_with_package(std::string_view line, std::string_view name) {
  return line.starts_with(name) &&
         (line.size() == name.size() ||
          !std::isalnum(static_cast<unsigned char>(line[name.size()]))) &&
         !line.substr(name.size()).starts_with("-") && !line.substr(name.size()).starts_with("_");
}

// nvidia-nccl-cu12, nvidia-cublas; not nvidia-ml-py and other pure Python, nor the program
// nvidia-smi.
bool is_nvidia_library(std::string_view line) {
  if (!line.starts_with("nvidia-")) return false;
  return std::ranges::any_of(
      std::array<std::string_view, 12>{"cu1", "cublas", "cudnn", "nccl", "cutlass", "mathdx",
                                       "nvshmem", "cuda", "cufft", "curand", "cusparse", "dali"},
      [&](std::string_view part) { return line.find(part) != line.npos; });
}

// The problem with one requirement; empty if there is none.
std::string problem_of(std::string_view line) {
  if (line.find("sys_platform") != line.npos && line.find("darwin") != line.npos) return {};
  if (line.find("+cu1") != line.npos) return "this is a CUDA build";
  if (is_nvidia_library(line)) return "this package is NVIDIA-only";
  if (line.starts_with("cupy-cuda")) return "this is a CUDA build; use cupy-rocm on ROCm";
  if (line.starts_with("jax[cuda")) return "this pulls in CUDA libraries; use jax[rocm] on ROCm";
  if ((line.starts_with("--extra-index-url") || line.starts_with("--index-url")) &&
      line.find("/whl/cu1") != line.npos)
    return "this index serves CUDA builds";
  // torch @ https://…/whl/xpu/torch-2.7.0: explicitly for another platform.
  for (const std::string_view other : {"/whl/xpu", "/whl/cpu", "rocm"})
    if (line.find(other) != line.npos) return {};
  // The marker after the semicolon restricts where it applies.
  const std::string_view version = line.substr(0, line.find(';'));
  for (const std::string_view name : kPinned)
    if (starts_with_package(line, name) && version.find("==") != line.npos)
      return fmt::format("this pin makes pip replace ROCm's {} with the CUDA build", name);
  return {};
}

void look_at(TextCheck& check, std::string_view requirement, std::size_t begin, Confidence most) {
  if (const std::string problem = problem_of(requirement); !problem.empty())
    check.report({begin, begin + requirement.size()}, check.facts.is_test ? Confidence::kLow : most,
                 problem);
}

void find_in_requirements(TextCheck& check) {
  // A lock file is generated for one platform.
  const bool is_locked = check.text.find("--hash=") != std::string_view::npos;
  syntax::for_each_line(check.text, [&](std::string_view line, std::size_t begin) {
    if (const std::size_t comment = line.find('#'); comment != line.npos)
      line = line.substr(0, comment);
    while (line.ends_with(' ')) line.remove_suffix(1);
    look_at(check, line, begin, is_locked ? Confidence::kLow : Confidence::kMedium);
  });
}

// An extra named after a platform is requested only on that platform.
bool names_platform(std::string_view key) {
  static constexpr std::array<std::string_view, 12> kPlatforms = {
      "cu1", "cuda", "nvidia", "hip", "rocm", "amd", "cpu", "xpu", "npu", "hpu", "musa", "mps"};
  return std::ranges::any_of(kPlatforms,
                             [&](std::string_view word) { return contains_word(key, word); });
}

// In TOML: quoted strings. Build requirements are installed in a separate environment.
void find_in_project(TextCheck& check) {
  bool is_extra = false, is_build = false, is_optional = false;
  syntax::for_each_line(check.text, [&](std::string_view line, std::size_t begin) {
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (line.substr(first).starts_with("[")) {
      is_build = line.find("[build-system]") != line.npos;
      is_optional = line.find("optional-dependencies") != line.npos ||
                    line.find("dependency-groups") != line.npos;
      is_extra = false;
    }
    const std::size_t open = line.find('[');
    const std::size_t equals = line.find_first_of("=:");
    if (open != line.npos && equals != line.npos && equals < open)
      is_extra = names_platform(line.substr(0, equals));
    if (is_extra || line.substr(first).starts_with("#")) return;
    // nvidia-cublas-cu12; extra == "and-cuda"
    if (line.find("extra ==") != line.npos) return;
    for (std::size_t at = line.find_first_of("\"'"); at != line.npos;) {
      const std::size_t end = line.find(line[at], at + 1);
      if (end == line.npos) return;
      look_at(check, line.substr(at + 1, end - at - 1), begin + at + 1,
              is_build || is_optional ? Confidence::kLow : Confidence::kMedium);
      at = line.find_first_of("\"'", end + 1);
    }
  });
}

// install_requires=["torch==2.4.0"], requirements = ["torch==2.4.0"]
bool is_required(const File& file, TokenIndex text) {
  const TokenIndex list = file.enclosing(text);
  if (list == kNoToken || list < 2 || !file.is(list, "[") || !file.is(list - 1, "=")) return false;
  return contains_word(file.text(list - 2), "require") &&
         !contains_word(file.text(list - 2), "extra");
}

void find_in_setup(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check)) return;
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kString || !is_required(file, at)) continue;
    const std::string problem = problem_of(file.string_value(at));
    const StatementIndex index = file.statement_at(at);
    if (problem.empty() || index == kNoStatement) continue;
    if (file.token_runs_on_rocm(at) == Truth::kNo ||
        mentions(file, FunctionScope(file, index), platform_questions()))
      continue;
    check.report(file.span(at), check.facts.is_test ? Confidence::kLow : Confidence::kMedium,
                 problem);
  }
}

void find(TextCheck& check) {
  const std::string_view path = check.facts.path;
  const std::string_view name = project::name_of(path);
  if (check.facts.is_nvidia_specific || check.facts.built_on_amd == syntax::Truth::kNo ||
      (names_platform(name) && !contains_word(name, "rocm") && !contains_word(name, "hip")) ||
      contains_word(name, "tpu"))
    return;
  // Where ROCm's own index is named, pins are ROCm's.
  if (check.text.find("whl/rocm") != std::string_view::npos ||
      check.text.find("whl/nightly/rocm") != std::string_view::npos)
    return;
  if (name.ends_with(".txt") || name.ends_with(".in")) return find_in_requirements(check);
  find_in_project(check);
}

}  // namespace

Rule dependency_pin() {
  return {.code = "HW805",
          .name = "dependency-pin",
          .summary = "requirement that replaces ROCm's PyTorch",
          .triggers = {kInstall, kSetup},
          .python = find_in_setup,
          .text = find,
          .text_files = {"requirements*.txt", "requirements*.in", "constraints*.txt",
                         "requirements/*.txt", "requirements/*.in", "pyproject*.toml"}};
}

}  // namespace hipwright::lint::rules
