// SPDX-License-Identifier: MIT
// Builds tables whose names consist of parts: "ds_" + "add" + "_rtn_" + "u32".
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "soft/exec/inst.h"
#include "soft/exec/ops/ops.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

template <std::size_t N>
struct Text {
  char chars[N];
  constexpr Text(const char (&text)[N]) {  // NOLINT(google-explicit-constructor): a literal is one
    std::copy_n(text, N, chars);
  }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

template <Text... kParts>
struct Joined {
  static constexpr std::size_t kSize = (kParts.view().size() + ...);
  static constexpr std::array<char, kSize> kChars = [] {
    std::array<char, kSize> chars{};
    std::size_t at = 0;
    const auto add = [&](std::string_view part) {
      for (const char c : part) chars[at++] = c;
    };
    (add(kParts.view()), ...);
    return chars;
  }();
  static constexpr std::string_view kView{kChars.data(), kSize};
};
template <Text... kParts>
constexpr std::string_view joined = Joined<kParts...>::kView;

template <std::size_t N>
using OpList = std::array<Op, N>;

template <std::size_t... N>
constexpr OpList<(N + ...)> together(const OpList<N>&... lists) {
  OpList<(N + ...)> all;
  std::size_t at = 0;
  const auto add = [&](const auto& list) {
    for (const Op& op : list) all[at++] = op;
  };
  (add(lists), ...);
  return all;
}

// Registers of a memory operand.
constexpr Type data_type(unsigned dwords) {
  return dwords == 1 ? Type::kB32 : dwords == 2 ? Type::kB64 : Type::kWide;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
