// SPDX-License-Identifier: MIT
#include "syntax/cuda/platform_macros.h"

#include <algorithm>
#include <array>

namespace hipwright::syntax::cuda {

namespace {

enum State : std::uint8_t {
  kUndefined,
  kUnknown,
  kDefined,      // with the values of the entry
  kOfTheDevice,  // defined where device code is compiled, undefined in host code
};

struct Entry {
  std::string_view name;  // a * at the end stands for anything; the first match counts
  State amd;
  State nvidia;
  Values value{};
};

constexpr std::int64_t kMost = INT64_MAX;

// Versions: what is still in use (ROCm 6.4 and later, CUDA 11 and later) is certain, later ones
// are possible.
constexpr std::array kEntries = std::to_array<Entry>({
    {"USE_ROCM", kDefined, kUndefined, just(1)},
    {"__HIP_PLATFORM_AMD__", kDefined, kUndefined, just(1)},
    {"__HIP_PLATFORM_HCC__", kDefined, kUndefined, just(1)},
    {"__HIP_PLATFORM_NVIDIA__", kUndefined, kUnknown, just(1)},
    {"__HIP_PLATFORM_NVCC__", kUndefined, kUnknown, just(1)},
    {"__HIPCC__", kDefined, kUndefined, just(1)},
    {"__HIP__", kDefined, kUndefined, just(1)},
    {"__HIPCC_RTC__", kUnknown, kUndefined, just(1)},
    {"HIP_VERSION", kDefined, kUndefined, {60'400'000, 99'000'000}},
    {"HIP_VERSION_MAJOR", kDefined, kUndefined, {6, 99}},
    {"HIP_VERSION_MINOR", kDefined, kUndefined, {0, 99}},
    {"TORCH_HIP_VERSION", kDefined, kUndefined, {604, 9'900}},
    {"ROCM_VERSION", kUnknown, kUndefined, {60'400, 990'000}},
    {"GGML_USE_HIP", kDefined, kUndefined, just(1)},
    {"GGML_USE_HIPBLAS", kDefined, kUndefined, just(1)},
    {"GGML_USE_CUDA", kDefined, kDefined, just(1)},
    {"GOOGLE_CUDA", kUndefined, kDefined, just(1)},
    {"GGML_USE_MUSA", kUndefined, kUndefined},
    {"USE_MUSA", kUndefined, kUndefined},
    {"__MUSA*", kUndefined, kUndefined},
    {"__HIP_DEVICE_COMPILE__", kOfTheDevice, kUndefined, just(1)},
    {"__AMDGCN__", kOfTheDevice, kUndefined, just(1)},
    {"__AMDGCN*", kUnknown, kUndefined},
    {"__AMDGPU__", kOfTheDevice, kUndefined, just(1)},
    {"__gfx*", kUnknown, kUndefined},
    {"__GFX*", kUnknown, kUndefined},
    {"__HIP_*", kUnknown, kUndefined},
    // Include guards: defined behind the header.
    {"HIP_INCLUDE_*", kUnknown, kUndefined},
    {"HIPBLAS_H", kUnknown, kUndefined},
    {"HIPFFT_H_", kUnknown, kUndefined},
    {"HIPRAND_H_", kUnknown, kUndefined},
    {"HIPSOLVER_H", kUnknown, kUndefined},
    {"HIPSPARSE_H", kUnknown, kUndefined},
    {"__clang__", kDefined, kUnknown, just(1)},
    {"__clang_major__", kDefined, kUnknown, {17, 99}},
    {"__cplusplus", kDefined, kDefined, {201'402, kMost}},
    {"__CUDACC__", kUndefined, kDefined, just(1)},
    {"__NVCC__", kUndefined, kDefined, just(1)},
    {"__CUDA_ARCH__", kUndefined, kOfTheDevice, {500, 9'990}},
    {"CUDA_VERSION", kUndefined, kDefined, {11'000, 99'000}},
    {"CUDART_VERSION", kUndefined, kDefined, {11'000, 99'000}},
    {"__CUDACC_VER_MAJOR__", kUndefined, kDefined, {11, 99}},
    {"__CUDACC_VER_MINOR__", kUndefined, kDefined, {0, 99}},
    {"__CUDACC*", kUndefined, kUnknown},
    {"__CUDA_*", kUndefined, kUnknown},
    {"__NVCC*", kUndefined, kUnknown},
    {"__NVCOMPILER*", kUndefined, kUnknown},
    {"__NV_*", kUndefined, kUnknown},
    {"CUDA_ARCH_*", kUndefined, kUnknown},
    {"CUDNN_VERSION", kUndefined, kUnknown},
    {"CUDNN_MAJOR", kUndefined, kUnknown},
    {"CUBLAS_VERSION", kUndefined, kUnknown},
});

// A project's own switch: ENGINE_USE_ROCM, USE_AMD_ROCM, BUILD_ROCM, ENGINE_HIP. Not one that
// switches it off or narrows it: NO_HIP, ENGINE_DISABLE_ROCM, HIP_FAST_MATH.
constexpr Entry kOwnSwitch = {"*_HIP", kDefined, kUndefined, just(1)};

bool is_own_switch(std::string_view name) {
  std::string_view before;
  for (const std::string_view end : {"_ROCM", "_HIP"})
    if (name.ends_with(end)) before = name.substr(0, name.size() - end.size());
  if (before.ends_with("_AMD")) before.remove_suffix(4);
  if (before.empty() || before.front() == '_') return false;
  const std::size_t last = before.rfind('_');
  const std::string_view word = last == std::string_view::npos ? before : before.substr(last + 1);
  if (word == "USE" || word == "WITH" || word == "ENABLE" || word == "BUILD" || word == "IS" ||
      word == "USING")
    return before.find("NO_") == std::string_view::npos;
  // The name of the project alone.
  return last == std::string_view::npos && word != "NO" && word != "WITHOUT" && word != "DISABLE" &&
         word != "SKIP" && word != "NOT" && word != "FORCE" && word != "HAS" && word != "OLD" &&
         word != "NON";
}

const Entry* find_entry(std::string_view name) {
  const auto found = std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& entry) {
    if (entry.name.back() != '*') return name == entry.name;
    return name.starts_with(entry.name.substr(0, entry.name.size() - 1));
  });
  if (found != kEntries.end()) return &*found;
  return is_own_switch(name) ? &kOwnSwitch : nullptr;
}

}  // namespace

MacroState platform_macro(std::string_view name, Platform platform, Side side) {
  const Entry* entry = find_entry(name);
  if (entry == nullptr) return {};
  switch (platform == Platform::kAmd ? entry->amd : entry->nvidia) {
    case kUndefined:
      return {Truth::kNo, just(0)};
    case kDefined:
      return {Truth::kYes, entry->value};
    case kOfTheDevice:
      if (side == Side::kEither) return {Truth::kMaybe, entry->value};
      return side == Side::kDevice ? MacroState{Truth::kYes, entry->value}
                                   : MacroState{Truth::kNo, just(0)};
    case kUnknown:
      break;
  }
  return {Truth::kMaybe, entry->value};
}

bool is_platform_macro(std::string_view name) {
  return find_entry(name) != nullptr;
}

bool depends_on_side(std::string_view name) {
  const Entry* entry = find_entry(name);
  return entry != nullptr && (entry->amd == kOfTheDevice || entry->nvidia == kOfTheDevice);
}

}  // namespace hipwright::syntax::cuda
