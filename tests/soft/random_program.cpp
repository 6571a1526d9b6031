// SPDX-License-Identifier: MIT
#include "soft/random_program.h"

#include <array>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace hipwright::soft {

namespace {

struct ScalarType {
  std::string_view name;
  bool is_float;
  unsigned bits;
  bool is_signed;
};
constexpr std::array kTypes = {
    ScalarType{"u8", false, 8, false},   ScalarType{"i8", false, 8, true},
    ScalarType{"u16", false, 16, false}, ScalarType{"i16", false, 16, true},
    ScalarType{"u32", false, 32, false}, ScalarType{"i32", false, 32, true},
    ScalarType{"u64", false, 64, false}, ScalarType{"i64", false, 64, true},
    ScalarType{"f32", true, 32, true},   ScalarType{"f64", true, 64, true},
};

// What both sides compile first. Operations that C leaves undefined are given a meaning here.
constexpr std::string_view kPrelude = R"(
typedef unsigned char u8; typedef signed char i8;
typedef unsigned short u16; typedef short i16;
typedef unsigned u32; typedef int i32;
typedef unsigned long u64; typedef long i64;
typedef float f32; typedef double f64;

template <class T> struct Unsigned { typedef T type; };
template <> struct Unsigned<i8> { typedef u8 type; };
template <> struct Unsigned<i16> { typedef u16 type; };
template <> struct Unsigned<i32> { typedef u32 type; };
template <> struct Unsigned<i64> { typedef u64 type; };
template <class T> using U = typename Unsigned<T>::type;

// Narrow types would be promoted to int, where products overflow: compute in at least u32.
template <class T> struct Wide { typedef u32 type; };
template <> struct Wide<u64> { typedef u64 type; };
template <> struct Wide<i64> { typedef u64 type; };
template <class T> using W = typename Wide<T>::type;

template <class T> T add(T a, T b) { return (T)((W<T>)a + (W<T>)b); }
template <class T> T sub(T a, T b) { return (T)((W<T>)a - (W<T>)b); }
template <class T> T mul(T a, T b) { return (T)((W<T>)a * (W<T>)b); }
template <> f32 add(f32 a, f32 b) { return a + b; }
template <> f32 sub(f32 a, f32 b) { return a - b; }
template <> f32 mul(f32 a, f32 b) { return a * b; }
template <> f64 add(f64 a, f64 b) { return a + b; }
template <> f64 sub(f64 a, f64 b) { return a - b; }
template <> f64 mul(f64 a, f64 b) { return a * b; }
template <class T> T quotient(T a, T b) {
  if (b == 0) return a;
  if ((T)-1 < 0 && b == (T)-1) return sub((T)0, a);
  return a / b;
}
template <> f32 quotient(f32 a, f32 b) { return a / b; }
template <> f64 quotient(f64 a, f64 b) { return a / b; }
template <class T> T rest(T a, T b) {
  if (b == 0 || ((T)-1 < 0 && b == (T)-1)) return 0;
  return a % b;
}
template <class T> T left(T a, u32 n) { return (T)((W<T>)a << (n & (sizeof(T) * 8 - 1))); }
template <class T> T right(T a, u32 n) { return (T)(a >> (n & (sizeof(T) * 8 - 1))); }
template <class T> T rotate(T a, u32 n) {
  const u32 bits = sizeof(T) * 8;
  n &= bits - 1;
  return n ? (T)((U<T>)((U<T>)a << n) | (U<T>)((U<T>)a >> (bits - n))) : a;
}
template <class T> T lesser(T a, T b) { return a < b ? a : b; }
template <class T> T greater(T a, T b) { return a > b ? a : b; }

inline u64 bits_of(f32 x) { u32 b; __builtin_memcpy(&b, &x, 4); return x != x ? 0x7fc00000u : b; }
inline u64 bits_of(f64 x) {
  u64 b; __builtin_memcpy(&b, &x, 8); return x != x ? 0x7ff8000000000000u : b;
}
template <class T> u64 bits_of(T x) { return (u64)x; }

// Any value to any type. Floats outside a range that all integers share become 7.
template <class To, class From> struct Convert { static To run(From x) { return (To)x; } };
template <class To> struct Convert<To, f32> {
  static To run(f32 x) { return (To)(x > -100.f && x < 100.f && ((To)-1 < 0 || x >= 0) ? x : 7.f); }
};
template <class To> struct Convert<To, f64> {
  static To run(f64 x) { return (To)(x > -100. && x < 100. && ((To)-1 < 0 || x >= 0) ? x : 7.); }
};
template <> struct Convert<f32, f32> { static f32 run(f32 x) { return x; } };
template <> struct Convert<f64, f64> { static f64 run(f64 x) { return x; } };
template <> struct Convert<f64, f32> { static f64 run(f32 x) { return x; } };
template <> struct Convert<f32, f64> { static f32 run(f64 x) { return (f32)x; } };
template <class To, class From> To to(From x) { return Convert<To, From>::run(x); }

inline f32 float_from(u64 b) {
  u32 x = (u32)b; f32 f; __builtin_memcpy(&f, &x, 4); return f;
}
inline f64 double_from(u64 b) { f64 f; __builtin_memcpy(&f, &b, 8); return f; }
)";

constexpr std::string_view kHostEntry = R"(
#ifdef __AMDGCN__
extern "C" __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 64))) void run(
    const __attribute__((address_space(1))) u64* in, u64* out, u32 count) {
  const u32 i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i < count) out[i] = program(in[i]);
}
#else
extern "C" void run(const u64* in, u64* out, u32 count) {
  for (u32 i = 0; i < count; ++i) out[i] = program(in[i]);
}
#endif
)";

class Writer {
 public:
  Writer(std::uint64_t seed, const ProgramOptions& options) : random_(seed), options_(options) {}

  std::string program() {
    text_ = kPrelude;
    for (unsigned i = 0; i < options_.functions; ++i) function(i);
    text_ += "static u64 program(u64 x) {\n  u64 h = x;\n";
    for (unsigned i = 0; i < options_.functions; ++i)
      text_ += fmt::format(
          "  h = h * 0x9e3779b97f4a7c15u + f{}(h, (u32)(x >> {}), float_from(h >> 13), "
          "double_from(h * 3));\n",
          i, below(32));
    text_ += "  return h;\n}\n";
    text_ += kHostEntry;
    return std::move(text_);
  }

 private:
  struct Variable {
    std::string name;
    const ScalarType* type;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(static_cast<unsigned>(list.size()))];
  }

  void function(unsigned number) {
    variables_ = {{"a", &kTypes[6]}, {"b", &kTypes[4]}, {"c", &kTypes[8]}, {"d", &kTypes[9]}};
    arrays_.clear();
    depth_ = 1;
    next_ = 0;
    function_ = number;
    text_ += fmt::format("{} u64 f{}(u64 a, u32 b, f32 c, f64 d) {{\n",
                         chance(40) ? "__attribute__((noinline)) static" : "static", number);
    for (unsigned i = 0; i < options_.statements; ++i) statement();
    text_ += "  u64 h = 0;\n";
    for (const Variable& variable : variables_)
      text_ += fmt::format("  h = h * 31 + bits_of({});\n", variable.name);
    for (const Variable& array : arrays_)
      text_ +=
          fmt::format("  for (u32 n = 0; n < 8; ++n) h = h * 33 + bits_of({}[n]);\n", array.name);
    text_ += "  return h;\n}\n";
  }

  void line(const std::string& text) { text_ += std::string(depth_ * 2, ' ') + text + "\n"; }

  void statement() {
    const unsigned kind = below(100);
    if (depth_ > 2 || kind < 45) {
      declare();
    } else if (kind < 65) {
      const Variable& variable = pick(variables_);
      line(fmt::format("{} = {};", variable.name, expression(*variable.type, 3)));
    } else if (kind < 75) {
      branch();
    } else if (kind < 85) {
      loop();
    } else if (kind < 93) {
      array();
    } else {
      cases();
    }
  }

  void declare() {
    const ScalarType& type = pick(kTypes);
    const std::string name = fmt::format("v{}", next_++);
    line(fmt::format("{} {} = {};", type.name, name, expression(type, 3)));
    variables_.push_back({name, &type});
  }

  // Variables of a block are gone after it.
  template <class Body>
  void block(Body body) {
    const std::size_t variables = variables_.size(), arrays = arrays_.size();
    ++depth_;
    body();
    --depth_;
    variables_.resize(variables);
    arrays_.resize(arrays);
  }
  void some_statements() {
    for (unsigned i = below(3) + 1; i > 0; --i) statement();
  }

  void branch() {
    line(fmt::format("if ({}) {{", condition(2)));
    block([&] { some_statements(); });
    if (chance(50)) {
      line("} else {");
      block([&] { some_statements(); });
    }
    line("}");
  }

  void loop() {
    const std::string counter = fmt::format("n{}", next_++);
    // A bound that differs between lanes: loops diverge.
    const std::string bound =
        chance(60) ? fmt::format("(b >> {}) & 7", below(24)) : std::to_string(below(6) + 1);
    line(fmt::format("for (u32 {0} = 0; {0} < ({1}); ++{0}) {{", counter, bound));
    block([&] {
      some_statements();
      if (chance(30)) line(fmt::format("if ({}) break;", condition(1)));
      if (chance(20)) line(fmt::format("if ({}) continue;", condition(1)));
      some_statements();
    });
    line("}");
  }

  void array() {
    if (arrays_.empty() || chance(40)) {
      const ScalarType& type = pick(kTypes);
      const std::string name = fmt::format("m{}", next_++);
      line(fmt::format("{} {}[8] = {{}};", type.name, name));
      arrays_.push_back({name, &type});
    }
    const Variable& target = pick(arrays_);
    line(fmt::format("{}[{} & 7] = {};", target.name, expression(kTypes[4], 2),
                     expression(*target.type, 2)));
  }

  void cases() {
    line(fmt::format("switch ({} & 3) {{", expression(kTypes[4], 2)));
    for (unsigned i = 0; i < 4; ++i) {
      line(fmt::format("case {}: {{", i));
      block([&] { some_statements(); });
      line(chance(80) ? "} break;" : "}");
    }
    line("}");
  }

  std::string condition(unsigned depth) {
    static constexpr std::array<std::string_view, 6> kRelations = {"<",  "<=", ">",
                                                                   ">=", "==", "!="};
    const ScalarType& type = pick(kTypes);
    std::string text =
        fmt::format("{} {} {}", expression(type, depth), pick(kRelations), expression(type, depth));
    if (depth > 0 && chance(30))
      text = fmt::format("({}) {} ({})", text, chance(50) ? "&&" : "||", condition(depth - 1));
    return text;
  }

  std::string expression(const ScalarType& type, unsigned depth) {
    if (depth == 0 || chance(20)) return leaf(type);
    const auto sub = [&] { return expression(type, depth - 1); };
    if (chance(12)) return fmt::format("({} ? {} : {})", condition(depth - 1), sub(), sub());
    if (chance(10)) {
      const ScalarType& from = pick(kTypes);
      return fmt::format("to<{}>({})", type.name, expression(from, depth - 1));
    }
    return type.is_float ? float_operation(type, depth) : integer_operation(type, depth);
  }

  std::string float_operation(const ScalarType& type, unsigned depth) {
    const auto sub = [&] { return expression(type, depth - 1); };
    const std::string_view suffix = type.bits == 32 ? "f" : "";
    switch (below(10)) {
      case 0:
        return fmt::format("quotient<{}>({}, {})", type.name, sub(), sub());
      case 1:
        return fmt::format("__builtin_fma{}({}, {}, {})", suffix, sub(), sub(), sub());
      case 2:
        return fmt::format("__builtin_sqrt{}({})", suffix, sub());
      case 3:
        return fmt::format(
            "__builtin_{}{}({})",
            pick(std::array<std::string_view, 5>{"floor", "ceil", "trunc", "rint", "fabs"}), suffix,
            sub());
      case 4:
        return fmt::format("(-{})", sub());
      case 5:
        return fmt::format("mul<{}>({}, {})", type.name, sub(), sub());
      case 6:
      case 7:
        return fmt::format("sub<{}>({}, {})", type.name, sub(), sub());
      default:
        return fmt::format("add<{}>({}, {})", type.name, sub(), sub());
    }
  }

  std::string integer_operation(const ScalarType& type, unsigned depth) {
    const auto sub = [&] { return expression(type, depth - 1); };
    const auto count = [&] {
      return chance(50) ? std::to_string(below(type.bits)) : expression(kTypes[4], depth - 1);
    };
    const std::string_view name = type.name;
    switch (below(16)) {
      case 0:
        return fmt::format("quotient<{}>({}, {})", name, sub(), sub());
      case 1:
        return fmt::format("rest<{}>({}, {})", name, sub(), sub());
      case 2:
        return fmt::format("left<{}>({}, {})", name, sub(), count());
      case 3:
        return fmt::format("right<{}>({}, {})", name, sub(), count());
      case 4:
        return fmt::format("rotate<{}>({}, {})", name, sub(), count());
      case 5:
        return fmt::format("lesser<{}>({}, {})", name, sub(), sub());
      case 6:
        return fmt::format("greater<{}>({}, {})", name, sub(), sub());
      case 7:
        return fmt::format("({})({} & {})", name, sub(), sub());
      case 8:
        return fmt::format("({})({} | {})", name, sub(), sub());
      case 9:
        return fmt::format("({})({} ^ {})", name, sub(), sub());
      case 10:
        return fmt::format("({})~{}", name, sub());
      case 11:
        if (type.bits < 32) return fmt::format("mul<{}>({}, {})", name, sub(), sub());
        return fmt::format("({})__builtin_popcount{}({})", name, type.bits == 64 ? "l" : "", sub());
      case 12:
        return fmt::format("mul<{}>({}, {})", name, sub(), sub());
      case 13:
        return fmt::format("sub<{}>({}, {})", name, sub(), sub());
      default:
        return fmt::format("add<{}>({}, {})", name, sub(), sub());
    }
  }

  std::string leaf(const ScalarType& type) {
    if (!arrays_.empty() && chance(15)) {
      const Variable& array = pick(arrays_);
      return fmt::format("to<{}>({}[{} & 7])", type.name, array.name,
                         chance(50) ? "b" : std::to_string(below(8)));
    }
    if (function_ > 0 && depth_ == 1 && chance(4))
      return fmt::format("to<{}>(f{}(a, b, c, d))", type.name, below(function_));
    if (chance(70)) {
      const Variable& variable = pick(variables_);
      if (variable.type == &type) return variable.name;
      return fmt::format("to<{}>({})", type.name, variable.name);
    }
    if (type.is_float) {
      static constexpr std::array<std::string_view, 12> kFloats = {
          "0.0",   "-0.0",    "1.0",  "0.5",    "-4.0", "3.14159",
          "1e-40", "65504.0", "1e30", "-1e-20", "0.1",  "16777217.0"};
      return fmt::format("({}){}", type.name, pick(kFloats));
    }
    static constexpr std::array<std::string_view, 12> kIntegers = {
        "0",    "1",      "2",      "64",         "0x7f",        "0x80",
        "0xff", "0x7fff", "0xffff", "0x7fffffff", "0x80000000u", "0x123456789abcdefu"};
    return fmt::format("({}){}", type.name, pick(kIntegers));
  }

  std::mt19937_64 random_;
  const ProgramOptions options_;
  std::string text_;
  std::vector<Variable> variables_, arrays_;
  std::size_t depth_ = 1;
  unsigned next_ = 0, function_ = 0;
};

}  // namespace

std::string random_program(std::uint64_t seed, const ProgramOptions& options) {
  return Writer(seed, options).program();
}

}  // namespace hipwright::soft
