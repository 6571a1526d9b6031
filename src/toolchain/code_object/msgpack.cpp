// SPDX-License-Identifier: MIT
#include "toolchain/code_object/msgpack.h"

#include <array>

namespace hipwright::toolchain {

namespace {

enum class Shape { kScalar, kString, kArray, kMap };

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// The layout of the values from 0xc0 to 0xdf: bytes of the length field, additional bytes of
// payload (the type byte of an extension, or the scalar itself), and what the length counts.
struct Layout {
  std::uint8_t length_bytes;
  std::uint8_t payload;
  Shape shape;
};

constexpr std::array<Layout, 32> kLayouts = {{
    {0, 0, Shape::kScalar},    // nil
    {0, 255, Shape::kScalar},  // never used by the format
    {0, 0, Shape::kScalar},    // false
    {0, 0, Shape::kScalar},    // true
    {1, 0, Shape::kScalar},   {2, 0, Shape::kScalar},  {4, 0, Shape::kScalar},  // bin
    {1, 1, Shape::kScalar},   {2, 1, Shape::kScalar},  {4, 1, Shape::kScalar},  // ext
    {0, 4, Shape::kScalar},   {0, 8, Shape::kScalar},                           // float
    {0, 1, Shape::kScalar},   {0, 2, Shape::kScalar},  {0, 4, Shape::kScalar},
    {0, 8, Shape::kScalar},  // uint
    {0, 1, Shape::kScalar},   {0, 2, Shape::kScalar},  {0, 4, Shape::kScalar},
    {0, 8, Shape::kScalar},  // int
    {0, 2, Shape::kScalar},   {0, 3, Shape::kScalar},  {0, 5, Shape::kScalar},
    {0, 9, Shape::kScalar},   {0, 17, Shape::kScalar},                          // fixext
    {1, 0, Shape::kString},   {2, 0, Shape::kString},  {4, 0, Shape::kString},  // str
    {2, 0, Shape::kArray},    {4, 0, Shape::kArray},                            // array
    {2, 0, Shape::kMap},      {4, 0, Shape::kMap},                              // map
}};

}  // namespace

struct MsgpackCursor::Head {
  Shape shape = Shape::kScalar;
  std::uint64_t bytes = 1;    // of the head, and of everything that is not an entry
  std::uint64_t content = 0;  // of a string: its bytes
  std::uint32_t entries = 0;  // of an array or a map
};

std::optional<MsgpackCursor::Head> MsgpackCursor::head() const {
  if (rest_.empty()) return std::nullopt;
  const auto first = static_cast<unsigned char>(rest_.front());
  Head head;
  if (first <= 0x7f || first >= 0xe0) return head;  // small integers
  if (first <= 0x8f) {
    head.shape = Shape::kMap;
    head.entries = first & 0xf;
  } else if (first <= 0x9f) {
    head.shape = Shape::kArray;
    head.entries = first & 0xf;
  } else if (first <= 0xbf) {
    head.shape = Shape::kString;
    head.content = first & 0x1f;
    head.bytes += head.content;
  } else {
    const Layout& layout = kLayouts[first - 0xc0];
    if (layout.payload == 255 || rest_.size() < 1u + layout.length_bytes) return std::nullopt;
    const std::uint64_t length = big_endian(rest_.substr(1, layout.length_bytes));
    head.shape = layout.shape;
    head.bytes = 1u + layout.length_bytes + layout.payload;
    if (layout.shape == Shape::kArray || layout.shape == Shape::kMap) {
      head.entries = static_cast<std::uint32_t>(length);
    } else {
      head.content = length;
      head.bytes += length;
    }
  }
  if (head.bytes > rest_.size()) return std::nullopt;
  return head;
}

std::optional<std::uint32_t> MsgpackCursor::enter_map() {
  const auto next = head();
  if (!next || next->shape != Shape::kMap) return std::nullopt;
  rest_.remove_prefix(next->bytes);
  return next->entries;
}

std::optional<std::uint32_t> MsgpackCursor::enter_array() {
  const auto next = head();
  if (!next || next->shape != Shape::kArray) return std::nullopt;
  rest_.remove_prefix(next->bytes);
  return next->entries;
}

std::optional<std::string_view> MsgpackCursor::string() {
  const auto next = head();
  if (!next || next->shape != Shape::kString) return std::nullopt;
  const std::string_view text = rest_.substr(next->bytes - next->content, next->content);
  rest_.remove_prefix(next->bytes);
  return text;
}

std::optional<std::string_view> MsgpackCursor::value() {
  const std::string_view start = rest_;
  // Values still to come at each level of nesting.
  std::array<std::uint64_t, kDeepest> open{};
  unsigned depth = 0;
  open[0] = 1;
  while (true) {
    const auto next = head();
    if (!next) return std::nullopt;
    rest_.remove_prefix(next->bytes);
    --open[depth];
    if (next->entries != 0) {
      if (++depth == kDeepest) return std::nullopt;
      open[depth] = next->shape == Shape::kMap ? 2 * std::uint64_t{next->entries} : next->entries;
    }
    while (open[depth] == 0) {
      if (depth == 0) return start.substr(0, start.size() - rest_.size());
      --depth;
    }
  }
}

}  // namespace hipwright::toolchain
