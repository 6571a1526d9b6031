// SPDX-License-Identifier: MIT
// Compiled without contraction (see CMakeLists.txt): a fused multiply-add on one machine and two
// roundings on another would be two different inputs.
#include "verify/numeric/fill.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "verify/numeric/float_format.h"

namespace hipwright::verify {

namespace {

using Kind = Distribution::Kind;

// A bijection of 64 bits in which every bit of the input changes half of the output's.
std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9;
  x ^= x >> 27;
  x *= 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// Random bits number `draw` of element `index`.
std::uint64_t bits_of(std::uint64_t seed, std::uint64_t index, std::uint64_t draw = 0) {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
  return mixed(mixed(mixed(seed + kStep) + index * kStep) + draw * kStep);
}

// [0, 1), 53 bits.
double unit_of(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * power_of_two(-53);
}

// 0 < x < 1. Library logarithms differ in the last bit between machines; this series, whose error
// is about that, does not.
double natural_logarithm(double x) {
  constexpr double kLn2 = 0.69314718055994530942, kRoot2 = 1.41421356237309504880;
  int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1023;
  double mantissa = x / power_of_two(exponent);
  if (mantissa > kRoot2) {
    mantissa /= 2;
    ++exponent;
  }
  const double t = (mantissa - 1) / (mantissa + 1), square = t * t;
  double sum = 0;
  for (int power = 23; power >= 1; power -= 2) sum = sum * square + 1.0 / power;
  return 2 * t * sum + exponent * kLn2;
}

// Marsaglia's polar method; each element draws until a point is inside the circle.
double standard_normal(std::uint64_t seed, std::uint64_t index) {
  for (std::uint64_t draw = 0;; draw += 2) {
    const double u = 2 * unit_of(bits_of(seed, index, draw)) - 1;
    const double v = 2 * unit_of(bits_of(seed, index, draw + 1)) - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * natural_logarithm(s) / s);
  }
}

double uniform(double a, double b, std::uint64_t bits) {
  const double u = unit_of(bits);
  return std::clamp(a * (1 - u) + b * u, a, b);
}

std::int64_t integer(double a, double b, std::uint64_t bits) {
  const auto low = static_cast<std::int64_t>(a), high = static_cast<std::int64_t>(b);
  const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const auto above =
      static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * range) >> 64);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + above);
}

// A Feistel network permutes 2^(2 * half) numbers; those outside of [0, count) go round again.
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed)
      : count_(count),
        seed_(seed),
        half_((std::bit_width(std::max<std::uint64_t>(count, 2) - 1) + 1) / 2) {}

  std::uint64_t operator()(std::uint64_t index) const {
    do {
      index = once(index);
    } while (index >= count_);
    return index;
  }

 private:
  std::uint64_t once(std::uint64_t x) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = x >> half_, right = x & mask;
    for (std::uint64_t round = 0; round < 6; ++round)
      left = std::exchange(right, left ^ (bits_of(seed_, right, round) & mask));
    return left << half_ | right;
  }

  std::uint64_t count_, seed_;
  int half_;
};

std::vector<double> float_edges(const FloatFormat& format) {
  std::vector<std::uint64_t> magnitudes{0,
                                        1,
                                        format.least_normal() - 1,
                                        format.least_normal(),
                                        format.largest(),
                                        encode(1, format),
                                        encode(1, format) + 1};
  if (format.has_infinity) magnitudes.push_back(format.infinity());
  std::vector<double> edges;
  for (const std::uint64_t magnitude : magnitudes) {
    edges.push_back(decode(magnitude, format));
    edges.push_back(decode(magnitude | format.sign_bit(), format));
  }
  edges.push_back(decode(format.quiet_nan(), format));
  return edges;
}

std::vector<double> edges_of(DataType type) {
  if (const FloatFormat* format = format_of(type)) return float_edges(*format);
  if (type == DataType::kBool) return {0, 1};
  const double beyond = 1e30;  // becomes the type's greatest or least
  return {0, 1, -1, 2, beyond, -beyond};
}

// Every edge is among the first elements; later, one element in four is one of them.
double edge(const std::vector<double>& edges, std::uint64_t seed, std::uint64_t index) {
  if (index % 2 == 1 && index / 2 < edges.size()) return edges[index / 2];
  const std::uint64_t bits = bits_of(seed, index);
  if (bits % 4 == 0) return edges[(bits >> 32) % edges.size()];
  return uniform(-8, 8, bits_of(seed, index, 1));
}

// Integers wrap around, so that a long "arange" of bytes counts on.
void put_integer(Values& values, std::size_t index, std::int64_t value) {
  if (is_float(values.type) || values.type == DataType::kBool)
    return store(values, index, static_cast<double>(value));
  const std::size_t size = size_of(values.type);
  for (std::size_t byte = 0; byte < size; ++byte)
    values.bytes[index * size + byte] =
        static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte));
}

}  // namespace

Values filled(DataType type, Shape shape, const Distribution& distribution, std::uint64_t seed) {
  Values values = zeros(type, std::move(shape));
  const std::size_t count = values.count();
  const auto [kind, a, b] = distribution;
  const auto each = [&](auto&& value_of) {
    for (std::size_t i = 0; i < count; ++i) store(values, i, value_of(i));
  };
  const auto each_integer = [&](auto&& value_of) {
    for (std::size_t i = 0; i < count; ++i) put_integer(values, i, value_of(i));
  };
  switch (kind) {
    case Kind::kUniform:
      each([&](auto i) { return uniform(a, b, bits_of(seed, i)); });
      break;
    case Kind::kNormal:
      each([&](auto i) { return a + b * standard_normal(seed, i); });
      break;
    case Kind::kIntegers:
      each_integer([&](auto i) { return integer(a, b, bits_of(seed, i)); });
      break;
    case Kind::kConstant:
      each([&](auto) { return a; });
      break;
    case Kind::kArange:
      if (a == std::nearbyint(a) && b == std::nearbyint(b))
        each_integer([&](auto i) {
          return static_cast<std::int64_t>(
              static_cast<std::uint64_t>(static_cast<std::int64_t>(a)) +
              i * static_cast<std::uint64_t>(static_cast<std::int64_t>(b)));
        });
      else
        each([&](auto i) { return a + b * static_cast<double>(i); });
      break;
    case Kind::kPermutation:
      each_integer([permutation = Permutation(count, seed)](auto i) {
        return static_cast<std::int64_t>(permutation(i));
      });
      break;
    case Kind::kEdges:
      each([&, edges = edges_of(type)](auto i) { return edge(edges, seed, i); });
      break;
  }
  return values;
}

}  // namespace hipwright::verify
