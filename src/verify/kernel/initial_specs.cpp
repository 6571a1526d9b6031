// SPDX-License-Identifier: MIT
// A first spec from the kernel's source: types and names are known, sizes are guessed.
#include <algorithm>

#include <fmt/format.h>

#include "verify/kernel/spec.h"
#include "verify/kernel/types.h"

namespace hipwright::verify {

namespace cu = syntax::cuda;

namespace {

bool is_integer(std::string_view type) {
  return type.starts_with('i') || type.starts_with('u');
}

// A scalar that looks like a size becomes one.
std::string value_of(std::string_view type, bool is_enum) {
  const bool is_size = is_integer(type) && !type.ends_with('8') && !is_enum;
  return is_size ? "\"n\"" : is_enum ? "0" : "1";
}

std::string fields_of(const Meaning& meaning) {
  std::string out;
  bool has_size = false;  // only one, because several are often multiplied
  for (const Member& each : meaning.members) {
    std::string value = has_size ? "1" : value_of(each.type, false);
    has_size |= value != "1";
    out += fmt::format("{}{{ name = \"{}\", type = \"{}\", value = {} }}", out.empty() ? "" : ", ",
                       each.name, each.type, value);
  }
  return out;
}

std::string by_value(const Parameter& parameter, const Meaning& meaning) {
  using Kind = Meaning::Kind;
  if (meaning.kind == Kind::kNumber)
    return fmt::format("  {{ name = \"{}\", type = \"{}\", value = {} }},  # guessed\n",
                       parameter.name, meaning.type, value_of(meaning.type, meaning.is_enum));
  if (meaning.kind == Kind::kUnknown && parameter.is_plain)
    return fmt::format(
        "  {{ name = \"{}\", type = \"f32\", value = 1 }},  # {} is unknown: assumed "
        "float\n",
        parameter.name, parameter.spelled);
  if (meaning.members.empty())
    return fmt::format(
        "  {{ name = \"{}\", fields = [{{ type = \"i32\", value = 1 }}] }},  # the "
        "fields of {} are unknown\n",
        parameter.name, parameter.spelled);
  return fmt::format("  {{ name = \"{}\", fields = [{}] }},  # guessed\n", parameter.name,
                     fields_of(meaning));
}

// What a pointer points to: element type, elements per item, a remark.
struct Elements {
  std::string_view type = "u8";
  std::size_t together = 1;
  std::string remark;
};

Elements elements_of(const Parameter& parameter, const Meaning& meaning) {
  using Kind = Meaning::Kind;
  const auto& members = meaning.members;
  const bool is_uniform =
      !members.empty() && std::all_of(members.begin(), members.end(), [&](const Member& each) {
        return each.type == members[0].type;
      });
  if (meaning.kind == Kind::kNumber) return {meaning.type, 1, ""};
  if (is_uniform) return {members[0].type, members.size(), ""};
  if (meaning.kind == Kind::kVoid) return {"u8", 1, "  # void: assumed bytes"};
  // Enough for small types; checks find accesses beyond it.
  return {"u8", 64, fmt::format("  # {} is unknown: assumed up to 64 bytes", parameter.spelled)};
}

std::string argument_of(const Parameter& parameter, const Meaning& meaning) {
  if (!parameter.is_pointer() && meaning.pointers == 0) return by_value(parameter, meaning);
  const auto [type, together, remark] = elements_of(parameter, meaning);
  const std::string_view fill = is_integer(type) ? "integers(0, 100)" : "uniform(-1, 1)";
  const std::string rest =
      parameter.is_const
          ? fmt::format("fill = \"{}\"", fill)
          : fmt::format("fill = \"{}\", output = true, operation = \"elementwise\"", fill);
  return fmt::format("  {{ name = \"{}\", type = \"{}\", shape = [\"n\"{}], {} }},{}\n",
                     parameter.name, type, together == 1 ? "" : fmt::format(", {}", together), rest,
                     remark);
}

struct TemplateArguments {
  std::string text;                               // "float, 1"
  std::map<std::string_view, std::string> types;  // T: float
  bool is_template = false;
};

// One for each parameter that has no default.
TemplateArguments arguments_for(const cu::File& file, const cu::Function& function) {
  TemplateArguments out;
  const cu::TokenRange range = function.template_parameters;
  out.is_template = !range.empty();
  int depth = 0;
  for (cu::TokenIndex begin = range.begin; begin < range.end;) {
    cu::TokenIndex end = begin;
    bool has_default = false, is_pack = false;
    for (; end < range.end && (depth != 0 || file.text(end) != ","); ++end) {
      const std::string_view word = file.text(end);
      depth += (word == "<" || word == "(") - (word == ">" || word == ")");
      has_default |= depth == 0 && word == "=";
      is_pack |= word == "...";
    }
    const std::string_view kind = file.text(begin);
    const bool is_type = kind == "typename" || kind == "class";
    if (is_type && begin + 1 < end) out.types.emplace(file.text(begin + 1), "float");
    if (has_default || is_pack) break;
    out.text += out.text.empty() ? "" : ", ";
    out.text += is_type          ? "float"
                : kind == "bool" ? "false"
                : kind == "int" || kind == "unsigned" || kind == "size_t" || kind == "std"
                    ? "1"
                    : fmt::format("{}(0)", kind);
    begin = end + 1;
  }
  return out;
}

std::string spec_of(const Sources& sources, const Sources::Unit& unit, const cu::Function& function,
                    const std::string& source) {
  const cu::File& file = *unit.file;
  const std::string name(file.text(function.name));
  const TemplateArguments given = arguments_for(file, function);
  std::string arguments;
  std::size_t nth = 0;
  bool has_output = false;
  for (Parameter& parameter : sources.parameters_of(unit, function)) {
    ++nth;
    if (parameter.is_pack || parameter.spelled.empty()) continue;
    if (parameter.name.empty()) parameter.name = fmt::format("argument{}", nth);
    const Meaning meaning = sources.meaning_of(parameter, given.types);
    if (meaning.pointers > 1)
      return fmt::format("# [{}] takes {}, a table of pointers, which a spec cannot fill.\n", name,
                         parameter.name);
    has_output |= meaning.pointers == 1 && !parameter.is_const;
    arguments += argument_of(parameter, meaning);
  }
  if (!has_output)
    return fmt::format("# [{}] writes through no argument, so there is nothing to compare.\n",
                       name);
  std::string out = fmt::format("[{}]\nsource = \"{}\"\n", name, source);
  const std::string full = namespaces_of(file, function.name) + name;
  if (given.is_template)
    out += fmt::format("kernel = \"{}<{}>\"  # guessed\n", full, given.text);
  else if (full != name)
    out += fmt::format("kernel = \"{}\"\n", full);
  out +=
      "sizes = { n = 1000 }  # guessed\nblock = [256]\ngrid = [\"(n + 255) / 256\"]  # guessed\n";
  return out + "arguments = [\n" + arguments + "]\n";
}

}  // namespace

Result<std::string> initial_specs(const std::filesystem::path& source) {
  HW_TRY(const Sources sources, Sources::read(source));
  std::string out = fmt::format(
      "# Test inputs for the kernels of {}. Written by hipwright verify --init; guesses are "
      "marked.\n",
      source.filename().string());
  std::vector<std::string_view> seen;
  for (const auto& unit : sources.units())
    for (const cu::Function& function : unit->file->functions()) {
      if ((function.qualifiers & cu::kGlobal) == 0 || function.body.empty()) continue;
      const std::string_view name = unit->file->text(function.name);
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
      seen.push_back(name);
      out += "\n" + spec_of(sources, *unit, function, source.filename().string());
    }
  if (seen.empty())
    return fail("cannot make a spec", source.string(), "no __global__ function with a body");
  return out;
}

}  // namespace hipwright::verify
