// SPDX-License-Identifier: MIT
// The arithmetic of CDNA3's matrix cores, bit for bit (arXiv 2511.10909 found it by probing
// MI300X). For a group of products p and the accumulator c, with exponents as the multiplier has
// them (the sum of the operands' exponents, not normalised; zero counts as 2^-126):
//   e = the largest exponent of the products; each product truncated at 2^(e-24); s = their sum
//   E = max(e, exponent of c); s rounded down at 2^(E-31), c rounded down at 2^(E-24)
//   D = s + c rounded to nearest even.
// 8-bit floats: even and odd products make two such sums, which are aligned to the larger exponent
// and rounded down at 24 bits; a c more than 25 exponents below E is dropped.
#include <bit>
#include <cmath>
#include <type_traits>

#include "soft/exec/ops/matrix.h"
#include "soft/exec/ops/matrix_vec.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

using std::int32_t;
using std::int64_t;
using std::uint32_t;

constexpr unsigned kMaxElements = 2048;
constexpr int kZeroExponent = -126;
constexpr int kFraction = 24;     // bits kept of a product
constexpr int kSumFraction = 31;  // bits kept of the sum of products

template <unsigned W>
using Ints = Vec<int32_t, W>;

// The exponents of a matrix as its multipliers see them, and what they allow.
struct Exponents {
  alignas(64) int32_t of[kMaxElements];
  int largest = kZeroExponent;
  int smallest = 1000;   // of what is not zero
  bool special = false;  // an infinity or NaN among them
};

void find_exponents(const float* values, unsigned count, const Significand& format,
                    Exponents& out) {
  constexpr unsigned W = kWords;
  Ints<W> largest = Ints<W>{} + kZeroExponent, smallest = Ints<W>{} + out.smallest;
  const Ints<W> zero = largest, none = smallest, lowest = Ints<W>{} + format.lowest;
  for (unsigned i = 0; i < count; i += W) {
    const Ints<W> bits = std::bit_cast<Ints<W>>(load<float, W>(values + i)) & 0x7fffffff;
    const Ints<W> exponent = larger<W>((bits >> 23) - 127, lowest);
    const Ints<W> seen = bits != 0 ? exponent : zero;
    const Ints<W> least = bits != 0 ? exponent : none;
    store<int32_t, W>(out.of + i, seen);
    largest = larger<W>(largest, seen);
    smallest = smallest < least ? smallest : least;
  }
  for (unsigned i = 0; i < W; ++i) {
    out.largest = std::max(out.largest, largest[i]);
    out.smallest = std::min(out.smallest, smallest[i]);
  }
  out.special = out.largest == 128;
}

// value = number × 2^(exponent - fraction), with `raise` more zero bits.
void find_numbers(const float* values, unsigned count, const Significand& format, int raise,
                  int32_t* numbers) {
  for (unsigned i = 0; i < count; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(values[i]);
    const auto field = static_cast<int32_t>((bits >> 23) & 0xffU);
    const auto whole = static_cast<int32_t>((bits & 0x7fffffU) | (field != 0 ? 0x800000U : 0U));
    const int32_t own = field != 0 ? field - 127 : -126;
    const int32_t below = std::max(format.lowest - own, 0);
    const int32_t number = whole >> std::min(23 - format.fraction + below, 31) << raise;
    numbers[i] = (bits >> 31) != 0 ? -number : number;
  }
}

// One input: products are made of floats where their exponents allow it, else of numbers.
struct Input {
  const float* values = nullptr;
  const int32_t* exponents = nullptr;
  const int32_t* numbers = nullptr;
};

template <unsigned W>
inline Vec<double, W> power_of_two(const Ints<W>& exponent) {
  const auto wide = __builtin_convertvector(exponent + 1023, Vec<int64_t, W>);
  return std::bit_cast<Vec<double, W>>(wide << 52);
}

// s counts 2^(e-24).
template <unsigned W>
inline Vec<float, W> join_doubles(const Ints<W>& s, const Ints<W>& e, const Vec<float, W>& c,
                                  bool drop_small_c) {
  const auto field = std::bit_cast<Ints<W>>(c) >> 23 & 0xff;
  const Ints<W> c_exponent = larger<W>(field, Ints<W>{} + 1) - 127;
  const Ints<W> largest = larger<W>(e, c_exponent);
  // Both count 2^(largest-31) and have fewer than 40 bits: the sum of doubles is exact.
  const auto products = floor<W>(__builtin_convertvector(s, Vec<double, W>) *
                                 power_of_two<W>(kSumFraction - kFraction + e - largest));
  auto own =
      floor<W>(__builtin_convertvector(c, Vec<double, W>) * power_of_two<W>(kFraction - largest));
  if (drop_small_c) {
    const Ints<W> kept = c_exponent >= largest - 25;
    own = std::bit_cast<Vec<double, W>>(std::bit_cast<Vec<int64_t, W>>(own) &
                                        __builtin_convertvector(kept, Vec<int64_t, W>));
  }
  const auto sum = (products + own * 128.0) * power_of_two<W>(largest - kSumFraction);
  const auto rounded = __builtin_convertvector(sum, Vec<float, W>);
  return field == 255 ? c : rounded;
}

// Constants that compilers keep in memory because they cannot see them: building each anew from
// a general register costs more than the arithmetic it is for.
template <unsigned W, unsigned extra>
struct Constants {
  Ints<W> bias = Ints<W>{} + 127, fraction = Ints<W>{} + kFraction,
          float_fraction = Ints<W>{} + kFraction + 127, most = Ints<W>{} + 254,
          fine = Ints<W>{} + kSumFraction - kFraction, zero = Ints<W>{}, one = Ints<W>{} + 1,
          field = Ints<W>{} + 0xff, magnitude = Ints<W>{} + 0x7fffffff,
          more = Ints<W>{} + static_cast<int32_t>(extra),
          low = Ints<W>{} + (1 << (kSumFraction - kFraction - extra)) - 1,
          sure = Ints<W>{} + (1 << 25), least_field = Ints<W>{} + kLeast + 127,
          least = Ints<W>{} + kLeast, least_bits = Ints<W>{} + ((kLeast + 127) << 23),
          far = Ints<W>{} - 30 + 127 + 127, dropped = Ints<W>{} + 25;
  static constexpr int kLeast = -90;  // exponent from which on powers of two stay in range

  Constants() { asm("" : "+m"(*this)); }
};

template <unsigned W>
inline Vec<float, W> as_floats(const Ints<W>& fields) {
  return std::bit_cast<Vec<float, W>>(fields << 23);
}

// The same in 32-bit integers that count 2^(E-24), or 2^(E-24-extra) where s loses bits; those
// that do not fit make the last bit odd, which rounds like the whole as long as two bits more than
// a float's are there. Lanes where that does not hold, or where a power of two is out of range,
// send everything to the other function.
template <unsigned W, unsigned extra>
inline Vec<float, W> join(const Constants<W, extra>& k, const Ints<W>& s, const Ints<W>& e,
                          const Vec<float, W>& c, bool drop_small_c) {
  const Ints<W> c_bits = std::bit_cast<Ints<W>>(c), field = c_bits >> 23 & k.field;
  // Fields instead of exponents: 127 more. What lies lower than the least is zero, or unsure.
  const Ints<W> c_field = larger<W>(field, k.least_field);
  const Ints<W> largest = larger<W>(e + k.bias, c_field), apart = largest - (e + k.bias);
  const Ints<W> more = (apart > k.zero) & k.more;
  // Of a c that lies far below, the sign alone matters: it stays clear of denormals.
  const Ints<W> power = larger<W>(k.float_fraction + k.bias + more - largest, k.far - c_field);
  const Vec<float, W> scaled = c * as_floats<W>(power);
  Ints<W> own = __builtin_convertvector(scaled, Ints<W>);
  own += __builtin_convertvector(own, Vec<float, W>) > scaled;
  if (drop_small_c) own &= field >= largest - k.dropped;
  const Ints<W> lose = apart - more;
  const Ints<W> products =
      round_down<W>(s << larger<W>(k.zero - lose, k.zero), larger<W>(lose, k.zero));
  const Ints<W> fine = k.fine - apart;
  const Ints<W> low =
      round_down<W>(s << larger<W>(fine, k.zero), larger<W>(k.zero - fine, k.zero)) & k.low;
  const Ints<W> lost = low > k.zero;
  const Ints<W> sum = (own + products) | (lost & k.one);
  const Ints<W> size = sum ^ (sum >> 31), c_size = c_bits & k.magnitude;
  const Ints<W> tiny = (c_size < k.least_bits) & c_size;
  const Ints<W> unsure = (lost & (size < k.sure)) | ((e < k.least) & ((s | tiny) != k.zero));
  if (any<W>(unsure)) [[unlikely]] {
    int32_t sums[W], exponents[W];
    float in[W], out[W];
    store<int32_t, W>(sums, s);
    store<int32_t, W>(exponents, e);
    store<float, W>(in, c);
    constexpr unsigned D = kDoubles;
    for (unsigned at = 0; at < W; at += D)
      store<float, D>(out + at,
                      join_doubles<D>(load<int32_t, D>(sums + at), load<int32_t, D>(exponents + at),
                                      load<float, D>(in + at), drop_small_c));
    return load<float, W>(out);
  }
  const Vec<float, W> rounded =
      __builtin_convertvector(sum, Vec<float, W>) * as_floats<W>(largest - more - k.fraction);
  return field == k.field ? c : rounded;
}

template <unsigned W>
struct Sums {
  Ints<W> exponent, sum;
};

// How rows are computed. `group` is 0 where the number of products is not known beforehand or A is
// sparse; else everything about the loops is a constant.
template <unsigned n_, unsigned W_, bool two_sums_, bool floats_, unsigned group_>
struct Way {
  static constexpr unsigned n = n_, W = W_, group = group_, step = two_sums_ ? 2 : 1;
  static constexpr bool two_sums = two_sums_, floats = floats_;
};

// Products first, first + step, … of a group, W columns from `column` on.
template <class Way, class Known, unsigned W = Way::W>
inline Sums<W> add_products(const Known& known, const Block<float>& block, const Input& a,
                            const Input& b, unsigned i, unsigned column, unsigned first,
                            unsigned group) {
  const unsigned end = Way::group ? Way::group : group;
  // From one place on, so that constant loops have constant distances.
  const std::size_t start_a = std::size_t{first} * Way::n + i;
  const std::size_t start_b = Way::group ? std::size_t{first} * Way::n + column : column;
  const int32_t *ea = a.exponents + start_a, *eb = b.exponents + start_b;
  const auto at_a = [&](unsigned k) { return std::size_t{k} * Way::n; };
  const auto at_b = [&](unsigned k) {
    return Way::group ? std::size_t{k} * Way::n : block.row(i, first + k);
  };
  Sums<W> out{Ints<W>{} - 1000, Ints<W>{}};
  for (unsigned k = 0; k < end; k += Way::step)
    out.exponent = larger<W>(out.exponent, load<int32_t, W>(eb + at_b(k)) + ea[at_a(k)]);
  // Nothing but zeros has exponents so low that a float does not have them.
  const Ints<W> field = known.float_fraction - out.exponent;
  const Vec<float, W> scale = as_floats<W>(field < known.most ? field : known.most);
  for (unsigned k = 0; k < end; k += Way::step) {
    if constexpr (Way::floats) {
      const Vec<float, W> product =
          load<float, W>(b.values + start_b + at_b(k)) * a.values[start_a + at_a(k)];
      out.sum += __builtin_convertvector(product * scale, Ints<W>);
    } else {
      const Ints<W> exponent = load<int32_t, W>(eb + at_b(k)) + ea[at_a(k)];
      const Ints<W> product =
          load<int32_t, W>(b.numbers + start_b + at_b(k)) * a.numbers[start_a + at_a(k)];
      out.sum += truncate<W>(product, out.exponent - exponent);
    }
  }
  return out;
}

// With infinities or NaNs about, or products that overflow, plain arithmetic decides first.
inline float settle(const Block<float>& block, unsigned i, unsigned j, unsigned first, unsigned end,
                    float c, float finite) {
  double sum = 0.0;
  bool up = false, down = false;
  for (unsigned k = first; k < end; ++k) {
    const double product = static_cast<double>(block.a[std::size_t{k} * block.m + i]) *
                           static_cast<double>(block.b[block.row(i, k) + j]);
    sum += product;
    up |= product >= 0x1p128;
    down |= product <= -0x1p128;
  }
  sum += static_cast<double>(c);
  if (!std::isfinite(sum)) return static_cast<float>(sum);
  if (up && down) return std::bit_cast<float>(kMatrixNan);
  if (up || down) return up ? HUGE_VALF : -HUGE_VALF;
  return finite;
}

template <class Way>
void rows(const Block<float>& block, const Input& a, const Input& b, unsigned group, bool special) {
  constexpr unsigned n = Way::n, W = Way::W, extra = Way::two_sums ? 1 : 2;
  const Constants<W, extra> known;
  for (unsigned i = 0; i < block.m; ++i) {
    float* acc = block.acc + std::size_t{i} * n;
    for (unsigned first = 0; first < block.k; first += group) {
      for (unsigned column = 0; column < n; column += W) {
        Sums<W> sums = add_products<Way>(known, block, a, b, i, column, first, group);
        if constexpr (Way::two_sums) {
          const Sums<W> odd = add_products<Way>(known, block, a, b, i, column, first + 1, group);
          const Ints<W> e = larger<W>(sums.exponent, odd.exponent);
          sums.sum =
              round_down<W>(sums.sum, e - sums.exponent) + round_down<W>(odd.sum, e - odd.exponent);
          sums.exponent = e;
        }
        const Vec<float, W> c = load<float, W>(acc + column);
        Vec<float, W> joined = join<W, extra>(known, sums.sum, sums.exponent, c, Way::two_sums);
        if (special) [[unlikely]]
          for (unsigned j = 0; j < W; ++j)
            joined[j] = settle(block, i, column + j, first, first + group, c[j], joined[j]);
        joined = joined == joined ? joined : Vec<float, W>{} + std::bit_cast<float>(kMatrixNan);
        store<float, W>(acc + column, joined);
      }
    }
  }
}

}  // namespace

void aligned_sum(const Block<float>& block, const Alignment& alignment) {
  const unsigned a_count = block.k * block.m;
  const unsigned b_count = (block.pick ? 2 * block.k : block.k) * block.n;
  Exponents ea, eb;
  find_exponents(block.a, a_count, alignment.a, ea);
  find_exponents(block.b, b_count, alignment.b, eb);
  const bool special = ea.special || eb.special || ea.largest + eb.largest >= 126;
  // Exact as floats: no product has more than 24 bits, and none leaves the range.
  const bool floats = !special && ea.smallest + eb.smallest >= -80;
  alignas(64) int32_t numbers[2][kMaxElements];
  if (!floats) {
    // Products get 24 fraction bits: A's numbers carry the zeros that are missing.
    const int raise = kFraction - alignment.a.fraction - alignment.b.fraction;
    find_numbers(block.a, a_count, alignment.a, raise, numbers[0]);
    find_numbers(block.b, b_count, alignment.b, 0, numbers[1]);
  }
  const Input a{block.a, ea.of, numbers[0]}, b{block.b, eb.of, numbers[1]};
  const unsigned group = std::min(alignment.group, block.k);
  with_width(block.n, [&](auto width, auto lanes) {
    const auto go = [&]<unsigned constant>(std::integral_constant<unsigned, constant>) {
      constexpr bool two_sums = constant == 16;
      if (!floats)
        rows<Way<width, lanes, two_sums, false, 0>>(block, a, b, group, special);
      else if (block.pick || group != constant)
        rows<Way<width, lanes, two_sums, true, 0>>(block, a, b, group, special);
      else
        rows<Way<width, lanes, two_sums, true, constant>>(block, a, b, group, special);
    };
    if (alignment.two_sums)
      go(std::integral_constant<unsigned, 16>{});
    else if (group == 8)
      go(std::integral_constant<unsigned, 8>{});
    else
      go(std::integral_constant<unsigned, 4>{});
  });
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
