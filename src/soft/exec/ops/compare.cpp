// SPDX-License-Identifier: MIT
// v_cmp and v_cmpx: one bit per lane, 0 for lanes that do not run. v_cmpx writes EXEC; on gfx9 it
// writes the destination as well.
#include <array>

#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

enum class Relation : u8 {
  kF,
  kLt,
  kEq,
  kLe,
  kGt,
  kNe,  // floats: lg and neq differ on NaNs
  kGe,
  kT,
  kLg,
  kO,
  kU,
  kNge,
  kNlg,
  kNgt,
  kNle,
  kNeq,
  kNlt,
};

// An f16 as something that orders as it does; both zeros are 0.
struct Half {
  i32 key;
  bool nan;
  explicit constexpr Half(u32 bits)
      : key(bits & 0x8000U ? -static_cast<i32>(bits & 0x7fffU) : static_cast<i32>(bits)),
        nan((bits & 0x7fffU) > 0x7c00U) {}
};
constexpr bool operator<(Half a, Half b) {
  return (a.key < b.key) & !a.nan & !b.nan;
}
constexpr bool operator==(Half a, Half b) {
  return (a.key == b.key) & !a.nan & !b.nan;
}
constexpr bool operator>(Half a, Half b) {
  return b < a;
}
constexpr bool operator<=(Half a, Half b) {
  return (a.key <= b.key) & !a.nan & !b.nan;
}
constexpr bool operator>=(Half a, Half b) {
  return b <= a;
}

// 64-bit integers by halves: T is the high half's type.
template <class T>
struct Long {
  T high;
  u32 low;
};
template <class T>
constexpr bool operator<(Long<T> a, Long<T> b) {
  return (a.high < b.high) | ((a.high == b.high) & (a.low < b.low));
}
template <class T>
constexpr bool operator==(Long<T> a, Long<T> b) {
  return (a.high == b.high) & (a.low == b.low);
}
template <class T>
constexpr bool operator>(Long<T> a, Long<T> b) {
  return b < a;
}
template <class T>
constexpr bool operator<=(Long<T> a, Long<T> b) {
  return !(b < a);
}
template <class T>
constexpr bool operator>=(Long<T> a, Long<T> b) {
  return !(a < b);
}

template <Relation R, class T>
constexpr bool holds(T a, T b) {
  switch (R) {
    case Relation::kF:
      return false;
    case Relation::kLt:
      return a < b;
    case Relation::kEq:
      return a == b;
    case Relation::kLe:
      return a <= b;
    case Relation::kGt:
      return a > b;
    case Relation::kNe:
    case Relation::kNeq:
      return !(a == b);
    case Relation::kGe:
      return a >= b;
    case Relation::kT:
      return true;
    case Relation::kLg:
      return (a < b) | (a > b);
    case Relation::kO:
      return (a == a) & (b == b);
    case Relation::kU:
      return !(a == a) | !(b == b);
    case Relation::kNge:
      return !(a >= b);
    case Relation::kNlg:
      return !((a < b) | (a > b));
    case Relation::kNgt:
      return !(a > b);
    case Relation::kNle:
      return !(a <= b);
    case Relation::kNlt:
      return !(a < b);
  }
  return false;
}

// The types that compares come in: how the operand is stored, and what is compared.
struct Kind {
  std::string_view name;
  Type type;
  bool is_float = false;
};
constexpr Kind kKinds[] = {
    {"i16", Type::kB16},       {"u16", Type::kB16},       {"i32", Type::kB32},
    {"u32", Type::kB32},       {"i64", Type::kI64},       {"u64", Type::kB64},
    {"f16", Type::kF16, true}, {"f32", Type::kF32, true}, {"f64", Type::kF64, true},
};
constexpr std::size_t kHalf = 6;

template <std::size_t K, class V>
constexpr auto comparable(V value) {
  if constexpr (K == 0)
    return static_cast<i16>(value);
  else if constexpr (K == 2)
    return static_cast<i32>(value);
  else if constexpr (K == 4)
    return Long<i32>{static_cast<i32>(value.high), value.low};
  else if constexpr (K == 5)
    return Long<u32>{value.high, value.low};
  else if constexpr (K == kHalf)
    return Half(value);
  else
    return value;
}

void finish(Wave& wave, const Inst& inst, u64 mask) {
  wave.write_mask(inst.dst[0].index, mask);
  if (inst.flags & kImplicitExecDst) wave.write_mask(kExecLo, mask);
}

template <std::size_t K, Relation R>
void compare(Wave& wave, const Inst& inst) {
  constexpr Type type = kKinds[K].type;
  const auto relation = [](auto a, auto b) { return holds<R>(comparable<K>(a), comparable<K>(b)); };
  if constexpr (K == 4 || K == 5)
    finish(wave, inst, map_mask<type, type>(wave, inst, split(relation)));
  else
    finish(wave, inst, map_mask<type, type>(wave, inst, relation));
}

// --- classes ---

enum Class : u32 {
  kSignallingNan = 1U << 0,
  kQuietNan = 1U << 1,
  kNegativeInfinity = 1U << 2,
  kNegativeNormal = 1U << 3,
  kNegativeDenormal = 1U << 4,
  kNegativeZero = 1U << 5,
  kPositiveZero = 1U << 6,
  kPositiveDenormal = 1U << 7,
  kPositiveNormal = 1U << 8,
  kPositiveInfinity = 1U << 9,
};

template <class U, unsigned Exponent, unsigned Mantissa>
constexpr bool is_of_class(U bits, u32 classes) {
  constexpr U infinity = ((U{1} << Exponent) - 1) << Mantissa;
  constexpr U quiet = U{1} << (Mantissa - 1);
  constexpr U smallest = U{1} << Mantissa;
  const U magnitude = bits & ((U{1} << (Exponent + Mantissa)) - 1);
  const bool negative = (bits >> (Exponent + Mantissa)) & 1U;
  const u32 nan = magnitude & quiet ? kQuietNan : kSignallingNan;
  const u32 number = magnitude == 0          ? kPositiveZero
                     : magnitude < smallest  ? kPositiveDenormal
                     : magnitude == infinity ? kPositiveInfinity
                                             : kPositiveNormal;
  // The negative classes mirror the positive ones: bit 6 + n is bit 5 - n.
  const u32 mirrored = magnitude == 0          ? kNegativeZero
                       : magnitude < smallest  ? kNegativeDenormal
                       : magnitude == infinity ? kNegativeInfinity
                                               : kNegativeNormal;
  const u32 found = magnitude > infinity ? nan : negative ? mirrored : number;
  return (found & classes) != 0;
}

void class_f16(Wave& wave, const Inst& inst) {
  finish(wave, inst, map_mask<Type::kF16, Type::kB16>(wave, inst, [](u32 a, u32 classes) {
           return is_of_class<u32, 5, 10>(a, classes);
         }));
}
void class_f32(Wave& wave, const Inst& inst) {
  finish(wave, inst, map_mask<Type::kF32, Type::kB32>(wave, inst, [](float a, u32 classes) {
           return is_of_class<u32, 8, 23>(std::bit_cast<u32>(a), classes);
         }));
}
void class_f64(Wave& wave, const Inst& inst) {
  finish(wave, inst, map_mask<Type::kF64, Type::kB32>(wave, inst, [](double a, u32 classes) {
           return is_of_class<u64, 11, 52>(std::bit_cast<u64>(a), classes);
         }));
}

// --- the table ---

struct Named {
  std::string_view name;
  Relation relation;
};
constexpr Named kIntegerRelations[] = {
    {"f", Relation::kF},   {"lt", Relation::kLt}, {"eq", Relation::kEq}, {"le", Relation::kLe},
    {"gt", Relation::kGt}, {"ne", Relation::kNe}, {"ge", Relation::kGe}, {"t", Relation::kT},
};
constexpr Named kFloatRelations[] = {
    {"f", Relation::kF},     {"lt", Relation::kLt},   {"eq", Relation::kEq},
    {"le", Relation::kLe},   {"gt", Relation::kGt},   {"lg", Relation::kLg},
    {"ge", Relation::kGe},   {"o", Relation::kO},     {"u", Relation::kU},
    {"nge", Relation::kNge}, {"nlg", Relation::kNlg}, {"ngt", Relation::kNgt},
    {"nle", Relation::kNle}, {"neq", Relation::kNeq}, {"nlt", Relation::kNlt},
    {"tru", Relation::kT},
};

template <std::size_t K>
constexpr std::span<const Named> relations() {
  if constexpr (kKinds[K].is_float)
    return kFloatRelations;
  else
    return kIntegerRelations;
}

struct Name {
  char text[20] = {};
  std::size_t size = 0;
  constexpr void append(std::string_view part) {
    for (const char c : part) text[size++] = c;
  }
};

template <std::size_t K, std::size_t R, bool X>
constexpr Name kName = [] {
  Name name;
  name.append(X ? "v_cmpx_" : "v_cmp_");
  name.append(relations<K>()[R].name);
  name.append("_");
  name.append(kKinds[K].name);
  return name;
}();

template <std::size_t K, std::size_t R, bool X>
constexpr Op compare_op() {
  constexpr const Name& name = kName<K, R, X>;
  Op op{.name = {name.text, name.size},
        .run = compare<K, relations<K>()[R].relation>,
        .kind = OpClass::kVector,
        .flags = X ? u32{kImplicitExecDst} : 0U};
  op.dst = {Type::kMask};
  op.src = {kKinds[K].type, kKinds[K].type};
  return op;
}

constexpr Op class_op(std::string_view name, Handler run, Type type, Type classes, u32 flags = 0) {
  Op op{.name = name, .run = run, .kind = OpClass::kVector, .flags = flags | kKeepsDenormals};
  op.dst = {Type::kMask};
  op.src = {type, classes};
  return op;
}

constexpr Op kClassOps[] = {
    class_op("v_cmp_class_f16", class_f16, Type::kF16, Type::kB16),
    class_op("v_cmp_class_f32", class_f32, Type::kF32, Type::kB32),
    class_op("v_cmp_class_f64", class_f64, Type::kF64, Type::kB32),
    class_op("v_cmpx_class_f16", class_f16, Type::kF16, Type::kB16, kImplicitExecDst),
    class_op("v_cmpx_class_f32", class_f32, Type::kF32, Type::kB32, kImplicitExecDst),
    class_op("v_cmpx_class_f64", class_f64, Type::kF64, Type::kB32, kImplicitExecDst),
};

constexpr std::size_t kCompares = [] {
  std::size_t count = 0;
  for (const Kind& kind : kKinds)
    count += 2 * (kind.is_float ? std::size(kFloatRelations) : std::size(kIntegerRelations));
  return count;
}();

template <std::size_t K, std::size_t... R>
constexpr Op* add_kind(Op* to, std::index_sequence<R...>) {
  ((*to++ = compare_op<K, R, false>(), *to++ = compare_op<K, R, true>()), ...);
  return to;
}

constexpr auto kOps = [] {
  std::array<Op, kCompares + std::size(kClassOps)> ops{};
  Op* to = ops.data();
  const auto add = [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((to = add_kind<K>(to, std::make_index_sequence<relations<K>().size()>())), ...);
  };
  add(std::make_index_sequence<std::size(kKinds)>());
  for (const Op& op : kClassOps) *to++ = op;
  return ops;
}();

}  // namespace

std::span<const Op> compare_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
