// SPDX-License-Identifier: MIT
#include "soft/memory_cases.h"

namespace hipwright::soft::memory_test {

namespace {

struct Small {
  enum { kNumber, kInfinite, kNan } kind = kNumber;
  bool negative = false;
  __int128 units = 0;  // of the format's least denormal
};

Small decode(std::uint32_t bits, unsigned mantissa_bits) {
  const std::uint32_t exponent_mask = 0x7fffU >> mantissa_bits;
  const std::uint32_t exponent = (bits >> mantissa_bits) & exponent_mask;
  const std::uint32_t mantissa = bits & ((1U << mantissa_bits) - 1);
  Small small{.negative = (bits & 0x8000) != 0};
  if (exponent == exponent_mask) {
    small.kind = mantissa ? Small::kNan : Small::kInfinite;
    return small;
  }
  small.units = exponent == 0 ? mantissa : mantissa + (1U << mantissa_bits);
  return small;
}

}  // namespace

std::uint32_t add_half(std::uint32_t a, std::uint32_t b, unsigned mantissa_bits) {
  const std::uint32_t quiet_bit = 1U << (mantissa_bits - 1);
  const std::uint32_t infinity = 0x7fffU >> mantissa_bits << mantissa_bits;
  const Small x = decode(a, mantissa_bits), y = decode(b, mantissa_bits);
  if (x.kind == Small::kNan) return a | quiet_bit;
  if (y.kind == Small::kNan) return b | quiet_bit;
  if (x.kind == Small::kInfinite && y.kind == Small::kInfinite)
    return x.negative == y.negative ? a : infinity | quiet_bit;
  if (x.kind == Small::kInfinite) return a;
  if (y.kind == Small::kInfinite) return b;
  const int bias = static_cast<int>((0x7fffU >> mantissa_bits) / 2);
  const auto value = [&](std::uint32_t bits, const Small& small) {
    const int exponent = static_cast<int>((bits >> mantissa_bits) & (0x7fffU >> mantissa_bits));
    const __float128 magnitude = static_cast<__float128>(static_cast<double>(small.units));
    __float128 scaled = magnitude;
    int shift = (exponent == 0 ? 1 : exponent) - bias - static_cast<int>(mantissa_bits);
    for (; shift > 0; --shift) scaled *= 2;
    for (; shift < 0; ++shift) scaled /= 2;
    return small.negative ? -scaled : scaled;
  };
  // Exponents differ by up to 254 in bf16: 113 bits hold the sum or, beyond that, the larger
  // operand, which is then the rounded result.
  const __float128 sum = value(a, x) + value(b, y);
  if (sum == 0) return x.units == 0 && y.units == 0 && x.negative && y.negative ? 0x8000 : 0;
  const bool negative = sum < 0;
  __float128 magnitude = negative ? -sum : sum;
  int exponent = bias;  // magnitude × 2^(exponent - bias) is the sum
  while (magnitude >= 2) magnitude /= 2, ++exponent;
  while (magnitude < 1 && exponent > 1) magnitude *= 2, --exponent;
  for (unsigned i = 0; i < mantissa_bits; ++i) magnitude *= 2;
  auto units = static_cast<std::uint32_t>(magnitude);
  const __float128 rest = magnitude - units;
  if (rest > 0.5 || (rest == 0.5 && (units & 1) != 0)) ++units;
  // Carries move into the exponent by themselves; denormals have exponent 1 and no leading one.
  std::uint32_t bits = units + ((static_cast<std::uint32_t>(exponent) - 1U) << mantissa_bits);
  if (bits > infinity) bits = infinity;
  return bits | (negative ? 0x8000U : 0U);
}

const std::vector<Atomic>& atomics() {
  using u64 = std::uint64_t;
  static const auto signed_of = [](u64 value, unsigned bits) {
    return bits == 64 ? static_cast<__int128>(static_cast<std::int64_t>(value))
                      : static_cast<__int128>(static_cast<std::int32_t>(value));
  };
  static const std::vector<Atomic> kAtomics = [] {
    std::vector<Atomic> list;
    struct Names {
      std::string_view gfx9, gfx9_x2, gfx11, gfx11_x2;
    };
    using Function = u64 (*)(u64, u64, u64, unsigned);
    const auto both = [&](Names names, Function f, bool compares = false) {
      for (const unsigned bits : {32U, 64U}) {
        const u64 mask = bits == 64 ? ~0ULL : 0xffffffffULL;
        list.push_back({bits == 64 ? names.gfx9_x2 : names.gfx9,
                        bits == 64 ? names.gfx11_x2 : names.gfx11, bits,
                        [f, bits, mask](u64 old, u64 data, u64 compare, Isa) {
                          return f(old & mask, data & mask, compare & mask, bits) & mask;
                        },
                        compares});
      }
    };
    both({"swap", "swap_x2", "swap_b32", "swap_b64"},
         [](u64, u64 data, u64, unsigned) { return data; });
    both(
        {"cmpswap", "cmpswap_x2", "cmpswap_b32", "cmpswap_b64"},
        [](u64 old, u64 data, u64 compare, unsigned) { return old == compare ? data : old; }, true);
    both({"add", "add_x2", "add_u32", "add_u64"},
         [](u64 old, u64 data, u64, unsigned) { return old + data; });
    both({"sub", "sub_x2", "sub_u32", "sub_u64"},
         [](u64 old, u64 data, u64, unsigned) { return old - data; });
    both({"smin", "smin_x2", "min_i32", "min_i64"}, [](u64 old, u64 data, u64, unsigned bits) {
      return signed_of(old, bits) < signed_of(data, bits) ? old : data;
    });
    both({"smax", "smax_x2", "max_i32", "max_i64"}, [](u64 old, u64 data, u64, unsigned bits) {
      return signed_of(old, bits) > signed_of(data, bits) ? old : data;
    });
    both({"umin", "umin_x2", "min_u32", "min_u64"},
         [](u64 old, u64 data, u64, unsigned) { return old < data ? old : data; });
    both({"umax", "umax_x2", "max_u32", "max_u64"},
         [](u64 old, u64 data, u64, unsigned) { return old > data ? old : data; });
    both({"and", "and_x2", "and_b32", "and_b64"},
         [](u64 old, u64 data, u64, unsigned) { return old & data; });
    both({"or", "or_x2", "or_b32", "or_b64"},
         [](u64 old, u64 data, u64, unsigned) { return old | data; });
    both({"xor", "xor_x2", "xor_b32", "xor_b64"},
         [](u64 old, u64 data, u64, unsigned) { return old ^ data; });
    both({"inc", "inc_x2", "inc_u32", "inc_u64"},
         [](u64 old, u64 data, u64, unsigned) { return old < data ? old + 1 : 0; });
    both({"dec", "dec_x2", "dec_u32", "dec_u64"},
         [](u64 old, u64 data, u64, unsigned) { return old >= 1 && old <= data ? old - 1 : data; });
    const auto one = [&](std::string_view gfx9, std::string_view gfx11, unsigned bits, char values,
                         auto f, std::string_view gfx10 = {}) {
      list.push_back({gfx9, gfx11, bits, f, false, values, gfx10.empty() ? gfx9 : gfx10});
    };
    one("add_f32", "add_f32", 32, 'f',
        [](u64 old, u64 data, u64, Isa isa) { return added<float>(old, data, flushes_f32(isa)); });
    one("add_f64", "add_f64", 64, 'f',
        [](u64 old, u64 data, u64, Isa) { return added<double>(old, data, false); });
    one(
        "min_f32", "min_num_f32", 32, 'f',
        [](u64 old, u64 data, u64, Isa isa) { return extreme<float>(old, data, isa, false); },
        "fmin");
    one(
        "max_f32", "max_num_f32", 32, 'f',
        [](u64 old, u64 data, u64, Isa isa) { return extreme<float>(old, data, isa, true); },
        "fmax");
    one(
        "min_f64", "min_num_f64", 64, 'f',
        [](u64 old, u64 data, u64, Isa isa) { return extreme<double>(old, data, isa, false); },
        "fmin_x2");
    one(
        "max_f64", "max_num_f64", 64, 'f',
        [](u64 old, u64 data, u64, Isa isa) { return extreme<double>(old, data, isa, true); },
        "fmax_x2");
    one("pk_add_f16", "pk_add_f16", 32, 'h',
        [](u64 old, u64 data, u64, Isa) { return add_pair(old, data, 10); });
    one("pk_add_bf16", "pk_add_bf16", 32, 'b',
        [](u64 old, u64 data, u64, Isa) { return add_pair(old, data, 7); });
    one(
        "csub_u32", "sub_clamp_u32", 32, 'i',
        [](u64 old, u64 data, u64, Isa) { return data > old ? 0 : old - data; }, "csub");
    one("cond_sub_u32", "cond_sub_u32", 32, 'i',
        [](u64 old, u64 data, u64, Isa) { return data > old ? old : old - data; });
    list.push_back({"cmpswap_f32", "cmpswap_f32", 32,
                    [](u64 old, u64 data, u64 compare, Isa) {
                      return as_float<float>(old) == as_float<float>(compare) ? data : old;
                    },
                    true, 'f', "fcmpswap"});
    list.push_back({"cmpswap_f64", "cmpswap_f64", 64,
                    [](u64 old, u64 data, u64 compare, Isa) {
                      return as_float<double>(old) == as_float<double>(compare) ? data : old;
                    },
                    true, 'f', "fcmpswap_x2"});
    return list;
  }();
  return kAtomics;
}

}  // namespace hipwright::soft::memory_test
