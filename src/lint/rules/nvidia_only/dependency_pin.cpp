// SPDX-License-Identifier: MIT
// Installing the dependencies replaces ROCm's PyTorch by NVIDIA's.
//
// ## What it finds
//
// In requirements files, pyproject.toml and setup.py: `torch==…` and its companions pinned to a
// version, builds for CUDA
// (`+cu124`), `nvidia-…` packages, `jax[cuda12]`, `cupy-cuda…`, and index addresses of CUDA builds.
//
// ## Why it matters
//
// PyPI's `torch` is the CUDA build. A pin that the installed ROCm build does not meet makes pip
// replace it, and the GPU is gone without an error.
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
// and install ROCm's build before, or give NVIDIA's pins a file of their own.
//
// ## When it is not a bug
//
// - The file is for CUDA alone: its name says so.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/rule.h"
#include "lint/text_lines.h"

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

// What is wrong with one requirement; empty: nothing.
std::string problem_of(std::string_view line) {
  if (line.find("sys_platform") != line.npos && line.find("darwin") != line.npos) return {};
  if (line.find("+cu1") != line.npos) return "this is a build for CUDA";
  if (is_nvidia_library(line)) return "this package exists for NVIDIA only";
  if (line.starts_with("cupy-cuda")) return "this is a build for CUDA; cupy-rocm exists too";
  if (line.starts_with("jax[cuda")) return "this brings CUDA's libraries; jax[rocm] exists too";
  if ((line.starts_with("--extra-index-url") || line.starts_with("--index-url")) &&
      line.find("/whl/cu1") != line.npos)
    return "this index has builds for CUDA";
  // torch @ https://…/whl/xpu/torch-2.7.0: another platform's, named.
  for (const std::string_view other : {"/whl/xpu", "/whl/cpu", "rocm"})
    if (line.find(other) != line.npos) return {};
  // What follows the semicolon says where it is for.
  const std::string_view version = line.substr(0, line.find(';'));
  for (const std::string_view name : kPinned)
    if (starts_with_package(line, name) && version.find("==") != line.npos)
      return fmt::format("this pin makes pip replace ROCm's {} by the build for CUDA", name);
  return {};
}

void look_at(TextCheck& check, std::string_view requirement, std::size_t begin, Confidence most) {
  if (const std::string problem = problem_of(requirement); !problem.empty())
    check.report({begin, begin + requirement.size()}, check.facts.is_test ? Confidence::kLow : most,
                 problem);
}

void find_in_requirements(TextCheck& check) {
  for_each_line(check.text, [&](std::string_view line, std::size_t begin) {
    if (const std::size_t comment = line.find('#'); comment != line.npos)
      line = line.substr(0, comment);
    while (line.ends_with(' ')) line.remove_suffix(1);
    look_at(check, line, begin, Confidence::kHigh);
  });
}

// A group of extras that is named after a platform is asked for by those who have it.
bool names_platform(std::string_view key) {
  static constexpr std::array<std::string_view, 12> kPlatforms = {
      "cu1", "cuda", "nvidia", "hip", "rocm", "amd", "cpu", "xpu", "npu", "hpu", "musa", "mps"};
  return std::ranges::any_of(kPlatforms, [&](std::string_view word) { return holds(key, word); });
}

// Of TOML: texts in quotes. What a build needs is installed apart from the environment.
void find_in_project(TextCheck& check) {
  bool is_extra = false, is_build = false;
  for_each_line(check.text, [&](std::string_view line, std::size_t begin) {
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (line.substr(first).starts_with("[")) {
      is_build = line.find("[build-system]") != line.npos;
      is_extra = false;
    }
    const std::size_t open = line.find('[');
    const std::size_t equals = line.find_first_of("=:");
    if (open != line.npos && equals != line.npos && equals < open)
      is_extra = names_platform(line.substr(0, equals));
    if (is_extra || line.substr(first).starts_with("#")) return;
    for (std::size_t at = line.find_first_of("\"'"); at != line.npos;) {
      const std::size_t end = line.find(line[at], at + 1);
      if (end == line.npos) return;
      look_at(check, line.substr(at + 1, end - at - 1), begin + at + 1,
              is_build ? Confidence::kMedium : Confidence::kHigh);
      at = line.find_first_of("\"'", end + 1);
    }
  });
}

// install_requires=["torch==2.4.0"], requirements = ["torch==2.4.0"]
bool is_required(const File& file, TokenIndex text) {
  const TokenIndex list = file.enclosing(text);
  if (list == kNoToken || list < 2 || !file.is(list, "[") || !file.is(list - 1, "=")) return false;
  return holds(file.text(list - 2), "require") && !holds(file.text(list - 2), "extra");
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
        mentions(file, Scope(file, index), platform_questions()))
      continue;
    check.report(file.span(at), check.facts.is_test ? Confidence::kLow : Confidence::kHigh,
                 problem);
  }
}

void find(TextCheck& check) {
  const std::string_view path = check.facts.path;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (check.facts.is_nvidia_specific || check.facts.built_on_amd == syntax::Truth::kNo ||
      (names_platform(name) && !holds(name, "rocm") && !holds(name, "hip")) || holds(name, "tpu"))
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
          .summary = "a requirement that replaces ROCm's PyTorch",
          .triggers = {kInstall, kSetup},
          .python = find_in_setup,
          .text = find,
          .text_files = {"requirements*.txt", "requirements*.in", "constraints*.txt",
                         "requirements/*.txt", "requirements/*.in", "pyproject*.toml"}};
}

}  // namespace hipwright::lint::rules
