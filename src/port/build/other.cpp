// SPDX-License-Identifier: MIT
#include "port/build/other.h"

#include <algorithm>
#include <array>

#include "base/source.h"

namespace hipwright::port {

namespace {

constexpr std::array<std::string_view, 6> kOfCuda = {"cuda",   "CUDA",  "nvcc",
                                                     "cublas", "cudnn", "nccl"};

}  // namespace

void report_other_build(PortedFile& file) {
  const std::string_view text = file.source->text();
  // People may say CUDA.
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
  const bool is_meson = file.source->path().ends_with("meson.build");
  Diagnostic said;
  said.code = "HP405";
  said.severity = Severity::kWarning;
  said.path = file.source->path();
  said.span = {place, std::min(text.find('\n', place), text.size())};
  said.message = is_meson ? "Meson has no HIP language: the file is left as it is"
                          : "Bazel's rules for CUDA are left as they are";
  said.why = is_meson ? "Compile the sources as C++ with CXX=hipcc, and take ROCm's libraries with "
                        "dependency(…, method: 'cmake')."
                      : "Rules that call hipcc have to be written, or taken from a project that "
                        "builds for ROCm.";
  file.diagnostics.push_back(std::move(said));
}

}  // namespace hipwright::port
