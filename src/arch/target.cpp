// SPDX-License-Identifier: MIT
#include "arch/target.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/names.h"
#include "base/words.h"

namespace hipwright::arch {

namespace {

// "AMD Radeon PRO W7900 Dual Slot" has six words; the rest allows for separate trademark signs.
constexpr std::size_t kMostWordsOfAName = 8;

// For messages: short, on one line, without control characters.
std::string shown(std::string_view text) {
  std::size_t length = std::min<std::size_t>(text.size(), 60);
  const bool is_cut = length < text.size();
  while (is_cut && length > 0 && (text[length] & 0xC0) == 0x80) --length;  // whole UTF-8 characters
  std::string out(text.substr(0, length));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return is_cut ? out + "…" : out;
}

std::unexpected<Error> unknown(std::string_view name) {
  if (name.empty())
    return fail("empty target name", "", "expected a gfx name or a product",
                "For example gfx942 or MI300X.");
  auto nearest = products_starting_with(name);
  if (nearest.size() > 1)
    return fail("ambiguous target", shown(name),
                fmt::format("it matches {}", fmt::join(nearest, ", ")),
                "Use the full product name, or the gfx name.");
  for (std::string_view similar : similar_names(name, 3))
    if (std::ranges::find(nearest, similar) == nearest.end()) nearest.push_back(similar);
  return fail("unknown target", shown(name), "no gfx name or product matches",
              nearest.empty() ? "List all targets with: hipwright arch"
                              : fmt::format("Did you mean {}?", fmt::join(nearest, ", ")));
}

// The part of a target id before its features.
std::string_view name_part(std::string_view text) {
  return trimmed(text.substr(0, text.find(':')));
}

std::optional<Target> find_processor(std::string_view name) {
  const std::string lower = lower_case(name);
  if (const ArchInfo* info = find(lower)) return Target{lower, info, {}, {}};
  if (find_generic(lower)) {
    Target target{lower, nullptr, {}, {}};
    const auto known = members(target);
    HW_ASSERT(!known.empty());
    target.info = known.front();
    return target;
  }
  const std::string key = name_key(name);
  const auto found = std::ranges::find_if(names(), [&](const Name& known) {
    return known.info != nullptr && known.text != known.info->gfx && known.key == key;
  });
  if (found == names().end()) return std::nullopt;
  return Target{std::string(found->info->gfx), found->info, {}, {}};
}

// `word` is the text between two colons: "xnack+".
Status add_feature(Target& target, std::string_view word, std::string_view text) {
  const auto wrong = [&](std::string why, std::string fix) {
    return fail("invalid target", shown(text), std::move(why), std::move(fix));
  };
  const bool on = word.ends_with('+');
  const std::string feature = lower_case(word.substr(0, word.empty() ? 0 : word.size() - 1));
  if ((feature != "sramecc" && feature != "xnack") || (!on && !word.ends_with('-')))
    return wrong(fmt::format("'{}' is not a target feature", shown(word)),
                 "Features are :sramecc+, :sramecc-, :xnack+ and :xnack-.");
  const bool is_sramecc = feature == "sramecc";
  if (!(is_sramecc ? target.supports_sramecc() : target.supports_xnack()))
    return wrong(fmt::format("{} has no {}", target.processor, feature), "Omit the feature.");
  std::optional<bool>& setting = is_sramecc ? target.sramecc : target.xnack;
  if (setting) return wrong(fmt::format("duplicate feature {}", feature), "Give it once.");
  setting = on;
  return {};
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// Blanks separate both targets and the words of a marketing name: the longest run of words that is
// a name wins. The words are views into one text, and so is a run of them.
Result<std::vector<Target>> parse_blank_separated(std::string_view text) {
  const std::vector<std::string_view> words = split(text, kBlanks);
  const auto run = [&](std::size_t first, std::size_t last) {
    return std::string_view(words[first].data(), words[last].end());
  };
  const auto is_name = [&](std::size_t first, std::size_t last) {
    const std::string_view candidate = run(first, last);
    const bool features_end_it = candidate.find(':') >= candidate.size() - words[last].size();
    return features_end_it && find_processor(name_part(candidate));
  };
  const auto is_gfx = [&](std::size_t word) { return lower_case(words[word]).starts_with("gfx"); };
  std::vector<Target> targets;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t last = std::min(words.size(), at + kMostWordsOfAName) - 1;
    while (last > at && !is_name(at, last)) --last;
    if (last == at && !is_name(at, at) && !is_gfx(at)) {
      // The message quotes all words up to the next gfx name: "RX 7900" rather than "RX".
      while (last + 1 < words.size() && !is_gfx(last + 1)) ++last;
    }
    HW_TRY(Target target, parse_target(run(at, last)));
    targets.push_back(std::move(target));
    at = last + 1;
  }
  return targets;
}

// Whether two targets can be in one HIP build: for one processor a feature is named in all of its
// target ids or in none, else the loader could not choose.
bool can_be_together(const Target& a, const Target& b) {
  return a.processor != b.processor || (a.sramecc.has_value() == b.sramecc.has_value() &&
                                        a.xnack.has_value() == b.xnack.has_value());
}

}  // namespace

bool Target::supports_sramecc() const {
  const Generic* generic = find_generic(processor);
  return generic ? generic->supports_sramecc : info->supports_sramecc;
}

bool Target::supports_xnack() const {
  const Generic* generic = find_generic(processor);
  return generic ? generic->supports_xnack : info->supports_xnack;
}

std::string Target::id() const {
  std::string out = processor;
  if (sramecc) out += *sramecc ? ":sramecc+" : ":sramecc-";
  if (xnack) out += *xnack ? ":xnack+" : ":xnack-";
  return out;
}

Result<Target> parse_target(std::string_view text) {
  text = trimmed(text);
  std::optional<Target> target = find_processor(name_part(text));
  if (!target) return unknown(name_part(text));
  for (std::size_t start = text.find(':'); start < text.size();) {
    const std::size_t end = std::min(text.find(':', start + 1), text.size());
    HW_CHECK(add_feature(*target, text.substr(start + 1, end - start - 1), text));
    start = end;
  }
  return *std::move(target);
}

Result<std::vector<Target>> parse_target_names(std::string_view text) {
  std::vector<Target> targets;
  for (std::string_view part : split(text, ",;")) {
    HW_TRY(const std::vector<Target> parsed, parse_blank_separated(part));
    for (const Target& target : parsed)
      if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
  if (targets.empty())
    return fail("empty list of targets", shown(trimmed(text)), "it names no target",
                "Give at least one, for example gfx942,gfx1100.");
  return targets;
}

Result<std::vector<Target>> parse_targets(std::string_view text) {
  HW_TRY(std::vector<Target> targets, parse_target_names(text));
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!can_be_together(targets[i], targets[j]))
        return fail("cannot combine targets", targets[j].id() + " and " + targets[i].id(),
                    "HIP requires that all targets of a processor name the same features",
                    "Name the same features in both, or remove one of the two.");
  return targets;
}

std::vector<const ArchInfo*> members(const Target& target) {
  const Generic* generic = find_generic(target.processor);
  if (generic == nullptr) return {target.info};
  std::vector<const ArchInfo*> known;
  for (std::string_view gfx : generic->members)
    if (const ArchInfo* info = find(gfx)) known.push_back(info);
  return known;
}

int fitness(const Target& code, const Target& device) {
  const auto clash = [](std::optional<bool> wanted, std::optional<bool> has) {
    return wanted && has && *wanted != *has;
  };
  if (clash(code.xnack, device.xnack) || clash(code.sramecc, device.sramecc)) return 0;
  if (code.processor == device.processor) return 2;
  if (!code.is_generic()) return 0;
  const auto known = members(code);
  return std::ranges::find(known, device.info) != known.end() ? 1 : 0;
}

}  // namespace hipwright::arch
