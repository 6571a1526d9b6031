// SPDX-License-Identifier: MIT
// Tests of NVIDIA's architecture number that leave a function without its work on AMD.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

// #if … #endif with all of its branches, or an if with its else.
struct ConditionGroup {
  TokenRange lines;                  // from the #if to the end of the #endif's line
  std::vector<TokenRange> branches;  // bodies

  TokenRange place() const { return {lines.begin, lines.begin + 2}; }  // "#if"
};
// The group whose #if or #ifdef holds this token.
std::optional<ConditionGroup> group_of(const File& file, TokenIndex token);

// Does a condition in the group name AMD? The number that a port gives AMD's GPUs
// (`__HIP_DEVICE_COMPILE__ * 700`) does not.
bool names_amd(const File& file, const ConditionGroup& group);
// `__HIP_DEVICE_COMPILE__ * 700`: a port made this condition of one on __CUDA_ARCH__.
bool counts_amd(const File& file, const ConditionGroup& group);
// Tests for 900 and later: features without a counterpart.
bool is_for_hopper(const File& file, const ConditionGroup& group);

// Macros that are defined, or have their values, by a test of the architecture number.
std::set<std::string_view> architecture_macros(const File& file);

struct HiddenCode {
  enum class Effect { kNothing, kTraps, kConstant, kReturns, kMissing };
  ConditionGroup group;
  const Function* function;
  Effect effect;
};
std::string_view to_string(HiddenCode::Effect effect);  // "does nothing"

// Functions that do their work only where an architecture test holds, which never does on AMD.
// Tests of these macros count, too: see architecture_macros.
std::vector<HiddenCode> code_hidden_from_amd(const File& file,
                                             const std::set<std::string_view>& macros = {});
// Kernels that are defined only where such a test holds, the first of each group: the host launches
// what the device code lacks.
std::vector<HiddenCode> kernels_hidden_from_amd(const File& file,
                                                const std::set<std::string_view>& macros = {});

}  // namespace hipwright::syntax::cuda
