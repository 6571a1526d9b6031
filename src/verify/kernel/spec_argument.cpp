// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include "verify/kernel/spec_reader.h"

namespace hipwright::verify {

namespace {

struct TypeName {
  std::string_view name;
  DataType type;
};
constexpr std::array kTypes = std::to_array<TypeName>({{"bool", DataType::kBool},
                                                       {"u8", DataType::kU8},
                                                       {"i8", DataType::kI8},
                                                       {"f8e4m3", DataType::kF8E4M3},
                                                       {"f8e5m2", DataType::kF8E5M2},
                                                       {"i16", DataType::kI16},
                                                       {"u16", DataType::kU16},
                                                       {"f16", DataType::kF16},
                                                       {"bf16", DataType::kBF16},
                                                       {"i32", DataType::kI32},
                                                       {"u32", DataType::kU32},
                                                       {"f32", DataType::kF32},
                                                       {"i64", DataType::kI64},
                                                       {"u64", DataType::kU64},
                                                       {"f64", DataType::kF64}});

constexpr std::array<std::string_view, 16> kArgumentKeys = {
    "name",     "type",     "shape", "fill",   "output",    "value",   "operation", "terms",
    "relative", "absolute", "ulps",  "cosine", "any_order", "pytorch", "fields",    "seed"};

}  // namespace

Status SpecReader::argument(const toml::table& table, Argument& out) {
  Asked asked;
  for (const auto& [key, value] : table) HW_CHECK(argument_key(key, value, out, asked));
  if (out.name.empty()) return wrong(table.source(), "the argument has no name");
  if (table.contains("fields")) return check_struct(table, out, asked);
  out.is_buffer = asked.has_shape;
  if (out.is_buffer == asked.has_value)
    return wrong(table.source(), "an argument needs either a shape (buffer) or a value (scalar)",
                 R"(Write shape = ["n"] or value = 1.)");
  if (out.is_output && !out.is_buffer)
    return wrong(table.source(), "only a buffer can be an output");
  if (out.is_output && !asked.has_fill) out.fill = {Distribution::Kind::kConstant, 0, 0};
  for (const auto* each : {&asked.relative, &asked.absolute, &asked.ulps, &asked.cosine})
    if (*each && !(**each >= 0 && std::isfinite(**each)))
      return wrong(table.source(), "a tolerance must be a non-negative number", "Give 0 or more.");
  if (asked.cosine && asked.any_order)
    return wrong(table.source(),
                 "cosine compares elements in order, so it cannot be combined with any_order",
                 "Keep one of them; relative and absolute work with any_order.");
  if (out.is_output) out.tolerance = tolerance(out.type, asked);
  return out.is_buffer ? Status{} : check_value(table, out);
}

Status SpecReader::check_struct(const toml::table& table, const Argument& out,
                                const Asked& asked) const {
  if (out.fields.empty()) return wrong(table.source(), "the struct has no fields");
  if (asked.has_shape || asked.has_value || asked.has_type || asked.has_fill || out.is_output ||
      out.seed)
    return wrong(table.source(), "a struct argument takes only name and fields",
                 R"(Write { name = "p", fields = [{ type = "i32", value = 1 }] }.)");
  return {};
}

// The name of a field is only documentation.
Status SpecReader::field(const toml::node& node, Argument& out) {
  if (!node.is_table())
    return wrong(node.source(), "expected a table", R"(Write { type = "i32", value = 1 }.)");
  Asked asked;
  for (const auto& [key, value] : *node.as_table()) {
    if (key.str() != "name" && key.str() != "type" && key.str() != "value")
      return wrong(key.source(), fmt::format("unknown field key '{}'", key.str()),
                   "Known keys: name, type, value.");
    HW_CHECK(argument_key(key, value, out, asked));
  }
  if (!asked.has_value) return wrong(node.source(), "the field has no value");
  return check_value(*node.as_table(), out);
}

// A value that the type cannot hold would be truncated silently.
Status SpecReader::check_value(const toml::table& table, const Argument& out) const {
  if (out.size || is_float(out.type)) return {};
  Values stored = zeros(out.type, {});
  store(stored, 0, out.value);
  if (stored.at(0) == out.value) return {};
  return wrong(table.get("value")->source(),
               fmt::format("{} does not fit {}", out.value, short_name(out.type)));
}

Tolerance SpecReader::tolerance(DataType type, const Asked& asked) {
  Tolerance out =
      asked.is_pytorch
          ? pytorch_tolerance(type)
          : default_tolerance(type, asked.operation.value_or(Operation::kReduction), asked.terms);
  if (asked.relative || asked.absolute || asked.ulps) {
    out = {};
    out.relative = asked.relative.value_or(0);
    out.absolute = asked.absolute.value_or(0);
    out.ulps = asked.ulps;
    out.why = "set in the spec";
  }
  if (asked.cosine) out.cosine = asked.cosine;
  out.any_order = asked.any_order;
  return out;
}

Status SpecReader::argument_key(const toml::key& key, const toml::node& value, Argument& out,
                                Asked& asked) {
  const std::string_view name = key.str();
  if (name == "name") return text(value, out.name);
  if (name == "type") {
    asked.has_type = true;
    return type(value, out.type);
  }
  if (name == "fields")
    return each(value,
                [&](const toml::node& node) { return field(node, out.fields.emplace_back()); });
  if (name == "seed") return seed(value, out.seed.emplace());
  if (name == "shape") {
    asked.has_shape = true;
    return each(value,
                [&](const toml::node& node) { return expression(node, out.shape.emplace_back()); });
  }
  if (name == "fill") {
    asked.has_fill = true;
    std::string word;
    HW_CHECK(text(value, word));
    auto parsed = parse_distribution(word);
    if (!parsed) return wrong(value.source(), parsed.error().why, parsed.error().fix);
    out.fill = *parsed;
    return {};
  }
  if (name == "value") {
    asked.has_value = true;
    if (!value.is_string()) return number(value, out.value);
    return expression(value, out.size.emplace());
  }
  if (name == "operation") {
    std::string word;
    HW_CHECK(text(value, word));
    auto parsed = parse_operation(word);
    if (!parsed) return wrong(value.source(), parsed.error().why, parsed.error().fix);
    asked.operation = *parsed;
    return {};
  }
  if (name == "terms") {
    const auto terms = value.value<std::int64_t>();
    if (!terms || *terms < 1) return wrong(value.source(), "terms must be a positive integer");
    asked.terms = static_cast<std::size_t>(*terms);
    return {};
  }
  if (name == "relative") return number(value, asked.relative.emplace());
  if (name == "absolute") return number(value, asked.absolute.emplace());
  if (name == "ulps") return number(value, asked.ulps.emplace());
  if (name == "cosine") return number(value, asked.cosine.emplace());
  bool* const flag = name == "output"      ? &out.is_output
                     : name == "any_order" ? &asked.any_order
                     : name == "pytorch"   ? &asked.is_pytorch
                                           : nullptr;
  if (flag == nullptr)
    return wrong(key.source(), fmt::format("unknown argument key '{}'", name),
                 nearest(name, kArgumentKeys));
  if (!value.is_boolean()) return wrong(value.source(), "expected true or false");
  *flag = value.as_boolean()->get();
  return {};
}

Status SpecReader::type(const toml::node& value, DataType& out) const {
  std::string word;
  HW_CHECK(text(value, word));
  for (const TypeName& each : kTypes)
    if (each.name == word) {
      out = each.type;
      return {};
    }
  std::vector<std::string_view> names;
  for (const TypeName& each : kTypes) names.push_back(each.name);
  return wrong(value.source(), fmt::format("unknown type '{}'", word), nearest(word, names));
}

}  // namespace hipwright::verify
