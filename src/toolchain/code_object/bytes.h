// SPDX-License-Identifier: MIT
// Binary input: slices that keep their memory alive, and reads that cannot leave it.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace hipwright::toolchain {

// A part of a file or of something unpacked from one. Copies and slices share the memory, so
// views into it stay valid as long as any of them lives.
class Bytes {
 public:
  Bytes() = default;
  Bytes(std::string content) {
    auto owner = std::make_shared<const std::string>(std::move(content));
    view_ = *owner;
    owner_ = std::move(owner);
  }
  Bytes(std::shared_ptr<const void> owner, std::string_view view)
      : owner_(std::move(owner)), view_(view) {}

  std::string_view view() const { return view_; }
  std::size_t size() const { return view_.size(); }

  // The caller has checked that the range lies inside.
  Bytes slice(std::uint64_t offset, std::uint64_t length) const {
    HW_ASSERT(offset <= view_.size() && length <= view_.size() - offset);
    return {owner_, view_.substr(offset, length)};
  }

 private:
  std::shared_ptr<const void> owner_;
  std::string_view view_;
};

// Whether [offset, offset + length) lies inside `size` bytes; no sum overflows.
constexpr bool fits(std::uint64_t size, std::uint64_t offset, std::uint64_t length) {
  return offset <= size && length <= size - offset;
}

// The T that starts at `offset` (the formats read here are little-endian, as the hosts are).
template <class T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!fits(bytes.size(), offset, sizeof(T))) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace hipwright::toolchain
