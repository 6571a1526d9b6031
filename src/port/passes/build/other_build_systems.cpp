// SPDX-License-Identifier: MIT
// Bazel and Meson files: reported, not translated.
#include <algorithm>
#include <array>

#include "base/source.h"
#include "port/pass.h"
#include "port/ported_file.h"

namespace hipwright::port::passes {

namespace {

constexpr std::array<std::string_view, 6> kOfCuda = {"cuda",   "CUDA",  "nvcc",
                                                     "cublas", "cudnn", "nccl"};

void apply(TextContext& context) {
  const std::string_view text = context.file.source->text();
  // The word CUDA may occur in prose.
  std::size_t place = std::string_view::npos;
  for (std::size_t begin = 0; begin < text.size() && place == std::string_view::npos;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    line = line.substr(0, line.find('#'));
    if (line.find("rocm") != std::string_view::npos || line.find("hip::") != std::string_view::npos)
      return;
    for (const std::string_view word : kOfCuda)
      if (const std::size_t at = line.find(word); at != std::string_view::npos)
        place = std::min(place, begin + at);
    begin = end + 1;
  }
  if (place == std::string_view::npos) return;
  const Span span = {place, std::min(text.find('\n', place), text.size())};
  if (context.file.source->path().ends_with("meson.build"))
    context.file.report("HP405", Severity::kWarning, span,
                        "Meson has no HIP language; the file is unchanged",
                        "Compile the sources as C++ with CXX=hipcc, and find ROCm's libraries with "
                        "dependency(…, method: 'cmake').");
  else
    context.file.report(
        "HP405", Severity::kWarning, span, "Bazel's CUDA rules are unchanged",
        "Write rules that call hipcc, or take them from a project that builds for ROCm.");
}

}  // namespace

Pass other_build_systems() {
  return {.codes = {"HP405"}, .text = apply, .language = Language::kOtherBuild};
}

}  // namespace hipwright::port::passes
