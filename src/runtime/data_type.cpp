// SPDX-License-Identifier: MIT
#include "runtime/data_type.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hipwright/error.h"

namespace hipwright {

namespace {

struct TypeInfo {
  DataType type;
  std::string_view name;
  std::size_t size;
};

constexpr std::array kTypes = {
    TypeInfo{DataType::kBool, "BOOL", 1},      TypeInfo{DataType::kU8, "U8", 1},
    TypeInfo{DataType::kI8, "I8", 1},          TypeInfo{DataType::kF8E4M3, "F8_E4M3", 1},
    TypeInfo{DataType::kF8E5M2, "F8_E5M2", 1}, TypeInfo{DataType::kI16, "I16", 2},
    TypeInfo{DataType::kU16, "U16", 2},        TypeInfo{DataType::kF16, "F16", 2},
    TypeInfo{DataType::kBF16, "BF16", 2},      TypeInfo{DataType::kI32, "I32", 4},
    TypeInfo{DataType::kU32, "U32", 4},        TypeInfo{DataType::kF32, "F32", 4},
    TypeInfo{DataType::kI64, "I64", 8},        TypeInfo{DataType::kU64, "U64", 8},
    TypeInfo{DataType::kF64, "F64", 8}};

constexpr const char* kUseAValue = "Use a value of the enumeration.";

std::size_t checked(const char* call, const Result<std::uint64_t>& count) {
  if (count) return *count;
  throw AMDBackendError(count.error().message(), {.call = call, .advice = count.error().fix});
}

const TypeInfo& info_of(DataType type) {
  const auto found = std::ranges::find(kTypes, type, &TypeInfo::type);
  if (found == kTypes.end())
    throw AMDBackendError(
        fmt::format("{} is not a DataType. {}", static_cast<int>(type), kUseAValue),
        {.call = "size_of", .advice = kUseAValue});
  return *found;
}

}  // namespace

std::string_view to_string(DataType type) {
  return info_of(type).name;
}

std::size_t size_of(DataType type) {
  return info_of(type).size;
}

std::size_t Tensor::elements() const {
  return checked("Tensor::elements", runtime::count_elements(shape));
}

std::size_t Tensor::bytes() const {
  return checked("Tensor::bytes", runtime::count_bytes(type, shape));
}

namespace runtime {

constexpr const char* kSmaller = "Reduce a dimension.";

std::optional<DataType> parse_data_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &TypeInfo::name);
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

Result<std::uint64_t> count_elements(std::span<const std::int64_t> shape) {
  std::uint64_t count = 1;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0)
      return fail("invalid shape", shape_text(shape), "negative dimension",
                  "Every dimension must be 0 or more.");
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(dimension), &count))
      return fail("invalid shape", shape_text(shape), "the number of elements exceeds 64 bits",
                  kSmaller);
  }
  return count;
}

Result<std::uint64_t> count_bytes(DataType type, std::span<const std::int64_t> shape) {
  HW_TRY(std::uint64_t bytes, count_elements(shape));
  if (__builtin_mul_overflow(bytes, std::uint64_t{size_of(type)}, &bytes))
    return fail("invalid shape", shape_text(shape), "the number of bytes exceeds 64 bits",
                kSmaller);
  return bytes;
}

std::string shape_text(std::span<const std::int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace runtime

}  // namespace hipwright
