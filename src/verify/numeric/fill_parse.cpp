// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/words.h"
#include "verify/numeric/fill.h"

namespace hipwright::verify {

namespace {

using Kind = Distribution::Kind;

struct Form {
  std::string_view name;
  Kind kind;
  std::size_t least, most;  // numbers
  double a, b;              // defaults
  std::string_view example;
};
constexpr Form kForms[] = {
    {"uniform", Kind::kUniform, 0, 2, -1, 1, "uniform(-1, 1)"},
    {"normal", Kind::kNormal, 0, 2, 0, 1, "normal(0, 1)"},
    {"integers", Kind::kIntegers, 2, 2, 0, 0, "integers(0, 100)"},
    {"arange", Kind::kArange, 0, 2, 0, 1, "arange"},
    {"constant", Kind::kConstant, 1, 1, 0, 0, "constant(3)"},
    {"zeros", Kind::kConstant, 0, 0, 0, 0, "zeros"},
    {"ones", Kind::kConstant, 0, 0, 1, 0, "ones"},
    {"permutation", Kind::kPermutation, 0, 0, 0, 0, "permutation"},
    {"edges", Kind::kEdges, 0, 0, 0, 0, "edges"},
};

std::optional<double> number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Why the numbers are invalid; empty: they are valid.
std::string problem_of(const Distribution& distribution) {
  const auto [kind, a, b] = distribution;
  constexpr double kExact = 9007199254740992;  // 2^53: up to here a double has every integer
  if (kind != Kind::kConstant && (!std::isfinite(a) || !std::isfinite(b)))
    return "its numbers must be finite";
  if (kind == Kind::kUniform && a > b) return "the first number must not exceed the second";
  if (kind == Kind::kNormal && b < 0)
    return "the standard deviation, the second number, must not be negative";
  if (kind != Kind::kIntegers && kind != Kind::kArange) return {};
  if (std::abs(a) > kExact || std::abs(b) > kExact) return "its numbers must be below 2^53";
  if (kind == Kind::kArange) return {};
  if (a != std::nearbyint(a) || b != std::nearbyint(b)) return "its numbers must be integers";
  return a < b ? "" : "the second number, which is exclusive, must be greater than the first";
}

}  // namespace

Result<Distribution> parse_distribution(std::string_view text) {
  const auto invalid = [&](std::string why) {
    std::vector<std::string_view> examples;
    for (const Form& form : kForms) examples.push_back(form.example);
    return fail("cannot fill with", std::string(text), std::move(why),
                fmt::format("Write one of {}.", fmt::join(examples, ", ")));
  };
  const std::string_view whole = trimmed(text);
  const std::size_t open = std::min(whole.find('('), whole.size());
  const std::string_view name = trimmed(whole.substr(0, open));
  const auto form = std::ranges::find(kForms, name, &Form::name);
  if (form == std::end(kForms)) return invalid("unknown distribution");

  std::vector<double> numbers;
  if (open < whole.size()) {
    if (!whole.ends_with(')')) return invalid("missing ')'");
    std::string_view inside = trimmed(whole.substr(open + 1, whole.size() - open - 2));
    while (!inside.empty()) {
      const std::size_t comma = std::min(inside.find(','), inside.size());
      const auto value = number(inside.substr(0, comma));
      if (!value)
        return invalid(fmt::format("'{}' is not a number", trimmed(inside.substr(0, comma))));
      numbers.push_back(*value);
      if (comma + 1 == inside.size()) return invalid("a number is missing after the comma");
      inside.remove_prefix(std::min(comma + 1, inside.size()));
    }
  }
  if (numbers.size() < form->least || numbers.size() > form->most ||
      (form->most == 2 && form->kind != Kind::kArange && numbers.size() == 1))
    return invalid(fmt::format("it has {} numbers", numbers.size()));
  Distribution distribution{form->kind, form->a, form->b};
  if (!numbers.empty()) distribution.a = numbers[0];
  if (numbers.size() > 1) distribution.b = numbers[1];
  if (std::string why = problem_of(distribution); !why.empty()) return invalid(std::move(why));
  return distribution;
}

std::string to_string(const Distribution& distribution) {
  const auto form = std::ranges::find(kForms, distribution.kind, &Form::kind);
  if (form->most == 0) return std::string(form->name);
  if (form->most == 1) return fmt::format("{}({})", form->name, distribution.a);
  return fmt::format("{}({}, {})", form->name, distribution.a, distribution.b);
}

}  // namespace hipwright::verify
