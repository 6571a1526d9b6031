// SPDX-License-Identifier: MIT
#include "arch/names.h"

#include <algorithm>
#include <tuple>

#include "base/edit_distance.h"

namespace hipwright::arch {

namespace {

// Longer texts are neither names nor misspellings of one.
constexpr std::size_t kLongestName = 64;

bool is_separator(char c) {
  return c == ' ' || c == '\t' || c == '-' || c == '_' || c == '+' || c == '/';
}

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const auto [end_a, end_b] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(end_a - a.begin());
}

}  // namespace

std::span<const Generic> generics() {
  static const std::vector<Generic> table = {
      {"gfx9-generic", {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"}, false, true},
      {"gfx9-4-generic", {"gfx942", "gfx950"}, true, true},
      {"gfx10-1-generic", {"gfx1010", "gfx1011", "gfx1012", "gfx1013"}, false, true},
      {"gfx10-3-generic",
       {"gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"},
       false,
       false},
      {"gfx11-generic",
       {"gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"},
       false,
       false},
      {"gfx12-generic", {"gfx1200", "gfx1201"}, false, false},
  };
  return table;
}

const Generic* find_generic(std::string_view name) {
  const auto found = std::ranges::find(generics(), name, &Generic::name);
  return found == generics().end() ? nullptr : &*found;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string name_key(std::string_view text) {
  std::string key = lower_case(text);
  if (key.size() > kLongestName) return key;
  for (std::string_view sign : {"(tm)", "(r)", "™", "®"}) erase_all(key, sign);
  std::erase_if(key, is_separator);
  // The order in which these words precede a product's own name.
  for (std::string_view word : {"amd", "radeon", "instinct", "ryzen", "ai", "rx", "pro"})
    if (key.starts_with(word) && key.size() > word.size()) key.erase(0, word.size());
  for (std::string_view word : {"graphics", "accelerator", "oam"})
    if (key.ends_with(word) && key.size() > word.size()) key.erase(key.size() - word.size());
  return key;
}

std::span<const Name> names() {
  static const std::vector<Name> table = [] {
    std::vector<Name> out;
    for (const ArchInfo& info : all()) out.push_back({info.gfx, std::string(info.gfx), &info});
    for (const Generic& generic : generics())
      out.push_back({generic.name, std::string(generic.name), nullptr});
    for (const ArchInfo& info : all()) {
      for (const Product& product : info.products)
        out.push_back({product.name, name_key(product.name), &info});
      for (std::string_view alias : info.aliases) out.push_back({alias, name_key(alias), &info});
    }
    return out;
  }();
  return table;
}

std::vector<std::string_view> similar_names(std::string_view text, std::size_t limit) {
  if (text.size() > kLongestName) return {};
  const std::string lower = lower_case(text);
  const bool is_gfx = lower.starts_with("gfx");
  const std::string typed = is_gfx ? lower : name_key(text);
  struct Candidate {
    std::size_t distance, missing_prefix, position;
    std::string_view text;
  };
  std::vector<Candidate> candidates;
  for (const Name& name : names()) {
    if (is_gfx != name.text.starts_with("gfx")) continue;
    const std::size_t distance = edit_distance(typed, name.key);
    // Half of the letters must be right, and at most three wrong.
    const std::size_t letters = std::max(typed.size(), name.key.size());
    if (distance * 2 > letters || distance > 3) continue;
    candidates.push_back(
        {distance, name.key.size() - common_prefix(typed, name.key), candidates.size(), name.text});
  }
  std::ranges::sort(candidates, {}, [](const Candidate& candidate) {
    return std::tuple(candidate.distance, candidate.missing_prefix, candidate.position);
  });
  std::vector<std::string_view> best;
  for (const Candidate& candidate : candidates) {
    if (best.size() == limit || candidate.distance > candidates.front().distance + 1) break;
    best.push_back(candidate.text);
  }
  return best;
}

std::vector<std::string_view> products_starting_with(std::string_view text) {
  const std::string key = name_key(text);
  std::vector<std::string_view> out;
  if (key.size() < 3 || !std::ranges::any_of(key, [](char c) { return c >= '0' && c <= '9'; }))
    return out;
  for (const Name& name : names())
    if (!name.text.starts_with("gfx") && name.key.starts_with(key)) out.push_back(name.text);
  return out;
}

}  // namespace hipwright::arch
