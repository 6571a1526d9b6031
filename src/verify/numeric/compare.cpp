// SPDX-License-Identifier: MIT
#include "verify/numeric/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>

#include "runtime/data_type.h"
#include "verify/numeric/float_format.h"
#include "verify/numeric/pattern.h"

namespace hipwright::verify {

namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Elements of a float type: their bits.
template <class Bits, const FloatFormat& kFormat>
struct Float {
  using Stored = Bits;
  static constexpr bool kIsFloat = true;
  static double value(Bits bits) { return decode(bits, kFormat); }
  static std::uint64_t steps(Bits a, Bits b) {
    return distance(ordinal(a, kFormat), ordinal(b, kFormat));
  }
};

template <class T>
struct Integer {
  using Stored = T;
  static constexpr bool kIsFloat = false;
  static double value(T element) { return static_cast<double>(element); }
  static std::uint64_t steps(T a, T b) {
    return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                 : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
  }
};

struct Truth : Integer<std::uint8_t> {
  static double value(std::uint8_t element) { return element != 0 ? 1 : 0; }
  static std::uint64_t steps(std::uint8_t a, std::uint8_t b) {
    return (a != 0) != (b != 0) ? 1 : 0;
  }
};

template <class Use>
auto with_type(DataType type, Use&& use) {
  switch (type) {
    case DataType::kBool:
      return use(Truth{});
    case DataType::kU8:
      return use(Integer<std::uint8_t>{});
    case DataType::kI8:
      return use(Integer<std::int8_t>{});
    case DataType::kF8E4M3:
      return use(Float<std::uint8_t, kE4M3>{});
    case DataType::kF8E5M2:
      return use(Float<std::uint8_t, kE5M2>{});
    case DataType::kI16:
      return use(Integer<std::int16_t>{});
    case DataType::kU16:
      return use(Integer<std::uint16_t>{});
    case DataType::kF16:
      return use(Float<std::uint16_t, kFloat16>{});
    case DataType::kBF16:
      return use(Float<std::uint16_t, kBrain16>{});
    case DataType::kI32:
      return use(Integer<std::int32_t>{});
    case DataType::kU32:
      return use(Integer<std::uint32_t>{});
    case DataType::kF32:
      return use(Float<std::uint32_t, kFloat32>{});
    case DataType::kI64:
      return use(Integer<std::int64_t>{});
    case DataType::kU64:
      return use(Integer<std::uint64_t>{});
    case DataType::kF64:
      return use(Float<std::uint64_t, kFloat64>{});
  }
  bug("a type without a comparison", __FILE__, __LINE__);
}

template <class Stored>
Stored load(const std::string& bytes, std::size_t index) {
  Stored element;
  std::memcpy(&element, bytes.data() + index * sizeof(Stored), sizeof(Stored));
  return element;
}

// A few thousand evenly spread elements approximate the median well enough.
double median_magnitude(const Values& expected) {
  const std::size_t count = expected.count(), step = count / 4096 + 1;
  std::vector<double> magnitudes;
  for (std::size_t i = 0; i < count; i += step) {
    const double magnitude = std::abs(expected.at(i));
    if (magnitude > 0 && std::isfinite(magnitude)) magnitudes.push_back(magnitude);
  }
  if (magnitudes.empty()) return 0;
  const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
  std::ranges::nth_element(magnitudes, middle);
  return *middle;
}

// A pair is 0 when equal, up to 1 unit: 1, 2: 2, 4: 3, and so on.
std::size_t class_of(std::uint64_t steps) {
  if (steps == 0) return 0;
  const std::size_t index =
      steps == 1 ? 1 : 1 + static_cast<std::size_t>(std::bit_width(steps - 1));
  return std::min<std::size_t>(index, 15);
}

// The tolerance, prepared for one pair of tensors.
struct Allowed {
  double relative, absolute, ulps;
  bool elements, equal_nan;  // elements: each is compared, not only the vectors

  Allowed(const Tolerance& tolerance, const Values& expected)
      : relative(tolerance.relative),
        absolute(tolerance.absolute),
        ulps(tolerance.ulps.value_or(0)),
        elements(!tolerance.cosine || tolerance.relative > 0 || tolerance.absolute > 0 ||
                 tolerance.scaled > 0 || tolerance.ulps),
        equal_nan(tolerance.equal_nan) {
    if (tolerance.scaled > 0) absolute += tolerance.scaled * median_magnitude(expected);
  }
};

class Tally {
 public:
  Tally(Comparison& result, const Allowed& allowed) : result_(result), allowed_(allowed) {}

  // Whether the pair is right; `index` is reported if not.
  template <class Type>
  bool add(typename Type::Stored expected, typename Type::Stored actual, std::size_t index) {
    const double want = Type::value(expected), have = Type::value(actual);
    if constexpr (Type::kIsFloat)
      if (!std::isfinite(want) || !std::isfinite(have)) return add_special(want, have);
    const std::uint64_t steps = Type::steps(expected, actual);
    ++result_.by_ulps[class_of(steps)];
    if (steps == 0) return true;
    double error = std::abs(have - want);
    if constexpr (!Type::kIsFloat) error = static_cast<double>(steps);
    result_.max_absolute = std::max(result_.max_absolute, error);
    if (want != 0) result_.max_relative = std::max(result_.max_relative, error / std::abs(want));
    if (static_cast<double>(steps) > result_.max_ulps) {
      result_.max_ulps = static_cast<double>(steps);
      result_.worst = index;
    }
    if (!allowed_.elements) return true;
    const double bound = allowed_.absolute + allowed_.relative * std::abs(want);
    if constexpr (Type::kIsFloat)
      return error <= bound || static_cast<double>(steps) <= allowed_.ulps;
    else
      return within(steps, std::max(bound, allowed_.ulps));
  }

 private:
  bool add_special(double want, double have) {
    const bool both_nan = std::isnan(want) && std::isnan(have);
    if (want == have || (both_nan && allowed_.equal_nan)) {
      ++result_.by_ulps[0];
      return true;
    }
    ++result_.by_ulps.back();
    ++(std::isnan(want) || std::isnan(have) ? result_.wrong_nans : result_.wrong_infinities);
    return false;
  }

  // Integers beyond 2^53 are compared as such.
  static bool within(std::uint64_t steps, double bound) {
    return bound >= 0x1p64 || steps <= static_cast<std::uint64_t>(bound);
  }

  Comparison& result_;
  const Allowed& allowed_;
};

// One element of the pair (expected[i], actual[j]) is wrong.
void note_wrong(Comparison& result, const Values& expected, const Values& actual, std::size_t i,
                std::size_t j) {
  if (result.wrong++ == 0) {
    result.is_wrong.assign(result.count, false);
    result.first_wrong = kNowhere;
  }
  result.is_wrong[i] = true;
  if (i > result.first_wrong) return;
  result.first_wrong = i;
  result.first_expected = expected.at(i);
  result.first_actual = actual.at(j);
  result.first_expected_text = value_text(expected, i);
  result.first_actual_text = value_text(actual, j);
}

template <class Type>
void compare_in_order(Comparison& result, const Values& expected, const Values& actual,
                      const Allowed& allowed) {
  using Stored = typename Type::Stored;
  // Most results are equal bit for bit: whole chunks of them cost only the read.
  constexpr std::size_t kChunk = 16384 / sizeof(Stored);
  const bool equal_bits_are_right = !Type::kIsFloat || allowed.equal_nan;
  Tally tally(result, allowed);
  for (std::size_t begin = 0; begin < result.count; begin += kChunk) {
    const std::size_t end = std::min(result.count, begin + kChunk);
    if (equal_bits_are_right && std::memcmp(expected.bytes.data() + begin * sizeof(Stored),
                                            actual.bytes.data() + begin * sizeof(Stored),
                                            (end - begin) * sizeof(Stored)) == 0) {
      result.by_ulps[0] += end - begin;
      continue;
    }
    for (std::size_t i = begin; i < end; ++i)
      if (!tally.template add<Type>(load<Stored>(expected.bytes, i), load<Stored>(actual.bytes, i),
                                    i))
        note_wrong(result, expected, actual, i, i);
  }
}

// Sorted by value, NaNs last. What is allowed for a value grows with it, so that the smallest may
// always be paired with the smallest: if any pairing is right, this one is.
template <class Type>
std::vector<std::size_t> sorted(const Values& values) {
  using Stored = typename Type::Stored;
  std::vector<std::size_t> order(values.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const Stored x = load<Stored>(values.bytes, a), y = load<Stored>(values.bytes, b);
    if constexpr (!Type::kIsFloat) return x < y;
    const double u = Type::value(x), v = Type::value(y);
    return std::isnan(v) ? !std::isnan(u) : u < v;
  });
  return order;
}

template <class Type>
void compare_any_order(Comparison& result, const Values& expected, const Values& actual,
                       const Allowed& allowed) {
  using Stored = typename Type::Stored;
  const auto e = sorted<Type>(expected), a = sorted<Type>(actual);
  Tally tally(result, allowed);
  for (std::size_t i = 0; i < result.count; ++i)
    if (!tally.template add<Type>(load<Stored>(expected.bytes, e[i]),
                                  load<Stored>(actual.bytes, a[i]), e[i]))
      note_wrong(result, expected, actual, e[i], a[i]);
}

// Of the finite pairs. Scaled by the largest magnitudes: squares of large numbers overflow.
double cosine_of(const Values& expected, const Values& actual) {
  return with_type(expected.type, [&](auto type) {
    using Type = decltype(type);
    using Stored = typename Type::Stored;
    const std::size_t count = expected.count();
    const auto each = [&](auto&& use) {
      for (std::size_t i = 0; i < count; ++i) {
        const double e = Type::value(load<Stored>(expected.bytes, i));
        const double a = Type::value(load<Stored>(actual.bytes, i));
        if (std::isfinite(e) && std::isfinite(a)) use(e, a);
      }
    };
    double largest_e = 0, largest_a = 0;
    each([&](double e, double a) {
      largest_e = std::max(largest_e, std::abs(e));
      largest_a = std::max(largest_a, std::abs(a));
    });
    if (largest_e == 0 || largest_a == 0) return largest_e == largest_a ? 1.0 : 0.0;
    double ee = 0, aa = 0, ea = 0;
    each([&](double e, double a) {
      e /= largest_e;
      a /= largest_a;
      ee += e * e;
      aa += a * a;
      ea += e * a;
    });
    return std::clamp(ea / (std::sqrt(ee) * std::sqrt(aa)), -1.0, 1.0);
  });
}

std::string problem_of(const Values& expected, const Values& actual) {
  if (expected.type != actual.type)
    return fmt::format("expected {}, got {}", short_name(expected.type), short_name(actual.type));
  if (expected.shape != actual.shape)
    return fmt::format("expected shape {}, got {}", runtime::shape_text(expected.shape),
                       runtime::shape_text(actual.shape));
  for (const Values* values : {&expected, &actual}) {
    const auto bytes = runtime::count_bytes(values->type, values->shape);
    if (!bytes || *bytes != values->bytes.size())
      return fmt::format("the {} values have {} bytes, which does not fit shape {} of {}",
                         values == &expected ? "expected" : "actual", values->bytes.size(),
                         runtime::shape_text(values->shape), short_name(values->type));
  }
  return {};
}

Comparison compared(const Values& expected, const Values& actual, const Tolerance& tolerance) {
  Comparison result{
      .type = expected.type, .shape = expected.shape, .allowed = to_string(tolerance)};
  result.problem = problem_of(expected, actual);
  if (!result.problem.empty()) return result;
  result.count = expected.count();
  const Allowed allowed(tolerance, expected);
  with_type(expected.type, [&](auto type) {
    if (tolerance.any_order)
      compare_any_order<decltype(type)>(result, expected, actual, allowed);
    else
      compare_in_order<decltype(type)>(result, expected, actual, allowed);
  });
  if (!tolerance.any_order && result.by_ulps[0] != result.count)
    result.cosine = cosine_of(expected, actual);
  result.passes = result.wrong == 0 && result.cosine >= tolerance.cosine.value_or(-1);
  return result;
}

void explain(Comparison& result, const Values& expected, const Values& actual,
             std::span<const std::int64_t> indices, const Tolerance& tolerance,
             const Layout& layout) {
  if (result.wrong == 0 || tolerance.any_order) return;
  result.pattern = pattern_of(result.is_wrong, indices, result.shape, layout);
  const std::string factor = common_factor(expected, actual, result.is_wrong);
  if (!factor.empty()) result.pattern += (result.pattern.empty() ? "" : "; ") + factor;
}

}  // namespace

Comparison compare(const Values& expected, const Values& actual, const Tolerance& tolerance,
                   const Layout& layout) {
  Comparison result = compared(expected, actual, tolerance);
  explain(result, expected, actual, {}, tolerance, layout);
  return result;
}

Comparison compare_sample(const Values& expected, const Values& actual, const Shape& whole,
                          std::span<const std::int64_t> indices, const Tolerance& tolerance,
                          const Layout& layout) {
  Comparison result = compared(expected, actual, tolerance);
  result.shape = whole;
  if (!result.problem.empty() || indices.size() != result.count) return result;
  explain(result, expected, actual, indices, tolerance, layout);
  const auto in_whole = [&](std::size_t i) { return static_cast<std::size_t>(indices[i]); };
  if (result.wrong != 0) result.first_wrong = in_whole(result.first_wrong);
  if (result.count != 0) result.worst = in_whole(result.worst);
  return result;
}

}  // namespace hipwright::verify
