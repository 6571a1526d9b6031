// SPDX-License-Identifier: MIT
#include "graph/ir/tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/numeric/float_format.h"

namespace hipwright::graph {

namespace {

enum class Kind { kFloat, kSigned, kUnsigned, kBool };

struct TypeRow {
  ElementType type;
  std::string_view name;
  std::size_t size;
  Kind kind;
  const verify::FloatFormat* format;
};
using enum ElementType;
constexpr std::array kTypes = {TypeRow{kF32, "f32", 4, Kind::kFloat, &verify::kFloat32},
                               TypeRow{kF64, "f64", 8, Kind::kFloat, &verify::kFloat64},
                               TypeRow{kF16, "f16", 2, Kind::kFloat, &verify::kFloat16},
                               TypeRow{kBF16, "bf16", 2, Kind::kFloat, &verify::kBrain16},
                               TypeRow{kE4M3, "f8e4m3", 1, Kind::kFloat, &verify::kE4M3},
                               TypeRow{kE5M2, "f8e5m2", 1, Kind::kFloat, &verify::kE5M2},
                               TypeRow{kE4M3Fnuz, "f8e4m3fnuz", 1, Kind::kFloat, nullptr},
                               TypeRow{kE5M2Fnuz, "f8e5m2fnuz", 1, Kind::kFloat, nullptr},
                               TypeRow{kI8, "i8", 1, Kind::kSigned, nullptr},
                               TypeRow{kI16, "i16", 2, Kind::kSigned, nullptr},
                               TypeRow{kI32, "i32", 4, Kind::kSigned, nullptr},
                               TypeRow{kI64, "i64", 8, Kind::kSigned, nullptr},
                               TypeRow{kU8, "u8", 1, Kind::kUnsigned, nullptr},
                               TypeRow{kU16, "u16", 2, Kind::kUnsigned, nullptr},
                               TypeRow{kU32, "u32", 4, Kind::kUnsigned, nullptr},
                               TypeRow{kU64, "u64", 8, Kind::kUnsigned, nullptr},
                               TypeRow{kBool, "bool", 1, Kind::kBool, nullptr}};

const TypeRow* row_of(ElementType type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return &row;
  return nullptr;
}

std::uint64_t load(const char* at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  return bits;
}

template <class T>
T loaded(const char* data, std::size_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

Integer integer_of(std::uint64_t bits, const TypeRow& row) {
  if (row.kind != Kind::kSigned) return row.kind == Kind::kBool ? bits != 0 : Integer{bits};
  const auto shift = static_cast<int>(64 - 8 * row.size);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

Integer truncated(double value) {
  if (!(std::abs(value) < 0x1p100)) return 0;  // NaN, infinities: undefined in ONNX
  return static_cast<Integer>(value);
}

std::uint64_t bits_of(Integer value, const TypeRow& row) {
  return row.kind == Kind::kBool ? value != 0 : static_cast<std::uint64_t>(value);
}

}  // namespace

std::string_view to_string(ElementType type) {
  if (type == kUndefined) return "undefined";
  if (type == kString) return "string";
  const TypeRow* row = row_of(type);
  return row == nullptr ? "" : row->name;
}

std::size_t size_of(ElementType type) {
  const TypeRow* row = row_of(type);
  return row == nullptr ? 0 : row->size;
}

bool is_float(ElementType type) {
  const TypeRow* row = row_of(type);
  return row != nullptr && row->kind == Kind::kFloat;
}

bool is_integer(ElementType type) {
  const TypeRow* row = row_of(type);
  return row != nullptr && (row->kind == Kind::kSigned || row->kind == Kind::kUnsigned);
}

bool has_arithmetic(ElementType type) {
  const TypeRow* row = row_of(type);
  return row != nullptr && (row->kind != Kind::kFloat || row->format != nullptr);
}

std::string dims_text(const Dims& dims) {
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

Result<std::int64_t> count_elements(const Dims& dims) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t count = 1;
  bool is_empty = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return fail("invalid shape", dims_text(dims), "a dimension is negative");
    if (dim == 0) is_empty = true;
    if (dim > most || count > most / std::max<std::int64_t>(dim, 1))
      return fail("invalid shape", dims_text(dims), "more than 2^40 elements");
    count *= std::max<std::int64_t>(dim, 1);
  }
  return is_empty ? 0 : count;
}

std::int64_t Tensor::count() const {
  std::int64_t result = 1;
  for (const std::int64_t dim : dims) result *= dim;
  return result;
}

bool operator==(const Tensor& a, const Tensor& b) {
  return a.type == b.type && a.dims == b.dims && (a.bytes == b.bytes || *a.bytes == *b.bytes);
}

std::vector<double> floats_of(const Tensor& tensor) {
  const TypeRow& row = *row_of(tensor.type);
  std::vector<double> out(static_cast<std::size_t>(tensor.count()));
  const char* data = tensor.bytes->data();
  if (tensor.type == kF32) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = loaded<float>(data, i);
    return out;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bits = load(data + i * row.size, row.size);
    out[i] = row.kind == Kind::kFloat ? verify::decode(bits, *row.format)
                                      : static_cast<double>(integer_of(bits, row));
  }
  return out;
}

std::vector<Integer> integers_of(const Tensor& tensor) {
  const TypeRow& row = *row_of(tensor.type);
  std::vector<Integer> out(static_cast<std::size_t>(tensor.count()));
  const char* data = tensor.bytes->data();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bits = load(data + i * row.size, row.size);
    out[i] = row.kind == Kind::kFloat ? truncated(verify::decode(bits, *row.format))
                                      : integer_of(bits, row);
  }
  return out;
}

std::vector<std::int64_t> int64s_of(const Tensor& tensor) {
  std::vector<std::int64_t> out;
  out.reserve(static_cast<std::size_t>(tensor.count()));
  for (const Integer value : integers_of(tensor)) out.push_back(static_cast<std::int64_t>(value));
  return out;
}

Tensor raw_tensor(ElementType type, Dims dims, std::string bytes) {
  return {type, std::move(dims), std::make_shared<const std::string>(std::move(bytes))};
}

Tensor tensor_of(ElementType type, Dims dims, const std::vector<double>& values) {
  const TypeRow& row = *row_of(type);
  std::string bytes(values.size() * row.size, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (type == kF32 && !std::isnan(values[i])) {
      const auto rounded = static_cast<float>(values[i]);
      std::memcpy(bytes.data() + i * sizeof rounded, &rounded, sizeof rounded);
      continue;
    }
    std::uint64_t bits = 0;
    if (row.kind == Kind::kFloat)
      bits = verify::encode(values[i], *row.format);
    else if (row.kind == Kind::kBool)
      bits = values[i] != 0;
    else
      bits = bits_of(truncated(values[i]), row);
    std::memcpy(bytes.data() + i * row.size, &bits, row.size);
  }
  return raw_tensor(type, std::move(dims), std::move(bytes));
}

Tensor tensor_of_integers(ElementType type, Dims dims, const std::vector<Integer>& values) {
  const TypeRow& row = *row_of(type);
  if (row.kind == Kind::kFloat) {
    std::vector<double> floats;
    for (const Integer value : values) floats.push_back(static_cast<double>(value));
    return tensor_of(type, std::move(dims), floats);
  }
  std::string bytes(values.size() * row.size, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = bits_of(values[i], row);
    std::memcpy(bytes.data() + i * row.size, &bits, row.size);
  }
  return raw_tensor(type, std::move(dims), std::move(bytes));
}

Tensor int64_tensor(Dims dims, const std::vector<std::int64_t>& values) {
  std::string bytes(values.size() * sizeof(std::int64_t), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return raw_tensor(kI64, std::move(dims), std::move(bytes));
}

}  // namespace hipwright::graph
