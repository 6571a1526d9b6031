// SPDX-License-Identifier: MIT
#include "syntax/python/platform_facts.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hipwright::syntax::python {

namespace {

enum class Form {
  kAny,         // variable, attribute or call
  kCallOrBare,  // not an attribute: `tensor.is_cuda` is about a tensor
};

enum class Fact {
  kRocm,         // true on ROCm, a test for ROCm
  kGpu,          // true on ROCm as on CUDA, by intent
  kTrue,         // true, but no test for ROCm
  kNvidia,       // false on ROCm, true on NVIDIA
  kFalse,        // false: another platform
  kRocmIfTrue,   // not known, but true on ROCm only
  kVersionHip,   // a string on ROCm
  kVersionCuda,  // None on ROCm
};

struct Entry {
  std::string_view name;  // the end of a dotted name
  Form form;
  Fact fact;
};

constexpr Entry kEntries[] = {
    {"is_rocm", Form::kAny, Fact::kRocm},
    {"_is_rocm", Form::kAny, Fact::kRocm},
    {"is_rocm_platform", Form::kAny, Fact::kRocm},
    {"is_hip", Form::kAny, Fact::kRocm},
    {"_is_hip", Form::kAny, Fact::kRocm},
    {"is_hip_", Form::kAny, Fact::kRocm},
    {"is_hip_runtime", Form::kAny, Fact::kRocm},
    {"is_amd", Form::kAny, Fact::kRocm},
    {"_is_amd", Form::kAny, Fact::kRocm},
    {"is_amd_gpu", Form::kAny, Fact::kRocm},
    {"is_rocm_pytorch", Form::kAny, Fact::kRocm},
    {"IS_ROCM", Form::kAny, Fact::kRocm},
    {"_IS_ROCM", Form::kAny, Fact::kRocm},
    {"IS_HIP", Form::kAny, Fact::kRocm},
    {"_IS_HIP", Form::kAny, Fact::kRocm},
    {"IS_HIP_EXTENSION", Form::kAny, Fact::kRocm},
    {"TEST_WITH_ROCM", Form::kAny, Fact::kRocm},
    {"HAS_ROCM", Form::kAny, Fact::kRocm},
    {"USE_ROCM", Form::kAny, Fact::kRocm},
    {"is_in_amd_ci", Form::kAny, Fact::kRocmIfTrue},
    {"is_cuda_alike", Form::kAny, Fact::kGpu},
    {"_is_cuda_alike", Form::kAny, Fact::kGpu},
    {"is_cuda", Form::kCallOrBare, Fact::kNvidia},
    {"_is_cuda", Form::kAny, Fact::kNvidia},
    {"IS_CUDA", Form::kAny, Fact::kNvidia},
    {"_IS_CUDA", Form::kAny, Fact::kNvidia},
    {"is_nvidia", Form::kAny, Fact::kNvidia},
    {"_is_nvidia", Form::kAny, Fact::kNvidia},
    {"is_nvidia_gpu", Form::kAny, Fact::kNvidia},
    {"is_nvidia_hopper", Form::kAny, Fact::kFalse},
    // Functions that check for CUDA before they query the compute capability.
    {"is_sm80_supported", Form::kAny, Fact::kFalse},
    {"is_sm90_supported", Form::kAny, Fact::kFalse},
    {"is_sm100_supported", Form::kAny, Fact::kFalse},
    {"is_sm120_supported", Form::kAny, Fact::kFalse},
    {"is_blackwell_supported", Form::kAny, Fact::kFalse},
    {"is_blackwell", Form::kAny, Fact::kFalse},
    {"is_npu", Form::kCallOrBare, Fact::kFalse},
    {"_is_npu", Form::kAny, Fact::kFalse},
    {"is_xpu", Form::kCallOrBare, Fact::kFalse},
    {"_is_xpu", Form::kAny, Fact::kFalse},
    {"is_cpu", Form::kCallOrBare, Fact::kFalse},
    {"_is_cpu", Form::kAny, Fact::kFalse},
    {"is_hpu", Form::kCallOrBare, Fact::kFalse},
    {"_is_hpu", Form::kAny, Fact::kFalse},
    {"is_tpu", Form::kCallOrBare, Fact::kFalse},
    {"_is_tpu", Form::kAny, Fact::kFalse},
    {"is_mps", Form::kCallOrBare, Fact::kFalse},
    {"_is_mps", Form::kAny, Fact::kFalse},
    {"is_musa", Form::kCallOrBare, Fact::kFalse},
    {"_is_musa", Form::kAny, Fact::kFalse},
    {"is_neuron", Form::kCallOrBare, Fact::kFalse},
    {"is_out_of_tree", Form::kAny, Fact::kFalse},
    {"version.hip", Form::kAny, Fact::kVersionHip},
    {"version.rocm", Form::kAny, Fact::kVersionHip},
    {"version.cuda", Form::kAny, Fact::kVersionCuda},
    {"ROCM_HOME", Form::kAny, Fact::kVersionHip},
    {"torch.cuda.is_available", Form::kAny, Fact::kTrue},
    {"torch.xpu.is_available", Form::kAny, Fact::kFalse},
    {"torch.npu.is_available", Form::kAny, Fact::kFalse},
    {"torch.hpu.is_available", Form::kAny, Fact::kFalse},
    {"mps.is_available", Form::kAny, Fact::kFalse},
    {"TYPE_CHECKING", Form::kAny, Fact::kFalse},
};

// Besides the table: parts of expressions that are known as a whole.
constexpr std::string_view kOthers[] = {"version", "get_current_target", "PlatformEnum",
                                        "get_device_name", "_use_aiter"};

Value value_of(Fact fact) {
  switch (fact) {
    case Fact::kRocm:
    case Fact::kGpu:
      return {Truth::kYes, Truth::kNo, true, false, true};
    case Fact::kTrue:
      return {Truth::kYes, Truth::kNo, false, false, true};
    case Fact::kNvidia:
      return {Truth::kNo, Truth::kNo, false, true, true};
    case Fact::kFalse:
      return {Truth::kNo, Truth::kNo, false, false, true};
    case Fact::kRocmIfTrue:
      return {Truth::kMaybe, Truth::kMaybe, true, false, true};
    case Fact::kVersionHip:
      return {Truth::kYes, Truth::kNo, true, false, true};
    case Fact::kVersionCuda:
      return {Truth::kNo, Truth::kYes, false, true, true};
  }
  return {};
}

std::string_view last_part(std::string_view dotted) {
  return dotted.substr(dotted.rfind('.') + 1);
}

// Is `name` all of the dotted name or its last parts?
bool ends_with(std::string_view dotted, std::string_view name) {
  if (!dotted.ends_with(name)) return false;
  return dotted.size() == name.size() || dotted[dotted.size() - name.size() - 1] == '.';
}

const std::vector<Name>& names() {
  static const std::vector<Name> all = [] {
    std::vector<Name> made;
    for (const Entry& entry : kEntries) made.emplace_back(last_part(entry.name));
    for (const std::string_view other : kOthers) made.emplace_back(other);
    return made;
  }();
  return all;
}

// Names must exist before main() begins.
[[maybe_unused]] const std::size_t kNameCount = names().size() + test_mark_name().id();

}  // namespace

std::optional<Value> platform_fact(std::string_view dotted, bool is_called) {
  for (const Entry& entry : kEntries) {
    if (!ends_with(dotted, entry.name)) continue;
    const bool is_attribute = dotted.size() > entry.name.size();
    if (entry.form == Form::kCallOrBare && is_attribute && !is_called) continue;
    return value_of(entry.fact);
  }
  const std::string_view last = last_part(dotted);
  // Targets and libraries that only ROCm has: on_gfx950(), on_mi3xx(), _use_aiter.
  if (last.starts_with("on_gfx") || last.starts_with("on_mi3") || last.starts_with("is_gfx") ||
      last.find("aiter") != last.npos)
    return value_of(Fact::kRocmIfTrue);
  return std::nullopt;
}

std::optional<Value> platform_equality(std::string_view dotted, std::string_view text) {
  if (ends_with(dotted, "version.cuda")) return value_of(Fact::kNvidia);
  if (ends_with(dotted, "PlatformEnum.ROCM")) return value_of(Fact::kRocm);
  if (ends_with(dotted, "PlatformEnum.CUDA")) return value_of(Fact::kNvidia);
  if (!ends_with(dotted, "backend") || dotted.find("target") == dotted.npos) return std::nullopt;
  if (text == "hip") return value_of(Fact::kRocm);
  if (text == "cuda") return value_of(Fact::kNvidia);
  return std::nullopt;
}

std::optional<Value> device_name_has(std::string_view text) {
  const auto any = [&](std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts,
                               [&](std::string_view part) { return text.find(part) != text.npos; });
  };
  if (text == "AMD") return value_of(Fact::kRocm);
  if (any({"AMD", "MI2", "MI3", "Instinct", "Radeon", "gfx"})) return value_of(Fact::kRocmIfTrue);
  if (any({"NVIDIA", "Tesla", "GeForce", "RTX", "H100", "H200", "H20", "A100", "B200", "L40"}))
    return value_of(Fact::kNvidia);
  return std::nullopt;
}

bool is_part_of_fact(std::string_view name) {
  return std::ranges::find(kOthers, name) != std::end(kOthers);
}

bool is_rocm_name(std::string_view name) {
  return std::ranges::any_of(kEntries, [&](const Entry& entry) {
    return entry.fact == Fact::kRocm && entry.name == name;
  });
}

bool skips_on_rocm(std::string_view decorator) {
  static constexpr std::string_view kDecorators[] = {
      "skipIfRocm",   "skipIfRocmArch", "skipCUDAIfRocm", "skip_if_rocm",
      "skip_on_rocm", "skip_rocm",      "onlyNVIDIA"};
  return std::ranges::find(kDecorators, decorator) != std::end(kDecorators);
}

const Name& test_mark_name() {
  static const Name name("pytestmark");
  return name;
}

std::span<const Name> platform_names() {
  return names();
}

}  // namespace hipwright::syntax::python
