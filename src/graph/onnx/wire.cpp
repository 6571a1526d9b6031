// SPDX-License-Identifier: MIT
#include "graph/onnx/wire.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace hipwright::graph::onnx {

namespace {

std::unexpected<Error> damaged(std::size_t offset, std::string_view why) {
  return fail("invalid Protocol Buffers message", fmt::format("byte {}", offset), std::string(why));
}

std::uint64_t load(std::string_view bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

}  // namespace

Result<std::uint64_t> MessageReader::varint() {
  std::uint64_t value = 0;
  const std::size_t begin = at_;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ == message_.size()) return damaged(begin, "truncated number");
    const auto byte = static_cast<unsigned char>(message_[at_++]);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  return damaged(begin, "a number has more than 10 bytes");
}

Result<Field> MessageReader::next() {
  Field field{.offset = at_};
  HW_TRY(const std::uint64_t tag, varint());
  if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return damaged(field.offset, "invalid field number");
  field.number = static_cast<std::uint32_t>(tag >> 3);
  std::size_t size = 0;
  switch (tag & 7) {
    case 0: {
      HW_TRY(field.bits, varint());
      return field;
    }
    case 1:
      field.kind = Field::Kind::k64;
      size = 8;
      break;
    case 2: {
      field.kind = Field::Kind::kBytes;
      HW_TRY(const std::uint64_t length, varint());
      if (length > message_.size() - at_) return damaged(field.offset, "truncated field");
      size = length;
      break;
    }
    case 5:
      field.kind = Field::Kind::k32;
      size = 4;
      break;
    default:
      return damaged(field.offset, "invalid field type");
  }
  if (size > message_.size() - at_) return damaged(field.offset, "truncated field");
  field.bytes = message_.substr(at_, size);
  if (field.kind != Field::Kind::kBytes) field.bits = load(field.bytes);
  at_ += size;
  return field;
}

Status append_varints(const Field& field, std::vector<std::int64_t>& out) {
  if (field.kind == Field::Kind::kVarint) {
    out.push_back(static_cast<std::int64_t>(field.bits));
    return {};
  }
  if (field.kind != Field::Kind::kBytes) return damaged(field.offset, "not an integer");
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift > 63) return damaged(field.offset, "a number has more than 10 bytes");
    value |= std::uint64_t{byte & 0x7fU} << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    out.push_back(static_cast<std::int64_t>(value));
    value = shift = 0;
  }
  if (shift != 0) return damaged(field.offset, "truncated number");
  return {};
}

namespace {

template <class T, class Bits>
Status append_fixed(const Field& field, Field::Kind kind, std::vector<T>& out) {
  if (field.kind == kind) {
    out.push_back(std::bit_cast<T>(static_cast<Bits>(field.bits)));
    return {};
  }
  if (field.kind != Field::Kind::kBytes || field.bytes.size() % sizeof(T) != 0)
    return damaged(field.offset, "not a list of numbers");
  const std::size_t before = out.size();
  out.resize(before + field.bytes.size() / sizeof(T));
  if (!field.bytes.empty())
    std::memcpy(out.data() + before, field.bytes.data(), field.bytes.size());
  return {};
}

}  // namespace

Status append_floats(const Field& field, std::vector<float>& out) {
  return append_fixed<float, std::uint32_t>(field, Field::Kind::k32, out);
}

Status append_doubles(const Field& field, std::vector<double>& out) {
  return append_fixed<double, std::uint64_t>(field, Field::Kind::k64, out);
}

void MessageWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7f) | 0x80);
  text_ += static_cast<char>(value);
}

void MessageWriter::integer(std::uint32_t number, std::int64_t value) {
  varint(std::uint64_t{number} << 3);
  varint(static_cast<std::uint64_t>(value));
}

void MessageWriter::real(std::uint32_t number, float value) {
  varint(std::uint64_t{number} << 3 | 5);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  char bytes[sizeof bits];
  std::memcpy(bytes, &bits, sizeof bits);
  text_.append(bytes, sizeof bytes);
}

void MessageWriter::bytes(std::uint32_t number, std::string_view value) {
  varint(std::uint64_t{number} << 3 | 2);
  varint(value.size());
  text_ += value;
}

}  // namespace hipwright::graph::onnx
