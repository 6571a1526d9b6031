// SPDX-License-Identifier: MIT
#include "verify/kernel/types.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "toolchain/compile/compile.h"

namespace hipwright::verify {

namespace cu = syntax::cuda;

namespace {

struct Known {
  std::string_view spelled, type;
};
constexpr std::array kKnown = std::to_array<Known>({
    {"float", "f32"},
    {"double", "f64"},
    {"half", "f16"},
    {"__half", "f16"},
    {"_Float16", "f16"},
    {"__nv_bfloat16", "bf16"},
    {"__hip_bfloat16", "bf16"},
    {"hip_bfloat16", "bf16"},
    {"nv_bfloat16", "bf16"},
    {"__bf16", "bf16"},
    {"bool", "bool"},
    {"char", "i8"},
    {"signed char", "i8"},
    {"int8_t", "i8"},
    {"unsigned char", "u8"},
    {"uint8_t", "u8"},
    {"uchar", "u8"},
    {"short", "i16"},
    {"short int", "i16"},
    {"int16_t", "i16"},
    {"unsigned short", "u16"},
    {"unsigned short int", "u16"},
    {"uint16_t", "u16"},
    {"ushort", "u16"},
    {"int", "i32"},
    {"signed", "i32"},
    {"signed int", "i32"},
    {"int32_t", "i32"},
    {"unsigned", "u32"},
    {"unsigned int", "u32"},
    {"uint32_t", "u32"},
    {"uint", "u32"},
    {"long", "i64"},
    {"long int", "i64"},
    {"long long", "i64"},
    {"long long int", "i64"},
    {"int64_t", "i64"},
    {"ptrdiff_t", "i64"},
    {"ssize_t", "i64"},
    {"intptr_t", "i64"},
    {"unsigned long", "u64"},
    {"unsigned long int", "u64"},
    {"unsigned long long", "u64"},
    {"unsigned long long int", "u64"},
    {"uint64_t", "u64"},
    {"ulong", "u64"},
    {"size_t", "u64"},
    {"uintptr_t", "u64"},
});

// float4, uint2, __half2: CUDA's own.
constexpr std::array kVectors = std::to_array<Known>({
    {"char", "i8"},
    {"uchar", "u8"},
    {"short", "i16"},
    {"ushort", "u16"},
    {"int", "i32"},
    {"uint", "u32"},
    {"long", "i64"},
    {"ulong", "u64"},
    {"longlong", "i64"},
    {"ulonglong", "u64"},
    {"float", "f32"},
    {"double", "f64"},
    {"half", "f16"},
    {"__half", "f16"},
    {"__nv_bfloat16", "bf16"},
    {"nv_bfloat16", "bf16"},
    {"__hip_bfloat16", "bf16"},
});

constexpr std::array<std::string_view, 16> kQualifiers = {
    "__restrict__", "__restrict", "restrict", "volatile",         "std",      "struct",
    "class",        "union",      "enum",     "typename",         "register", "static",
    "inline",       "mutable",    "alignas",  "__grid_constant__"};

bool is_qualifier(std::string_view word) {
  return std::find(kQualifiers.begin(), kQualifiers.end(), word) != kQualifiers.end();
}

bool is_word(const cu::File& file, cu::TokenIndex at) {
  return file.tokens()[at].kind == cu::Kind::kName;
}

}  // namespace

std::string_view type_of(std::string_view spelled) {
  for (const Known& each : kKnown)
    if (each.spelled == spelled) return each.type;
  return {};
}

std::string namespaces_of(const cu::File& file, cu::TokenIndex token) {
  std::string out;
  for (cu::TokenIndex at = 0; at < token; ++at) {
    if (!is_word(file, at) || file.text(at) != "namespace") continue;
    std::string name;
    cu::TokenIndex next = at + 1;
    for (;
         next < token && file.text(next) != "{" && file.text(next) != ";" && file.text(next) != "=";
         ++next)
      if (file.text(next) != "inline") name += file.text(next);
    if (next >= token || file.text(next) != "{") continue;
    const cu::TokenIndex close = file.partner(next);
    if (close == cu::kNoToken || close < token) continue;
    if (!name.empty()) out += name + "::";
  }
  return out;
}

Result<Sources> Sources::read(const std::filesystem::path& source) {
  Sources all;
  const auto add = [&](const std::filesystem::path& path) -> Status {
    HW_TRY(std::string text, read_file(path));
    auto unit = std::make_unique<Unit>(Unit{path, std::move(text), nullptr});
    unit->file = std::make_unique<cu::File>(unit->text);
    all.units_.push_back(std::move(unit));
    return {};
  };
  HW_CHECK(add(source));
  const auto scan = toolchain::scan_includes(all.units_[0]->text,
                                             {std::filesystem::absolute(source).parent_path()});
  for (const std::filesystem::path& header : scan.files)
    if (const Status added = add(header); !added) continue;  // the compiler reports it
  for (const auto& unit : all.units_) all.learn(*unit->file);
  return all;
}

// RESTRICT, EXPORT: macros that are empty or contain only qualifiers.
bool Sources::is_nothing(std::string_view word) const {
  if (is_qualifier(word)) return true;
  const auto alias = aliases_.find(word);
  return alias != aliases_.end() && alias->second.spelled.empty() && alias->second.pointers == 0;
}

Parameter Sources::parameter_of(const cu::File& file, cu::TokenRange range) const {
  Parameter out;
  std::vector<std::string> words;
  for (cu::TokenIndex at = range.begin; at < range.end; ++at) {
    const std::string_view text = file.text(at);
    if (text == "=") break;
    if (text == "(" && at > range.begin && file.text(at - 1) == "alignas") {
      at = file.partner(at) == cu::kNoToken ? at : file.partner(at);
    } else if (text == "*" || text == "[") {
      ++out.pointers;
    } else if (text == "const") {
      out.is_const = true;
    } else if (is_word(file, at)) {
      if (!is_nothing(text)) words.emplace_back(text);
    } else if (text == "...") {
      out.is_pack = true;
    } else if (text == "<" || text == "(" || text == "&" || text == "&&" || text == "#") {
      out.is_plain = false;
    } else if (text == "::" && !words.empty() && at > range.begin && is_word(file, at - 1) &&
               file.text(at - 1) != "std") {
      words.pop_back();  // the enclosing scope does not matter
    }
  }
  if (words.empty()) return out;
  // "unsigned" alone is a type without a name, as is "size_t"; "unsigned n" has both.
  const bool is_named = words.size() > 1 && type_of(words.back()).empty();
  if (is_named) {
    out.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) out.spelled += (out.spelled.empty() ? "" : " ") + word;
  return out;
}

std::vector<Parameter> Sources::parameters_of(const Unit& unit,
                                              const cu::Function& function) const {
  std::vector<Parameter> out;
  const cu::File& file = *unit.file;
  if (function.parameters.empty() || function.parameters.begin == 0) return out;
  for (const cu::TokenRange range : file.arguments(function.parameters.begin - 1)) {
    Parameter parameter = parameter_of(file, range);
    // k(void)
    if (parameter.spelled == "void" && !parameter.is_pointer()) continue;
    out.push_back(std::move(parameter));
  }
  return out;
}

// The members of a plain struct; empty for any other.
void Sources::learn_struct(const cu::File& file, const std::string& name, cu::TokenIndex open) {
  const cu::TokenIndex close = file.partner(open);
  if (close == cu::kNoToken) return;
  std::vector<Parameter> members;
  bool is_plain = true;
  for (cu::TokenIndex at = open + 1; at < close && is_plain;) {
    cu::TokenIndex end = at;
    std::vector<cu::TokenRange> parts{{at, at}};
    for (; end < close && file.text(end) != ";"; ++end) {
      const std::string_view text = file.text(end);
      is_plain &= text != "(" && text != "{" && text != "[" && text != "#" && text != ":" &&
                  text != "static";
      if (text == ",")
        parts.push_back({end + 1, end + 1});
      else
        parts.back().end = end + 1;
    }
    if (end > at) {
      Parameter first = parameter_of(file, parts[0]);
      members.push_back(first);
      for (std::size_t i = 1; i < parts.size(); ++i) {
        is_plain &= !parts[i].empty() && is_word(file, parts[i].begin);
        if (is_plain) first.name = file.text(parts[i].begin);
        members.push_back(first);
      }
    }
    at = end + 1;
  }
  structs_.insert_or_assign(name, is_plain ? std::move(members) : std::vector<Parameter>{});
}

// typedef WORDS NAME; and typedef struct { … } NAME;
void Sources::learn_typedef(const cu::File& file, cu::TokenRange range) {
  if (range.empty() || !is_word(file, range.end - 1)) return;
  const std::string name(file.text(range.end - 1));
  for (cu::TokenIndex at = range.begin; at < range.end; ++at)
    if (file.text(at) == "{") {
      if (file.text(range.begin) == "enum")
        aliases_.insert_or_assign(name, Alias{"int", 0, true});
      else
        learn_struct(file, name, at);
      return;
    }
  const Parameter parameter = parameter_of(file, range);
  if (!parameter.is_plain) return;
  const bool is_named = parameter.name == name;
  if (is_named && !parameter.spelled.empty())
    aliases_.insert_or_assign(name, Alias{parameter.spelled, parameter.pointers});
}

void Sources::learn(const cu::File& file) {
  for (const cu::Macro& macro : file.macros()) {
    if (macro.is_function) continue;
    const Parameter body = parameter_of(file, macro.body);
    std::string spelled = body.spelled;
    if (!body.name.empty()) spelled += (spelled.empty() ? "" : " ") + body.name;
    bool is_type = body.is_plain;
    for (cu::TokenIndex at = macro.body.begin; at < macro.body.end; ++at)
      is_type &= is_word(file, at) || file.text(at) == "*" || file.text(at) == "::";
    if (is_type)
      aliases_.insert_or_assign(std::string(file.text(macro.name)), Alias{spelled, body.pointers});
  }
  const auto tokens = static_cast<cu::TokenIndex>(file.tokens().size());
  for (cu::TokenIndex at = 0; at + 2 < tokens; ++at) {
    if (!is_word(file, at)) continue;
    const std::string_view word = file.text(at);
    const auto end_of = [&] {
      cu::TokenIndex end = at;
      while (end < tokens && file.text(end) != ";") {
        const bool opens = file.text(end) == "{";
        const cu::TokenIndex close = opens ? file.partner(end) : cu::kNoToken;
        end = close != cu::kNoToken && close > end ? close + 1 : end + 1;
      }
      return std::min(end, tokens);
    };
    if (word == "typedef") {
      learn_typedef(file, {at + 1, end_of()});
    } else if (word == "using" && is_word(file, at + 1) && file.text(at + 2) == "=") {
      const Parameter meant = parameter_of(file, {at + 3, end_of()});
      std::string spelled = meant.spelled;
      if (!meant.name.empty()) spelled += (spelled.empty() ? "" : " ") + meant.name;
      if (meant.is_plain && !spelled.empty())
        aliases_.insert_or_assign(std::string(file.text(at + 1)), Alias{spelled, meant.pointers});
    } else if (word == "enum") {
      cu::TokenIndex next = at + 1;
      if (file.text(next) == "class" || file.text(next) == "struct") ++next;
      if (next + 2 >= tokens || !is_word(file, next)) continue;
      std::string base = "int";
      if (file.text(next + 1) == ":") {
        cu::TokenIndex brace = next + 2;
        while (brace < tokens && file.text(brace) != "{" && file.text(brace) != ";") ++brace;
        const Parameter under = parameter_of(file, {next + 2, brace});
        base = under.spelled + (under.name.empty() ? "" : " " + under.name);
      } else if (file.text(next + 1) != "{") {
        continue;
      }
      aliases_.insert_or_assign(std::string(file.text(next)), Alias{base, 0, true});
    } else if ((word == "struct" || word == "class" || word == "union") && is_word(file, at + 1) &&
               file.text(at + 2) == "{") {
      if (word == "struct")
        learn_struct(file, std::string(file.text(at + 1)), at + 2);
      else
        structs_.insert_or_assign(std::string(file.text(at + 1)), std::vector<Parameter>{});
    }
  }
}

Meaning Sources::resolved(const Parameter& parameter,
                          const std::map<std::string_view, std::string>& given) const {
  Meaning out{.spelled = parameter.spelled, .pointers = parameter.pointers};
  for (int depth = 0; depth < 16 && type_of(out.spelled).empty(); ++depth) {
    const auto argument = given.find(out.spelled);
    const auto alias = aliases_.find(out.spelled);
    if (argument != given.end()) {
      out.spelled = argument->second;
    } else if (alias != aliases_.end() && !alias->second.spelled.empty()) {
      out.spelled = alias->second.spelled;
      out.pointers += alias->second.pointers;
      out.is_enum |= alias->second.is_enum;
    } else {
      break;
    }
    if (out.spelled.starts_with("std::")) out.spelled.erase(0, 5);
  }
  out.type = type_of(out.spelled);
  if (!out.type.empty()) out.kind = Meaning::Kind::kNumber;
  return out;
}

Meaning Sources::meaning_of(const Parameter& parameter,
                            const std::map<std::string_view, std::string>& given) const {
  if (!parameter.is_plain) return {.spelled = parameter.spelled, .pointers = parameter.pointers};
  Meaning out = resolved(parameter, given);
  if (out.kind == Meaning::Kind::kNumber) return out;
  if (out.spelled == "void") {
    out.kind = Meaning::Kind::kVoid;
  } else if (const auto known = structs_.find(out.spelled); known != structs_.end()) {
    out.kind = Meaning::Kind::kStruct;
    for (const Parameter& each : known->second) {
      const Meaning member = resolved(each, given);
      if (!each.is_plain || member.kind != Meaning::Kind::kNumber || member.pointers != 0) {
        out.members.clear();
        break;
      }
      out.members.push_back({each.name, member.type});
    }
  } else if (out.spelled == "dim3") {
    out.kind = Meaning::Kind::kVector;
    out.type = "u32";
    out.lanes = 3;
  } else {
    for (const Known& each : kVectors)
      if (out.spelled.size() == each.spelled.size() + 1 && out.spelled.starts_with(each.spelled) &&
          out.spelled.back() >= '1' && out.spelled.back() <= '4') {
        out.kind = Meaning::Kind::kVector;
        out.type = each.type;
        out.lanes = out.spelled.back() - '0';
      }
  }
  if (out.kind == Meaning::Kind::kVector)
    for (int i = 0; i < out.lanes; ++i)
      out.members.push_back({std::string(1, "xyzw"[i]), out.type});
  return out;
}

}  // namespace hipwright::verify
