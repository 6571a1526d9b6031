// SPDX-License-Identifier: MIT
#include "project/build/cmake_values.h"

#include <algorithm>
#include <array>

namespace hipwright::project {

namespace {

// More than any build lists; bounds texts that double themselves.
constexpr std::size_t kMostItems = 10'000;
constexpr std::size_t kLongestText = 4096;

struct Known {
  std::string_view name;
  std::string_view amd;
  std::string_view nvidia;
};

// Variables that select a platform. They are set when configuring: defaults in the files (option,
// set(… CACHE)) do not count.
constexpr std::array kKnown = std::to_array<Known>({
    {"USE_ROCM", "ON", "OFF"},
    {"USE_HIP", "ON", "OFF"},
    {"HIP_FOUND", "TRUE", "FALSE"},
    {"hip_FOUND", "TRUE", "FALSE"},
    {"ROCM_FOUND", "TRUE", "FALSE"},
    {"PYTORCH_FOUND_HIP", "TRUE", "FALSE"},
    {"GGML_HIP", "ON", "OFF"},
    {"GGML_HIPBLAS", "ON", "OFF"},
    {"LLAMA_HIP", "ON", "OFF"},
    {"LLAMA_HIPBLAS", "ON", "OFF"},
    {"WITH_HIP", "ON", "OFF"},
    {"WITH_ROCM", "ON", "OFF"},
    {"ENABLE_HIP", "ON", "OFF"},
    {"ENABLE_ROCM", "ON", "OFF"},
    {"BUILD_HIP", "ON", "OFF"},
    {"BUILD_ROCM", "ON", "OFF"},
    {"IS_ROCM", "ON", "OFF"},
    {"USE_ROCM_TOOLKIT", "ON", "OFF"},
    {"CMAKE_HIP_COMPILER", "hipcc", ""},
    {"USE_CUDA", "OFF", "ON"},
    {"USE_CUDA_TOOLKIT", "OFF", "ON"},
    {"CUDA_FOUND", "FALSE", "TRUE"},
    {"CUDAToolkit_FOUND", "FALSE", "TRUE"},
    {"GGML_CUDA", "OFF", "ON"},
    {"GGML_CUBLAS", "OFF", "ON"},
    {"LLAMA_CUDA", "OFF", "ON"},
    {"LLAMA_CUBLAS", "OFF", "ON"},
    {"WITH_CUDA", "OFF", "ON"},
    {"ENABLE_CUDA", "OFF", "ON"},
    {"BUILD_CUDA", "OFF", "ON"},
    {"IS_CUDA", "OFF", "ON"},
    {"CMAKE_CUDA_COMPILER", "", "nvcc"},
    {"VLLM_TARGET_DEVICE", "rocm", "cuda"},
    {"VLLM_GPU_LANG", "HIP", "CUDA"},
    {"COMPUTE_BACKEND", "hip", "cuda"},
    {"HIP_PLATFORM", "amd", "nvidia"},
    {"GGML_MUSA", "OFF", "OFF"},
    {"USE_MUSA", "OFF", "OFF"},
    {"MUSAToolkit_FOUND", "FALSE", "FALSE"},
});

const Known* find_known(std::string_view name) {
  const auto* found = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const Known& known) { return known.name == name; });
  return found == kKnown.end() ? nullptr : found;
}

void split(CMakeValues& into, std::string_view text) {
  while (true) {
    const std::size_t end = text.find(';');
    if (end != 0 && !text.empty()) into.items.push_back({std::string(text.substr(0, end))});
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void limit(CMakeValues& values) {
  if (values.items.size() <= kMostItems) return;
  values.items.resize(kMostItems);
  values.is_known = false;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto upper = [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return upper(x) == upper(y); });
}

}  // namespace

Truth truth_of_text(std::string_view text) {
  for (const std::string_view no : {"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"}) {
    if (equals_ignoring_case(text, no)) return Truth::kNo;
  }
  return text.ends_with("-NOTFOUND") ? Truth::kNo : Truth::kYes;
}

std::optional<std::string> CMakeValues::text() const {
  if (!is_known) return std::nullopt;
  std::string joined;
  bool is_first = true;
  for (const CMakeItem& item : items) {
    if (item.present == Truth::kMaybe) return std::nullopt;
    if (item.present == Truth::kNo) continue;
    if (!is_first) joined.push_back(';');
    is_first = false;
    joined += item.text;
  }
  return joined;
}

Truth CMakeValues::truth() const {
  if (const auto known = text()) return truth_of_text(*known);
  // A list of several is true whatever else is in it.
  const auto certain = std::count_if(items.begin(), items.end(), [](const CMakeItem& item) {
    return item.present == Truth::kYes;
  });
  return certain > 1 ? Truth::kYes : Truth::kMaybe;
}

CMakeValues CMakeVariables::get(std::string_view name) const {
  if (const auto found = set_.find(name); found != set_.end()) return found->second;
  CMakeValues values;
  if (const Known* known = find_known(name)) {
    split(values, platform_ == Platform::kAmd ? known->amd : known->nvidia);
  } else {
    values.is_known = false;
  }
  return values;
}

void CMakeVariables::set(std::string_view name, CMakeValues values, Truth when) {
  for (CMakeItem& item : values.items) item.present = item.present & when;
  if (when != Truth::kYes) {
    CMakeValues old = get(name);
    for (CMakeItem& item : old.items) item.present = item.present & !when;
    values.is_known = when == Truth::kNo && old.is_known;
    if (when == Truth::kNo) old = get(name);
    values.items.insert(values.items.begin(), old.items.begin(), old.items.end());
  }
  limit(values);
  set_.insert_or_assign(std::string(name), std::move(values));
}

void CMakeVariables::append(std::string_view name, const CMakeValues& values, Truth when) {
  CMakeValues all = has(name) ? get(name) : CMakeValues{};
  for (const CMakeItem& item : values.items) all.items.push_back({item.text, item.present & when});
  all.is_known = all.is_known && (values.is_known || when == Truth::kNo);
  limit(all);
  set_.insert_or_assign(std::string(name), std::move(all));
}

void CMakeVariables::forget(std::string_view name) {
  if (const auto found = set_.find(name); found != set_.end()) found->second.is_known = false;
}

CMakeValues CMakeVariables::expand(const CMakeArgument& argument) const {
  if (argument.kind == CMakeArgument::Kind::kBracket) return {{{std::string(argument.text)}}, true};
  return expand(argument.text);
}

CMakeValues CMakeVariables::expand(std::string_view text) const {
  if (text.starts_with("${") && text.find('}') == text.size() - 1 &&
      text.find('$', 1) == std::string_view::npos)
    return get(text.substr(2, text.size() - 3));
  CMakeValues values;
  std::string all(text);
  // From the inside out: ${${A}_B}.
  for (std::size_t open = all.rfind("${"); open != std::string::npos; open = all.rfind("${")) {
    const std::size_t close = all.find('}', open);
    if (close == std::string::npos || all.size() > kLongestText) {
      values.is_known = false;
      break;
    }
    const auto value = get(std::string_view(all).substr(open + 2, close - open - 2)).text();
    if (!value) values.is_known = false;
    all.replace(open, close - open + 1, value.value_or(""));
  }
  if (all.find("$ENV{") != std::string::npos || all.find("$CACHE{") != std::string::npos)
    values.is_known = false;
  split(values, all);
  // A path with an unknown part is not the path without it.
  if (!values.is_known) values.items.clear();
  return values;
}

}  // namespace hipwright::project
