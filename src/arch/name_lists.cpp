// SPDX-License-Identifier: MIT
#include "arch/name_lists.h"

#include <algorithm>

#include <fmt/format.h>

namespace hipwright::arch {

namespace {

// Length of the gfx name that begins at `at`; 0 if there is none.
std::size_t name_length(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("gfx")) return 0;
  std::size_t end = at + 3;
  while (end < text.size() && end < at + 8 && is_gfx_letter(text[end])) ++end;
  return end > at + 3 && end <= at + 7 ? end - at : 0;
}

// "1", "12", "120": both of gfx1200 and gfx1201.
bool rdna_prefix(std::string_view name) {
  return std::string_view("120").starts_with(name);
}

}  // namespace

void GfxNames::add(std::string_view name) {
  name.remove_prefix(3);
  for (std::size_t f = 0; f < kGfxFamilies.size(); ++f)
    for (std::size_t member = 0; member < kGfxFamilies[f].size(); ++member)
      family[f][member] |= name == kGfxFamilies[f][member];
  if (name == "9") cdna[4] = true;  // a prefix of all of them
  if (name == "908") cdna[1] = true;
  if (name == "90a" || name == "90") cdna[2] = true;
  if (name.starts_with("94")) cdna[3] = true;
  if (name.starts_with("95")) cdna[4] = true;
  if (name.starts_with("101")) rdna[1] = true;
  if (name.starts_with("103") || name == "10") rdna[2] = true;
  if (name.starts_with("11")) rdna[3] = true;
  if (name == "1" || name == "12" || name.starts_with("120")) rdna[4] = true;
  rdna4[0] |= rdna_prefix(name) || name == "1200";
  rdna4[1] |= rdna_prefix(name) || name == "1201";
  has_gfx1250 |= name.starts_with("125");
}

std::string GfxNames::missing(bool says_all) const {
  const auto count = [](const std::array<bool, 6>& of) {
    return std::count(of.begin(), of.end(), true);
  };
  const bool is_mixed = count(cdna) > 0 && count(rdna) > 0;
  const bool lacks_cdna = cdna[3] && !cdna[4] && (count(cdna) > 1 || is_mixed || says_all);
  const bool lacks_rdna = rdna[3] && !rdna[4] && (count(rdna) > 1 || is_mixed || says_all);
  if (lacks_cdna && lacks_rdna) return "gfx950, gfx1200 and gfx1201";
  return lacks_cdna ? "gfx950" : lacks_rdna ? "gfx1200 and gfx1201" : "";
}

std::string GfxNames::missing_siblings() const {
  std::string missing;
  for (std::size_t f = 0; f < kGfxFamilies.size(); ++f) {
    if (std::count(family[f].begin(), family[f].end(), true) < 2) continue;
    for (std::size_t member = 0; member < kGfxFamilies[f].size(); ++member)
      if (!family[f][member])
        missing += fmt::format("{}gfx{}", missing.empty() ? "" : ", ", kGfxFamilies[f][member]);
  }
  return missing;
}

std::string GfxNames::missing_with_ocp_fp8() const {
  if (!cdna[4] && !rdna4[0] && !rdna4[1]) return {};
  std::string missing = cdna[4] ? "" : "gfx950";
  for (std::size_t member = 0; member < rdna4.size(); ++member)
    if (!rdna4[member])
      missing += fmt::format("{}gfx120{}", missing.empty() ? "" : " and ", member);
  return missing;
}

std::string GfxNames::missing_in_build() const {
  // A build for all of gfx908 to gfx1201 is meant to cover everything.
  const bool has_all = cdna[1] && cdna[2] && cdna[3] && cdna[4] && rdna[3] && rdna[4];
  if (has_all && !has_gfx1250) return "gfx1250";
  if (cdna[4] || rdna[3] || rdna[4]) return {};
  if (cdna[3]) return "gfx950";
  return cdna[1] || cdna[2] ? "gfx942 and gfx950" : "";
}

bool is_gfx_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::vector<std::string_view> only_gfx_names(std::string_view text) {
  std::vector<std::string_view> names;
  std::size_t at = 0;
  while (at < text.size()) {
    if (std::string_view(";, |()^$'\"\t").find(text[at]) != std::string_view::npos) {
      ++at;
      continue;
    }
    const std::size_t length = name_length(text, at);
    if (length == 0) return {};
    names.push_back(text.substr(at, length));
    at += length;
    // Features: ":sramecc+:xnack-".
    if (at < text.size() && text[at] == ':')
      while (at < text.size() &&
             (is_gfx_letter(text[at]) || text[at] == ':' || text[at] == '+' || text[at] == '-'))
        ++at;
  }
  return names;
}

}  // namespace hipwright::arch
