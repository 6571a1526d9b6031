// SPDX-License-Identifier: MIT
// Tensors in host memory, with ONNX's element types.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::graph {

// The numbers are those of TensorProto.DataType.
enum class ElementType : std::uint8_t {
  kUndefined = 0,
  kF32 = 1,
  kU8 = 2,
  kI8 = 3,
  kU16 = 4,
  kI16 = 5,
  kI32 = 6,
  kI64 = 7,
  kString = 8,
  kBool = 9,
  kF16 = 10,
  kF64 = 11,
  kU32 = 12,
  kU64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBF16 = 16,
  kE4M3 = 17,
  kE4M3Fnuz = 18,
  kE5M2 = 19,
  kE5M2Fnuz = 20,
};
std::string_view to_string(ElementType type);  // "f32", "bf16"; "type 99" has no name: ""
// 0: not a type that tensors are stored in (strings, complex and 4-bit numbers).
std::size_t size_of(ElementType type);
bool is_float(ElementType type);    // also the 8-bit floats
bool is_integer(ElementType type);  // signed and unsigned, not bool

using Dims = std::vector<std::int64_t>;
std::string dims_text(const Dims& dims);  // "[2, 3]"
// The product. An error for a negative dimension, or more than 2^40 elements.
Result<std::int64_t> count_elements(const Dims& dims);

// Row-major and little-endian. Copies share the bytes.
struct Tensor {
  ElementType type = ElementType::kUndefined;
  Dims dims;
  std::shared_ptr<const std::string> bytes;

  std::int64_t count() const;
  bool is_scalar() const { return count() == 1; }
  friend bool operator==(const Tensor& a, const Tensor& b);
};

// Holds every value of the 64-bit types.
using Integer = __int128;

// Every element, exactly. Integers beyond 2^53 are rounded.
std::vector<double> floats_of(const Tensor& tensor);
// Of integers and bools; floats are truncated.
std::vector<Integer> integers_of(const Tensor& tensor);
std::vector<std::int64_t> int64s_of(const Tensor& tensor);
// Rounds to nearest even; integers wrap around. `dims` must have as many elements as `values`.
Tensor tensor_of(ElementType type, Dims dims, const std::vector<double>& values);
Tensor tensor_of_integers(ElementType type, Dims dims, const std::vector<Integer>& values);
Tensor int64_tensor(Dims dims, const std::vector<std::int64_t>& values);
Tensor raw_tensor(ElementType type, Dims dims, std::string bytes);

// Elements that can be converted to and from numbers here.
bool has_arithmetic(ElementType type);

}  // namespace hipwright::graph
