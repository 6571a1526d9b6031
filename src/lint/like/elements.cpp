// SPDX-License-Identifier: MIT
#include "lint/like/elements.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace hipwright::lint::like {

namespace {

constexpr std::size_t kMostCentres = 24;
constexpr double kDecay = 0.62, kFarthest = 0.12;

// The position of a token among brackets: which argument of which bracket.
class Places {
 public:
  Places(const Stream& stream, Range range) : stream_(stream), range_(range) {
    std::unordered_map<std::uint32_t, std::uint32_t> commas;
    argument_.resize(range.size());
    for (std::uint32_t at = range.begin; at < range.end; ++at) {
      const Token& token = stream.tokens[at];
      const std::uint32_t around = bracket(token.around);
      std::uint32_t& argument = commas[around];
      const bool separates =
          token.kind == Kind::kBreak ||
          (around != kNone && token.kind == Kind::kPunct && stream.of(at) == ",");
      argument_[at - range.begin] = argument;
      argument += separates;
    }
  }

  // Steps in and out of brackets from one token to the other; one more for another argument.
  double distance(std::uint32_t from, std::uint32_t to) const {
    std::uint32_t a = from, b = to;
    double steps = 0;
    // The deeper one moves up until both are in the same bracket.
    while (bracket_of(a) != bracket_of(b)) {
      const bool up_a = depth(a) >= depth(b);
      std::uint32_t& deeper = up_a ? a : b;
      const std::uint32_t open = bracket_of(deeper);
      if (open == kNone) break;
      deeper = open;
      steps += 1;
    }
    // The callee belongs to its brackets.
    if (a != b && is_head(std::min(a, b), std::max(a, b))) return std::max(0.0, steps - 0.5);
    return steps + (argument_[a - range_.begin] != argument_[b - range_.begin] ? 1 : 0);
  }

 private:
  std::uint32_t bracket(std::uint32_t open) const { return range_.contains(open) ? open : kNone; }
  std::uint32_t bracket_of(std::uint32_t token) const {
    return bracket(stream_.tokens[token].around);
  }
  int depth(std::uint32_t token) const {
    int levels = 0;
    for (std::uint32_t at = bracket_of(token); at != kNone; at = bracket_of(at)) ++levels;
    return levels;
  }
  // Is `name` part of the dotted name before the bracket `open`?
  bool is_head(std::uint32_t name, std::uint32_t open) const {
    if (stream_.tokens[open].partner == kNone || stream_.tokens[open].partner < open) return false;
    for (std::uint32_t at = name; at < open; ++at) {
      const Token& token = stream_.tokens[at];
      const std::string_view text = stream_.of(at);
      if (token.kind != Kind::kName && text != "." && text != "::" && text != "->") return false;
    }
    return true;
  }

  const Stream& stream_;
  Range range_;
  std::vector<std::uint32_t> argument_;
};

void set_near(std::vector<Element>& elements, const Stream& stream, Range range,
              const Marks& marks) {
  std::vector<std::uint32_t> centres;
  for (std::uint32_t i = 0; i < range.size(); ++i)
    if (marks.centre[i]) centres.push_back(range.begin + i);
  if (centres.empty()) return;
  const std::size_t step = (centres.size() + kMostCentres - 1) / kMostCentres;
  const Places places(stream, range);
  for (std::uint32_t i = 0; i < range.size(); ++i) {
    double best = 1e9;
    for (std::size_t c = 0; c < centres.size(); c += step)
      best = std::min(best, places.distance(range.begin + i, centres[c]));
    if (marks.centre[i]) best = 0;
    elements[i].near = static_cast<float>(std::max(kFarthest, std::pow(kDecay, best)));
  }
}

}  // namespace

std::vector<Element> make_elements(const Stream& stream, Range range, const Marks& marks) {
  std::vector<Element> elements;
  std::unordered_map<std::string, std::uint32_t> first;
  for (std::uint32_t i = 0; i < range.size(); ++i) {
    const std::uint32_t at = range.begin + i;
    const Token& token = stream.tokens[at];
    Element element;
    element.text = token.kind == Kind::kBreak ? ";" : std::string(stream.of(at));
    element.kind = token.kind;
    element.key = token.kind == Kind::kBreak ? ";" : key_of(stream.of(at), token.kind);
    element.is_free = token.kind == Kind::kName && token.role == Role::kVariable;
    element.is_changed = marks.changed[i] && token.kind != Kind::kBreak;
    element.is_joint = marks.joint[i];
    element.same_as = first.emplace(element.key, i).first->second;
    if (token.kind == Kind::kName) element.parts = name_parts(element.text);
    elements.push_back(std::move(element));
  }
  set_near(elements, stream, range, marks);
  return elements;
}

std::vector<Shape::Nearby> names_nearby(const Stream& stream, Range range) {
  const auto size = static_cast<std::uint32_t>(stream.tokens.size());
  std::set<std::string_view> names;
  for (std::uint32_t at = range.begin - std::min(range.begin, kNearby);
       at < std::min(size, range.end + kNearby); ++at)
    if (stream.tokens[at].kind == Kind::kName && !range.contains(at)) names.insert(stream.of(at));
  std::vector<Shape::Nearby> list;
  for (const std::string_view name : names) list.push_back({.key = std::string(name)});
  return list;
}

Range part_around(const Stream& stream, Range range, const Marks& marks) {
  if (range.size() <= kMostTokens) return range;
  Range part{range.end, range.begin};
  for (std::uint32_t i = 0; i < range.size(); ++i) {
    if (!marks.centre[i]) continue;
    part.begin = std::min(part.begin, range.begin + i);
    part.end = std::max(part.end, range.begin + i + 1);
  }
  if (part.empty()) part = {range.begin, range.begin + kMostTokens};
  part.end = std::min(part.end, part.begin + kMostTokens);
  while (true) {
    const std::uint32_t open = stream.tokens[part.begin].around;
    if (open == kNone || !range.contains(open)) break;
    Range wider{open, std::max(part.end, std::min(stream.tokens[open].partner, range.end - 1) + 1)};
    // The callee.
    while (wider.begin > range.begin) {
      const Token& before = stream.tokens[wider.begin - 1];
      const std::string_view text = stream.of(wider.begin - 1);
      if (before.kind != Kind::kName && text != "." && text != "::" && text != "->") break;
      --wider.begin;
    }
    if (wider.size() > kMostTokens) break;
    part = wider;
  }
  return part;
}

}  // namespace hipwright::lint::like
