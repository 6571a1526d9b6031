// SPDX-License-Identifier: MIT
#include "verify/kernel/spec.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/hash.h"
#include "base/toml_depth.h"
#include "toolchain/compile/compile.h"
#include "verify/kernel/reduction.h"
#include "verify/kernel/signature.h"
#include "verify/kernel/spec_reader.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 15> kKeys = {
    "kernel", "source", "code",   "cuda",      "reference",  "golden", "flags", "sizes",
    "grid",   "block",  "shared", "arguments", "invariants", "limits", "seed"};
}  // namespace

Result<std::vector<KernelSpec>> SpecReader::read(const toml::table& all) {
  std::vector<KernelSpec> specs;
  for (const auto& [label, node] : all) {
    if (!node.is_table())
      return wrong(label.source(), fmt::format("'{}' is outside a kernel's table", label.str()),
                   "Start with [name_of_the_kernel].");
    HW_TRY(KernelSpec spec, kernel(std::string(label.str()), *node.as_table()));
    specs.push_back(std::move(spec));
  }
  if (specs.empty()) return fail(kWhat, file_.string(), "it describes no kernels", "Write [name].");
  return specs;
}

std::unexpected<Error> SpecReader::wrong(const toml::source_region& where, std::string why,
                                         std::string fix) const {
  return fail(kWhat, fmt::format("{}:{}:{}", file_.string(), where.begin.line, where.begin.column),
              std::move(why), std::move(fix));
}

Result<KernelSpec> SpecReader::kernel(std::string label, const toml::table& table) {
  KernelSpec spec;
  spec.file = file_;
  spec.kernel = label;
  spec.label = std::move(label);
  spec.shared = Expression::of(0);
  expressions_.clear();
  for (const auto& [key, value] : table) HW_CHECK(key_of(spec, key, value));
  if (spec.source.empty() == spec.code.empty())
    return wrong(table.source(), "expected exactly one of source and code",
                 R"(Write source = "kernel.hip".)");
  if (spec.grid.empty() || spec.block.empty())
    return wrong(table.source(), "missing grid or block", "Write block = [256].");
  if (std::none_of(spec.arguments.begin(), spec.arguments.end(),
                   [](const Argument& each) { return each.is_output; }))
    return wrong(table.source(), "no argument is an output, so there is nothing to compare",
                 "Set output = true for the arguments that the kernel writes.");
  for (std::size_t i = 0; i < spec.arguments.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (spec.arguments[i].name == spec.arguments[j].name)
        return wrong(table.source(),
                     fmt::format("duplicate argument name {}", spec.arguments[i].name));
  HW_CHECK(check_names(spec));
  HW_CHECK(check_signature(spec, table));
  HW_CHECK(hash(spec, table));
  return spec;
}

Status SpecReader::check_names(const KernelSpec& spec) const {
  for (const Written& each : expressions_) {
    const Expression::Calls calls = [&](std::string_view function,
                                        std::string_view name) -> Status {
      if (!each.is_claim)
        return fail({}, {}, fmt::format("unknown function {} of sizes", function),
                    "Use min, max or ceil_div of two numbers.");
      if (std::find(kReductions.begin(), kReductions.end(), function) == kReductions.end())
        return fail({}, {}, fmt::format("unknown tensor function '{}'", function),
                    nearest(function, kReductions));
      if (std::none_of(spec.arguments.begin(), spec.arguments.end(),
                       [&](const Argument& argument) { return argument.name == name; }))
        return fail({}, {}, fmt::format("no such argument: '{}'", name));
      return {};
    };
    if (const Status there = each.expression.check(spec.sizes, calls); !there)
      return wrong(each.where, fmt::format("'{}': {}", each.expression.text(), there.error().why),
                   there.error().fix);
  }
  return {};
}

Status SpecReader::check_signature(const KernelSpec& spec, const toml::table& table) const {
  const auto mismatch = signature_mismatch(spec);
  if (!mismatch) return wrong(table.source(), mismatch.error().message());
  if (!*mismatch) return {};
  const toml::node& all = *table.get("arguments");
  const toml::node& where =
      (*mismatch)->argument ? *all.as_array()->get(*(*mismatch)->argument) : all;
  return wrong(where.source(), (*mismatch)->why,
               "List the types of the kernel's parameters in order.");
}

Status SpecReader::key_of(KernelSpec& spec, const toml::key& key, const toml::node& value) {
  const std::string_view name = key.str();
  if (name == "kernel") return text(value, spec.kernel);
  if (name == "source") return path(value, spec.source);
  if (name == "code") return path(value, spec.code);
  if (name == "cuda") return path(value, spec.cuda);
  if (name == "reference") return path(value, spec.reference);
  if (name == "golden") return path(value, spec.golden, false);
  if (name == "grid") return dimensions(value, spec.grid);
  if (name == "block") return dimensions(value, spec.block);
  if (name == "shared") return expression(value, spec.shared);
  if (name == "sizes") return sizes(value, spec.sizes);
  if (name == "limits") return limits(value, spec.limits);
  if (name == "flags")
    return each(value,
                [&](const toml::node& node) { return text(node, spec.flags.emplace_back()); });
  if (name == "invariants")
    return each(value, [&](const toml::node& node) {
      return expression(node, spec.invariants.emplace_back(), true);
    });
  if (name == "arguments")
    return each(value, [&](const toml::node& node) -> Status {
      if (!node.is_table())
        return wrong(node.source(), "expected a table", R"(Write { name = "x", … }.)");
      return argument(*node.as_table(), spec.arguments.emplace_back());
    });
  if (name == "seed") return seed(value, spec.seed);
  return wrong(key.source(), fmt::format("unknown kernel key '{}'", name), nearest(name, kKeys));
}

Status SpecReader::text(const toml::node& value, std::string& out) const {
  if (!value.is_string()) return wrong(value.source(), "expected a string");
  out = value.as_string()->get();
  return {};
}

Status SpecReader::path(const toml::node& value, fs::path& out, bool must_exist) const {
  std::string name;
  HW_CHECK(text(value, name));
  out = fs::absolute(file_).parent_path() / name;
  std::error_code ignored;
  if (must_exist && !fs::is_regular_file(out, ignored))
    return wrong(value.source(), fmt::format("no such file beside the spec: '{}'", name));
  return {};
}

Status SpecReader::expression(const toml::node& value, Expression& out, bool is_claim) {
  if (const auto number = value.as_integer()) {
    out = Expression::of(number->get());
    return {};
  }
  if (!value.is_string())
    return wrong(value.source(), "expected a number or an expression",
                 R"(Write 256 or "(n + 255) / 256".)");
  auto parsed = Expression::parse(value.as_string()->get());
  if (!parsed)
    return wrong(value.source(), fmt::format("'{}': {}", parsed.error().on, parsed.error().why));
  out = *std::move(parsed);
  expressions_.push_back({value.source(), out, is_claim});
  return {};
}

Status SpecReader::dimensions(const toml::node& value, std::vector<Expression>& out) {
  if (!value.is_array()) return expression(value, out.emplace_back());
  HW_CHECK(
      each(value, [&](const toml::node& node) { return expression(node, out.emplace_back()); }));
  if (out.empty() || out.size() > 3) return wrong(value.source(), "expected one to three sizes");
  return {};
}

Status SpecReader::sizes(const toml::node& value, Sizes& out) const {
  if (!value.is_table())
    return wrong(value.source(), "sizes must be a table", "Write sizes = { n = 1000 }.");
  for (const auto& [name, node] : *value.as_table()) {
    const auto size = node.value<std::int64_t>();
    if (!size) return wrong(node.source(), "a size must be an integer");
    if (name.str() == "wave")
      return wrong(node.source(), "wave is reserved for the device's wave size");
    out.emplace(std::string(name.str()), *size);
  }
  return {};
}

Status SpecReader::limits(const toml::node& value, Limits& out) const {
  if (!value.is_table())
    return wrong(value.source(), "limits must be a table", "Write limits = { spills = 0 }.");
  for (const auto& [name, node] : *value.as_table()) {
    const auto most = node.value<std::int64_t>();
    if (!most || *most < 0) return wrong(node.source(), "a limit must be a non-negative integer");
    if (std::find(kResources.begin(), kResources.end(), name.str()) == kResources.end())
      return wrong(name.source(), fmt::format("unknown limit '{}'", name.str()),
                   nearest(name.str(), kResources));
    out.emplace(std::string(name.str()), static_cast<std::uint64_t>(*most));
  }
  return {};
}

Status SpecReader::seed(const toml::node& value, std::uint64_t& out) const {
  const auto seed = value.value<std::int64_t>();
  if (!seed || *seed < 0) return wrong(value.source(), "a seed must be a non-negative integer");
  out = static_cast<std::uint64_t>(*seed);
  return {};
}

Status SpecReader::number(const toml::node& value, double& out) const {
  const auto number = value.value<double>();
  if (!number) return wrong(value.source(), "expected a number");
  out = *number;
  return {};
}

Status SpecReader::hash(KernelSpec& spec, const toml::table& table) const {
  const auto begin = table.source().begin;
  Hasher hasher;
  hasher.field(spec.label).field(fmt::format("{}", begin.line)).field(text_);
  for (const fs::path* each : {&spec.source, &spec.code, &spec.cuda, &spec.reference}) {
    if (each->empty()) continue;
    HW_TRY(const std::string content, read_file(*each));
    hasher.field(content);
    // Headers beside it, and those that they include.
    const auto scan = toolchain::scan_includes(content, {each->parent_path()});
    for (const fs::path& header : scan.files)
      if (const auto text = read_file(header)) hasher.field(*text);
  }
  spec.hash = hasher.finish().hex();
  return {};
}

Result<std::vector<KernelSpec>> read_specs(const fs::path& file) {
  HW_TRY(const std::string text, read_file(file, kMostSettingsBytes));
  return parse_specs(text, file);
}

Result<std::vector<KernelSpec>> parse_specs(std::string_view text, const fs::path& file) {
  HW_CHECK(check_toml_depth(text, file.string()));
  try {
    const toml::table all = toml::parse(text);
    return SpecReader(file, text).read(all);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    return fail("cannot read the kernel's spec",
                fmt::format("{}:{}:{}", file.string(), at.line, at.column),
                std::string(error.description()));
  }
}

}  // namespace hipwright::verify
