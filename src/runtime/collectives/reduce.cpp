// SPDX-License-Identifier: MIT
#include "runtime/collectives/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/error.h"
#include "runtime/collectives/small_float.h"

namespace hipwright::runtime {

namespace {

// How a type is stored, and what it is computed in.
template <class T>
struct Plain {
  using Stored = T;
  static T load(T stored) { return stored; }
  static T store(T value) { return value; }
};
struct Truth {
  using Stored = std::uint8_t;
  static bool load(std::uint8_t stored) { return stored != 0; }
  static std::uint8_t store(bool value) { return value ? 1 : 0; }
};
template <class Float, class Bits, bool kSaturate>
struct Small {
  using Stored = Bits;
  static float load(Bits stored) { return Float::decode(stored); }
  static Bits store(float value) { return Float::encode(value, kSaturate); }
};

template <Reduction kReduction, class T>
T combine(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return kReduction == Reduction::kSum || kReduction == Reduction::kMax ? a || b : a && b;
  } else if constexpr (std::is_floating_point_v<T>) {
    switch (kReduction) {
      case Reduction::kSum:
        return a + b;
      case Reduction::kProduct:
        return a * b;
      case Reduction::kMin:
        return std::fmin(a, b);
      case Reduction::kMax:
        return std::fmax(a, b);
    }
  } else {
    // 64 unsigned bits wrap where the type's own arithmetic may not.
    const auto wide_a = static_cast<std::uint64_t>(a);
    const auto wide_b = static_cast<std::uint64_t>(b);
    switch (kReduction) {
      case Reduction::kSum:
        return static_cast<T>(wide_a + wide_b);
      case Reduction::kProduct:
        return static_cast<T>(wide_a * wide_b);
      case Reduction::kMin:
        return std::min(a, b);
      case Reduction::kMax:
        return std::max(a, b);
    }
  }
}

template <class Codec, Reduction kReduction>
void reduce_as(std::span<const void* const> inputs, void* output, std::size_t elements) {
  using Stored = typename Codec::Stored;
  auto* const out = static_cast<Stored*>(output);
  for (std::size_t i = 0; i < elements; ++i) {
    auto value = Codec::load(static_cast<const Stored*>(inputs[0])[i]);
    for (const void* const input : inputs.subspan(1))
      value = combine<kReduction>(value, Codec::load(static_cast<const Stored*>(input)[i]));
    out[i] = Codec::store(value);
  }
}

template <class Codec>
void reduce_with(Reduction reduction, std::span<const void* const> inputs, void* output,
                 std::size_t elements) {
  switch (reduction) {
    case Reduction::kSum:
      return reduce_as<Codec, Reduction::kSum>(inputs, output, elements);
    case Reduction::kProduct:
      return reduce_as<Codec, Reduction::kProduct>(inputs, output, elements);
    case Reduction::kMin:
      return reduce_as<Codec, Reduction::kMin>(inputs, output, elements);
    case Reduction::kMax:
      return reduce_as<Codec, Reduction::kMax>(inputs, output, elements);
  }
  bug("a reduction out of range", __FILE__, __LINE__);
}

}  // namespace

void reduce(DataType type, Reduction reduction, std::span<const void* const> inputs, void* output,
            std::size_t elements) {
  const auto with = [&]<class Codec>(Codec) {
    reduce_with<Codec>(reduction, inputs, output, elements);
  };
  switch (type) {
    case DataType::kBool:
      return with(Truth{});
    case DataType::kU8:
      return with(Plain<std::uint8_t>{});
    case DataType::kI8:
      return with(Plain<std::int8_t>{});
    case DataType::kF8E4M3:
      return with(Small<Fp8E4M3, std::uint8_t, true>{});
    case DataType::kF8E5M2:
      return with(Small<Fp8E5M2, std::uint8_t, true>{});
    case DataType::kI16:
      return with(Plain<std::int16_t>{});
    case DataType::kU16:
      return with(Plain<std::uint16_t>{});
    case DataType::kF16:
      return with(Small<Half, std::uint16_t, false>{});
    case DataType::kBF16:
      return with(Small<BFloat16, std::uint16_t, false>{});
    case DataType::kI32:
      return with(Plain<std::int32_t>{});
    case DataType::kU32:
      return with(Plain<std::uint32_t>{});
    case DataType::kF32:
      return with(Plain<float>{});
    case DataType::kI64:
      return with(Plain<std::int64_t>{});
    case DataType::kU64:
      return with(Plain<std::uint64_t>{});
    case DataType::kF64:
      return with(Plain<double>{});
  }
  bug("a data type out of range", __FILE__, __LINE__);
}

}  // namespace hipwright::runtime
