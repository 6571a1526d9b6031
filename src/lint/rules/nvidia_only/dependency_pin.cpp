// SPDX-License-Identifier: MIT
// Installing the dependencies replaces ROCm's PyTorch by NVIDIA's.
//
// ## What it finds
//
// In requirements files: `torch==…` and its companions pinned to a version, builds for CUDA
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

#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

constexpr std::array<std::string_view, 5> kPinned = {"torch", "torchvision", "torchaudio", "triton",
                                                     "xformers"};

bool starts_with_package(std::string_view line, std::string_view name) {
  return line.starts_with(name) &&
         (line.size() == name.size() ||
          !std::isalnum(static_cast<unsigned char>(line[name.size()]))) &&
         !line.substr(name.size()).starts_with("-") && !line.substr(name.size()).starts_with("_");
}

// What is wrong with one requirement; empty: nothing.
std::string problem_of(std::string_view line) {
  if (line.find("sys_platform") != line.npos && line.find("darwin") != line.npos) return {};
  if (line.find("+cu1") != line.npos) return "this is a build for CUDA";
  if (line.starts_with("nvidia-")) return "this package exists for NVIDIA only";
  if (line.starts_with("cupy-cuda")) return "this is a build for CUDA; cupy-rocm exists too";
  if (line.starts_with("jax[cuda")) return "this brings CUDA's libraries; jax[rocm] exists too";
  if ((line.starts_with("--extra-index-url") || line.starts_with("--index-url")) &&
      line.find("/whl/cu1") != line.npos)
    return "this index has builds for CUDA";
  for (const std::string_view name : kPinned)
    if (starts_with_package(line, name) && line.find("==") != line.npos &&
        line.find("rocm") == line.npos)
      return fmt::format("this pin makes pip replace ROCm's {} by the build for CUDA", name);
  return {};
}

void find(TextCheck& check) {
  if (check.facts.is_nvidia_specific) return;
  std::size_t begin = 0;
  while (begin < check.text.size()) {
    const std::size_t end = std::min(check.text.find('\n', begin), check.text.size());
    std::string_view line = check.text.substr(begin, end - begin);
    if (const std::size_t comment = line.find('#'); comment != line.npos)
      line = line.substr(0, comment);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    if (const std::string problem = problem_of(line); !problem.empty())
      check.report({begin, begin + line.size()},
                   check.facts.is_test ? Confidence::kLow : Confidence::kHigh, problem);
    begin = end + 1;
  }
}

}  // namespace

Rule dependency_pin() {
  return {.code = "HW805",
          .name = "dependency-pin",
          .summary = "a requirement that replaces ROCm's PyTorch",
          .text = find,
          .text_files = {"requirements*.txt", "requirements*.in", "constraints*.txt"}};
}

}  // namespace hipwright::lint::rules
