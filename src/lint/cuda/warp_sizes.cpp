// SPDX-License-Identifier: MIT
#include "lint/cuda/warp_sizes.h"

#include <algorithm>
#include <array>

#include "base/words.h"

namespace hipwright::lint {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;

namespace {

const std::vector<Name> kWords = {Name("define"), Name("constexpr"), Name("const"), Name("enum"),
                                  Name("template")};

// #define WARP 32: a size by its value only.
bool is_short_name(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames = {"warp",   "wave",      "kwarp",
                                                             "warpsz", "wavefront", "warp_sz"};
  return std::ranges::any_of(kNames, [&](std::string_view each) {
    return each.size() == name.size() && contains_word(name, each);
  });
}

bool is_size(const SizeDefinition& found) {
  return found.value == 32 || found.value == 64;
}

// enum { NAME = 32, … }, enum Sizes : int { NAME = 32 }
bool is_enumerator(const File& file, TokenIndex at) {
  const TokenIndex open = file.enclosing(at);
  if (open == kNoToken || !file.is(open, "{")) return false;
  constexpr TokenIndex kLongestHead = 6;  // enum class Name : unsigned int
  for (TokenIndex before = open; before > 0 && open - before < kLongestHead; --before) {
    if (file.text(before - 1) == "enum") return true;
    if (is_punctuator(file, before - 1, {";", "}", "{", ")"})) return false;
  }
  return false;
}

// template <typename T, int NAME = 32>
bool is_template_default(const File& file, TokenIndex at) {
  constexpr TokenIndex kLongestList = 60;
  for (TokenIndex before = at; before > 1 && at - before < kLongestList; --before) {
    if (file.is(before - 1, "<") && file.text(before - 2) == "template") return true;
    if (is_punctuator(file, before - 1, {";", "}", "{", "(", ")"})) return false;
  }
  return false;
}

// THREADS = WARPSIZE, and WARPSIZE has a value for each platform.
bool is_chosen_elsewhere(const CudaCheck& check, cu::TokenRange value) {
  const File& file = check.file;
  if (value.end != value.begin + 1 || !is_name(file, value.begin)) return false;
  std::optional<std::string_view> first;
  for (const cu::Macro& macro : file.macros()) {
    if (file.text(macro.name) != file.text(value.begin) || check.on_amd(macro.name) == Truth::kNo)
      continue;
    if (first && *first != file.text(macro.body)) return true;
    first = file.text(macro.body);
  }
  return false;
}

// NAME = …, NAME { … } after a type.
std::optional<SizeDefinition> constant_at(const CudaCheck& check, TokenIndex at) {
  const File& file = check.file;
  if (at == 0 || at + 2 >= file.tokens().size()) return std::nullopt;
  const bool ends_behind_number = is_punctuator(file, at + 3, {",", ">", "}"});
  if (file.is(at + 1, "=") && ends_behind_number &&
      (is_enumerator(file, at) || is_template_default(file, at))) {
    if (is_chosen_elsewhere(check, {at + 2, at + 3})) return SizeDefinition{at, std::nullopt};
    const auto value = constant(file, {at + 2, at + 3});
    // A default of 64 is the caller's choice; 32 applies to everyone.
    if ((!value || value->value != 32) && !is_enumerator(file, at)) return std::nullopt;
    return SizeDefinition{at, value ? std::optional(value->value) : std::nullopt};
  }
  if (!file.is(at + 1, "=") && !file.is(at + 1, "{")) return std::nullopt;
  if (const TokenIndex open = file.enclosing(at); open != kNoToken && file.is(open, "("))
    return std::nullopt;
  const auto variable = declared_at(file, at);
  if (!variable || variable->value.empty()) return std::nullopt;
  // The default of a template parameter looks like a constant.
  if (!is_punctuator(file, variable->value.end, {";", "}"})) return std::nullopt;
  if (is_chosen_elsewhere(check, variable->value)) return SizeDefinition{at, std::nullopt};
  const auto value = constant(file, variable->value);
  return SizeDefinition{at, value ? std::optional(value->value) : std::nullopt};
}

}  // namespace

std::vector<SizeDefinition> warp_size_definitions(const CudaCheck& check) {
  const File& file = check.file;
  std::vector<SizeDefinition> found;
  const auto is_seen = [&](TokenIndex at) {
    return (cu::is_warp_size_name(file.text(at)) || is_short_name(file.text(at))) &&
           check.on_amd(at) != Truth::kNo;
  };
  const auto add = [&](const SizeDefinition& each) {
    if (is_size(each) || !is_short_name(file.text(each.name))) found.push_back(each);
  };
  for (const cu::Macro& macro : file.macros()) {
    if (macro.is_function || !is_seen(macro.name)) continue;
    const auto value = macro.body.empty() ? std::nullopt : constant(file, macro.body);
    add({macro.name, value ? std::optional(value->value) : std::nullopt});
  }
  const auto count = static_cast<TokenIndex>(file.tokens().size() - 1);
  for (TokenIndex at = 1; at < count; ++at) {
    if (file.tokens()[at].kind != Kind::kName || !is_punctuator(file, at + 1, {"=", "{"})) continue;
    if (!is_seen(at)) continue;
    if (const auto constant = constant_at(check, at)) add(*constant);
  }
  std::sort(found.begin(), found.end(),
            [](const SizeDefinition& a, const SizeDefinition& b) { return a.name < b.name; });
  return found;
}

bool is_template_parameter(const File& file, std::string_view name) {
  for (const TokenIndex at : places_of(file, name))
    if (at > 1 && is_name(file, at - 1) && is_punctuator(file, at - 2, {"<", ","}) &&
        is_punctuator(file, at + 1, {",", ">", "="}))
      return true;
  return false;
}

const std::vector<Name>& definition_words() {
  return kWords;
}

}  // namespace hipwright::lint
