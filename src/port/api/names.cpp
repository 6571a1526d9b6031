// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "port/api/api.h"

namespace hipwright::port::api {

namespace {

struct LibraryName {
  std::string_view name, title;
};

// In the order of the enumeration.
constexpr std::array<LibraryName, kLibraryCount> kLibraries = {{
    {"runtime", "CUDA runtime"},
    {"driver", "CUDA driver"},
    {"rtc", "NVRTC"},
    {"blas", "cuBLAS"},
    {"blaslt", "cuBLASLt"},
    {"rand", "cuRAND"},
    {"fft", "cuFFT"},
    {"sparse", "cuSPARSE"},
    {"solver", "cuSOLVER"},
    {"dnn", "cuDNN"},
    {"nccl", "NCCL"},
    {"cub", "CUB"},
    {"thrust", "Thrust"},
    {"nvtx", "NVTX"},
    {"nvml", "NVML"},
    {"complex", "cuComplex"},
    {"half", "half, bfloat16, fp8"},
    {"groups", "cooperative groups"},
    {"libcuxx", "libcu++"},
    {"device", "device functions"},
    {"texture", "textures and surfaces"},
    {"profiler", "profiler control"},
    {"wmma", "WMMA"},
    {"other", "other headers"},
}};

}  // namespace

std::string_view name_of(Library library) {
  return kLibraries[static_cast<std::size_t>(library)].name;
}

std::string_view title_of(Library library) {
  return kLibraries[static_cast<std::size_t>(library)].title;
}

std::optional<Library> parse_library(std::string_view name) {
  for (std::size_t i = 0; i < kLibraries.size(); ++i)
    if (kLibraries[i].name == name) return static_cast<Library>(i);
  return std::nullopt;
}

std::string_view name_of(Kind kind) {
  constexpr std::string_view names[] = {"function",        "type",      "enumerator", "macro",
                                        "device function", "namespace", "header"};
  return names[static_cast<std::size_t>(kind)];
}

Result<HipVersion> parse_hip_version(std::string_view text) {
  // "7" is 7.0; patch versions do not change the names in headers.
  int parts[3] = {0, 0, 0};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int count = 0; count < 3; ++count) {
    const auto [next, problem] = std::from_chars(at, end, parts[count]);
    if (problem != std::errc() || parts[count] < 0 || parts[count] > 99) break;
    if (next == end && parts[0] > 0) return HipVersion{parts[0], parts[1]};
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  return fail("invalid HIP version", std::string(text), "expected MAJOR.MINOR",
              "Give the major and minor version of the ROCm release, for example 6.4");
}

std::string text_of(HipVersion version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

}  // namespace hipwright::port::api
