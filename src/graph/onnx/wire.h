// SPDX-License-Identifier: MIT
// Protocol Buffers' wire format: fields as number, type and value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::graph::onnx {

struct Field {
  std::uint32_t number = 0;
  enum class Kind { kVarint, k64, kBytes, k32 } kind = Kind::kVarint;
  std::uint64_t bits = 0;  // of all but kBytes
  std::string_view bytes;  // of kBytes; inside the message
  std::size_t offset = 0;  // of the field in the message
};

// The fields of a message, one after the other. Reads only what lies inside it.
class MessageReader {
 public:
  explicit MessageReader(std::string_view message) : message_(message) {}
  bool at_end() const { return at_ == message_.size(); }
  // Errors: truncated, an invalid tag, a group (which ONNX does not use).
  Result<Field> next();

 private:
  Result<std::uint64_t> varint();
  std::string_view message_;
  std::size_t at_ = 0;
};

// Numbers of a repeated field, packed or one by one: appended.
Status append_varints(const Field& field, std::vector<std::int64_t>& out);
Status append_floats(const Field& field, std::vector<float>& out);
Status append_doubles(const Field& field, std::vector<double>& out);

class MessageWriter {
 public:
  void integer(std::uint32_t number, std::int64_t value);
  void real(std::uint32_t number, float value);
  void bytes(std::uint32_t number, std::string_view value);
  void message(std::uint32_t number, const MessageWriter& value) { bytes(number, value.text_); }
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  void varint(std::uint64_t value);
  std::string text_;
};

}  // namespace hipwright::graph::onnx
