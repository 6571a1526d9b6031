// SPDX-License-Identifier: MIT
// Walks MessagePack without building it: finds the extent of a value in constant stack space, so
// that hostile nesting is rejected before a recursive decoder sees it, and large documents are
// decoded in pieces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hipwright::toolchain {

class MsgpackCursor {
 public:
  explicit MsgpackCursor(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  // Enters a map or an array: its number of entries. Nothing when the next value is another.
  std::optional<std::uint32_t> enter_map();
  std::optional<std::uint32_t> enter_array();
  std::optional<std::string_view> string();
  // The bytes of the next value, which is skipped. Empty if it is truncated, not MessagePack, or
  // nested deeper than kDeepest.
  std::optional<std::string_view> value();

  static constexpr unsigned kDeepest = 16;

 private:
  struct Head;
  std::optional<Head> head() const;

  std::string_view rest_;
};

}  // namespace hipwright::toolchain
