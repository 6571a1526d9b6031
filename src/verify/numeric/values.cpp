// SPDX-License-Identifier: MIT
#include "verify/numeric/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/data_type.h"
#include "verify/numeric/float_format.h"

namespace hipwright::verify {

namespace {

struct TypeNames {
  DataType type;
  std::string_view name;
  std::string_view other;  // as C has it; may be empty
};
constexpr TypeNames kNames[] = {
    {DataType::kBool, "bool", ""},
    {DataType::kU8, "u8", "uint8_t"},
    {DataType::kI8, "i8", "int8_t"},
    {DataType::kF8E4M3, "f8e4m3", "fp8_e4m3"},
    {DataType::kF8E5M2, "f8e5m2", "fp8_e5m2"},
    {DataType::kI16, "i16", "int16_t"},
    {DataType::kU16, "u16", "uint16_t"},
    {DataType::kF16, "f16", "half"},
    {DataType::kBF16, "bf16", "bfloat16"},
    {DataType::kI32, "i32", "int"},
    {DataType::kU32, "u32", "unsigned"},
    {DataType::kF32, "f32", "float"},
    {DataType::kI64, "i64", "int64_t"},
    {DataType::kU64, "u64", "uint64_t"},
    {DataType::kF64, "f64", "double"},
};

template <class T>
T bits_at(const Values& values, std::size_t index) {
  T value;
  std::memcpy(&value, values.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void put(Values& values, std::size_t index, T value) {
  std::memcpy(values.bytes.data() + index * sizeof(T), &value, sizeof(T));
}

std::uint64_t raw_at(const Values& values, std::size_t index) {
  switch (size_of(values.type)) {
    case 1:
      return bits_at<std::uint8_t>(values, index);
    case 2:
      return bits_at<std::uint16_t>(values, index);
    case 4:
      return bits_at<std::uint32_t>(values, index);
    default:
      return bits_at<std::uint64_t>(values, index);
  }
}

// The comparisons are with powers of two, which doubles have: 2^63 is one more than the largest.
template <class T>
T integer_of(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  const double least = static_cast<double>(std::numeric_limits<T>::min());
  const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (rounded < least) return std::numeric_limits<T>::min();
  if (rounded >= limit) return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

}  // namespace

bool is_float(DataType type) {
  return format_of(type) != nullptr;
}

double Values::at(std::size_t index) const {
  if (const FloatFormat* format = format_of(type)) return decode(raw_at(*this, index), *format);
  switch (type) {
    case DataType::kI8:
      return bits_at<std::int8_t>(*this, index);
    case DataType::kI16:
      return bits_at<std::int16_t>(*this, index);
    case DataType::kI32:
      return bits_at<std::int32_t>(*this, index);
    case DataType::kI64:
      return static_cast<double>(bits_at<std::int64_t>(*this, index));
    case DataType::kBool:
      return raw_at(*this, index) != 0 ? 1 : 0;
    default:
      return static_cast<double>(raw_at(*this, index));
  }
}

void store(Values& values, std::size_t index, double value) {
  switch (values.type) {
    case DataType::kBool:
      return put<std::uint8_t>(values, index, value != 0 ? 1 : 0);
    case DataType::kU8:
      return put(values, index, integer_of<std::uint8_t>(value));
    case DataType::kI8:
      return put(values, index, integer_of<std::int8_t>(value));
    case DataType::kI16:
      return put(values, index, integer_of<std::int16_t>(value));
    case DataType::kU16:
      return put(values, index, integer_of<std::uint16_t>(value));
    case DataType::kI32:
      return put(values, index, integer_of<std::int32_t>(value));
    case DataType::kU32:
      return put(values, index, integer_of<std::uint32_t>(value));
    case DataType::kI64:
      return put(values, index, integer_of<std::int64_t>(value));
    case DataType::kU64:
      return put(values, index, integer_of<std::uint64_t>(value));
    default:
      break;
  }
  const std::uint64_t bits = encode(value, *format_of(values.type));
  switch (size_of(values.type)) {
    case 1:
      return put(values, index, static_cast<std::uint8_t>(bits));
    case 2:
      return put(values, index, static_cast<std::uint16_t>(bits));
    case 4:
      return put(values, index, static_cast<std::uint32_t>(bits));
    default:
      return put(values, index, bits);
  }
}

Values zeros(DataType type, Shape shape) {
  const auto bytes = runtime::count_bytes(type, shape);
  HW_ASSERT(bytes);
  return {type, std::move(shape), std::string(*bytes, '\0')};
}

std::string_view short_name(DataType type) {
  return std::ranges::find(kNames, type, &TypeNames::type)->name;
}

Result<DataType> parse_type(std::string_view word) {
  for (const TypeNames& names : kNames)
    if (word == names.name || (!names.other.empty() && word == names.other)) return names.type;
  if (const auto type = runtime::parse_data_type(word)) return *type;
  std::vector<std::string_view> known;
  for (const TypeNames& names : kNames) known.push_back(names.name);
  const bool is_fnuz = word.find("fnuz") != std::string_view::npos;
  return fail("unsupported type", std::string(word),
              is_fnuz ? "only OCP 8-bit floats are supported" : "",
              is_fnuz ? "Convert to f8e4m3 or f8e5m2 first, or give the bits as u8."
                      : fmt::format("Use one of {}.", fmt::join(known, ", ")));
}

std::string index_text(const Shape& shape, std::size_t index) {
  std::vector<std::size_t> parts(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(shape[axis], 1));
    parts[axis] = index % size;
    index /= size;
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string value_text(const Values& values, std::size_t index) {
  switch (values.type) {
    case DataType::kI64:
      return fmt::format("{}", bits_at<std::int64_t>(values, index));
    case DataType::kU64:
      return fmt::format("{}", bits_at<std::uint64_t>(values, index));
    case DataType::kF64:
      return fmt::format("{}", values.at(index));
    case DataType::kF32:
      return fmt::format("{}", static_cast<float>(values.at(index)));
    case DataType::kF16:
    case DataType::kBF16:
    case DataType::kF8E4M3:
    case DataType::kF8E5M2:
      return fmt::format("{:.5g}", values.at(index));
    case DataType::kBool:
      return values.at(index) != 0 ? "true" : "false";
    default:
      return fmt::format("{:.0f}", values.at(index));
  }
}

}  // namespace hipwright::verify
