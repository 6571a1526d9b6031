// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "base/source.h"
#include "lint/like/elements.h"
#include "lint/like/token_diff.h"

namespace hipwright::lint::like {

namespace {

constexpr std::uint32_t kFewestTokens = 3;
constexpr std::size_t kMostShapesOfRun = 12;

// The tokens on some lines; an empty range marks where they would be.
Range tokens_of(const Stream& stream, const LineIndex& lines, Lines wanted) {
  const auto offset = [&](std::uint32_t line) -> std::size_t {
    return line > lines.line_count() ? stream.text.size() : lines.line(line).begin;
  };
  const std::size_t begin = offset(wanted.begin), end = offset(wanted.end);
  const auto at = [&](std::size_t byte, auto value) {
    return static_cast<std::uint32_t>(
        std::partition_point(stream.tokens.begin(), stream.tokens.end(),
                             [&](const Token& token) { return value(token) <= byte; }) -
        stream.tokens.begin());
  };
  // Tokens that extend into the lines count: multi-line strings.
  Range range{at(begin, [](const Token& token) { return token.end; }), 0};
  range.end = std::max(range.begin, at(end, [](const Token& token) { return token.begin + 1; }));
  if (wanted.empty()) range.end = range.begin;
  while (!range.empty() && stream.tokens[range.begin].kind == Kind::kBreak) ++range.begin;
  while (!range.empty() && stream.tokens[range.end - 1].kind == Kind::kBreak) --range.end;
  return range;
}

// Extends to whole statements. An empty range inside a statement becomes that statement.
Range whole_units(const Stream& stream, Range range) {
  const auto is_inside = [&](std::uint32_t at) {
    return at < stream.tokens.size() && stream.tokens[at].kind != Kind::kBreak;
  };
  if (range.empty()) {
    if (range.begin == 0 || !is_inside(range.begin) || !is_inside(range.begin - 1)) return range;
    return unit_at(stream, range.begin);
  }
  return {unit_at(stream, range.begin).begin, unit_at(stream, range.end - 1).end};
}

std::vector<Range> units_in(const Stream& stream, Range range) {
  std::vector<Range> units;
  for (std::uint32_t at = range.begin; at < range.end;) {
    if (stream.tokens[at].kind == Kind::kBreak) {
      ++at;
      continue;
    }
    const Range unit = unit_at(stream, at);
    units.push_back({at, std::min(unit.end, range.end)});
    at = unit.end;
  }
  return units;
}

// One stretch of both texts, compared.
class Comparison {
 public:
  Comparison(const Stream& before, const Stream& after, Range in_before, Range in_after,
             std::vector<std::uint32_t> partners)
      : before_(before),
        after_(after),
        in_before_(in_before),
        in_after_(in_after),
        partners_(std::move(partners)),
        is_kept_(in_after.size()) {
    for (const std::uint32_t partner : partners_)
      if (partner != kNone) is_kept_[partner - in_after_.begin] = true;
  }

  // The counterpart of a part of the text before.
  Range became(Range part) const {
    Range range = in_after_;
    for (std::uint32_t at = part.begin; at-- > in_before_.begin;)
      if (partner(at) != kNone) {
        range.begin = partner(at) + 1;
        break;
      }
    for (std::uint32_t at = part.end; at < in_before_.end; ++at)
      if (partner(at) != kNone) {
        range.end = partner(at);
        break;
      }
    while (!range.empty() && after_.tokens[range.begin].kind == Kind::kBreak) ++range.begin;
    while (!range.empty() && after_.tokens[range.end - 1].kind == Kind::kBreak) --range.end;
    return range;
  }

  bool is_changed(Range part) const {
    const Marks marks = marks_before(part);
    return std::find(marks.centre.begin(), marks.centre.end(), true) != marks.centre.end();
  }

  Marks marks_before(Range part) const {
    Marks marks(part.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const std::uint32_t at = part.begin + i;
      marks.changed[i] = partner(at) == kNone && before_.tokens[at].kind != Kind::kBreak;
      if (marks.changed[i]) marks.centre[i] = true;
      const bool is_edge =
          (i == 0 && is_new(partner(at) - 1)) || (i + 1 == part.size() && is_new(partner(at) + 1));
      if (partner(at) != kNone && is_edge) marks.centre[i] = true;
      if (i == 0 || partner(at) == kNone || partner(at - 1) == kNone) continue;
      if (partner(at) > partner(at - 1) + 1) {
        marks.joint[i] = true;
        marks.centre[i] = marks.centre[i - 1] = true;
      }
    }
    return marks;
  }

  Marks marks_after(Range part) const {
    Marks marks(part.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      marks.changed[i] = marks.centre[i] = is_new(part.begin + i);
    }
    return marks;
  }

  double kept_share(Range part) const {
    unsigned kept = 0;
    for (std::uint32_t at = part.begin; at < part.end; ++at) kept += partner(at) != kNone;
    return part.empty() ? 0 : kept / static_cast<double>(part.size());
  }

 private:
  std::uint32_t partner(std::uint32_t at) const { return partners_[at - in_before_.begin]; }
  bool is_new(std::uint32_t at) const {
    return in_after_.contains(at) && !is_kept_[at - in_after_.begin] &&
           after_.tokens[at].kind != Kind::kBreak;
  }

  const Stream& before_;
  const Stream& after_;
  Range in_before_, in_after_;
  std::vector<std::uint32_t> partners_;
  std::vector<bool> is_kept_;
};

class ChangeReader {
 public:
  ChangeReader(const ChangedText& change, project::Language language)
      : change_(change),
        language_(language),
        before_(read_stream(change.before, language)),
        after_(read_stream(change.after, language)),
        before_lines_(change.before),
        after_lines_(change.after) {}

  std::vector<Shape> shapes() {
    for (const auto& [in_before, in_after] : stretches()) {
      auto partners = kept_tokens(before_, in_before, after_, in_after);
      if (!partners) continue;
      const Comparison comparison(before_, after_, in_before, in_after, *std::move(partners));
      read(comparison, in_before, in_after);
    }
    return std::move(shapes_);
  }

 private:
  struct Stretch {
    Range in_before, in_after;
  };

  // `if (x)` was added before a statement, or removed: on this side the statement stands alone.
  static Range beside(const Stream& stream, std::uint32_t at, Range on_lines, Range whole) {
    const Range none{at, at};
    if (whole.end > on_lines.end) {
      while (at < stream.tokens.size() && stream.tokens[at].kind == Kind::kBreak) ++at;
      return at < stream.tokens.size() ? unit_at(stream, at) : none;
    }
    if (whole.begin < on_lines.begin && at > 0) {
      while (at > 1 && stream.tokens[at - 1].kind == Kind::kBreak) --at;
      return stream.tokens[at - 1].kind == Kind::kBreak ? none : unit_at(stream, at - 1);
    }
    return none;
  }

  // Runs of lines that touch the same statement belong together.
  std::vector<Stretch> stretches() const {
    std::vector<Stretch> list;
    for (const Run& run : change_.runs) {
      const Range removed = tokens_of(before_, before_lines_, run.before);
      const Range added = tokens_of(after_, after_lines_, run.after);
      Stretch next{whole_units(before_, removed), whole_units(after_, added)};
      if (removed.empty() && next.in_before.empty())
        next.in_before = beside(before_, removed.begin, added, next.in_after);
      if (added.empty() && next.in_after.empty())
        next.in_after = beside(after_, added.begin, removed, next.in_before);
      if (!list.empty() && (next.in_before.begin < list.back().in_before.end ||
                            next.in_after.begin < list.back().in_after.end)) {
        Stretch& last = list.back();
        last.in_before.end = std::max(last.in_before.end, next.in_before.end);
        last.in_after.end = std::max(last.in_after.end, next.in_after.end);
        last.in_before.begin = std::min(last.in_before.begin, next.in_before.begin);
        last.in_after.begin = std::min(last.in_after.begin, next.in_after.begin);
        continue;
      }
      list.push_back(next);
    }
    return list;
  }

  void read(const Comparison& comparison, Range in_before, Range in_after) {
    if (in_before.empty()) return read_insertion(in_before.begin, in_after);
    std::vector<Range> changed;
    for (const Range& unit : units_in(before_, in_before))
      if (comparison.is_changed(unit)) changed.push_back(unit);
    if (changed.empty() && !in_after.empty()) {
      // Whole statements were inserted between others.
      return read_insertion(in_before.end, in_after);
    }
    const std::size_t count = std::min(changed.size(), kMostShapesOfRun);
    for (std::size_t i = 0; i < count; ++i) add(comparison, changed[i]);
    if (changed.size() < 2) return;
    const Range together{changed.front().begin, changed.back().end};
    if (together.size() <= kMostTokens) add(comparison, together);
  }

  void add(const Comparison& comparison, Range unit) {
    Range part = unit;
    if (part.size() > kMostTokens) part = part_around(before_, unit, comparison.marks_before(unit));
    const Range became = comparison.became(part);
    Shape shape = shape_of(part, comparison.marks_before(part));
    if (became.size() <= 3 * kMostTokens)
      shape.after = make_elements(after_, became, comparison.marks_after(became));
    shape.is_fix = true;
    shape.trust = comparison.kept_share(part) >= 0.25 ? 1.0F : 0.7F;
    keep(std::move(shape), part);
  }

  // A new statement between two others: the shape is the neighbour that it relates to.
  void read_insertion(std::uint32_t at, Range in_after) {
    if (in_after.empty() || in_after.size() > kMostTokens) return;
    static const std::set<std::string_view> kNewThings = {"import",  "from", "def",      "class",
                                                          "include", "#",    "using",    "template",
                                                          "struct",  "@",    "namespace"};
    if (kNewThings.contains(after_.of(in_after.begin))) return;
    std::set<std::string_view> names;
    for (std::uint32_t i = in_after.begin; i < in_after.end; ++i)
      if (after_.tokens[i].kind == Kind::kName) names.insert(after_.of(i));
    const bool is_else = after_.of(in_after.begin) == "else";
    const Neighbour best = neighbour(at, names, is_else);
    if (best.unit.size() < kFewestTokens || best.shared == 0) return;
    const Range unit = with_other_side(at, best.unit, names, is_else);
    Marks marks(unit.size());
    for (std::uint32_t i = 0; i < unit.size(); ++i) {
      const Token& token = before_.tokens[unit.begin + i];
      marks.centre[i] = token.kind == Kind::kName && names.contains(before_.of(unit.begin + i));
    }
    const Range part = part_around(before_, unit, marks);
    if (part != unit) marks = Marks(part.size());
    // The fix is attributed to the first token after it.
    const std::uint32_t split = std::clamp(at, part.begin, part.end);
    if (split > part.begin && split < part.end) marks.joint[split - part.begin] = true;
    Shape shape = shape_of(part, marks);
    shape.is_fix = true;
    shape.trust = 0.7F;
    // After the fix, in source order.
    const Element separator{.text = ";", .key = ";", .kind = Kind::kBreak};
    for (std::uint32_t i = part.begin; i <= part.end; ++i) {
      if (i == split) {
        if (split > part.begin && shape.after.back().kind != Kind::kBreak)
          shape.after.push_back(separator);
        for (Element& element : make_elements(after_, in_after, all_changed(in_after.size())))
          shape.after.push_back(std::move(element));
        if (split < part.end) shape.after.push_back(separator);
      }
      if (i < part.end) shape.after.push_back(shape.before[i - part.begin]);
    }
    for (std::uint32_t i = 0; i < shape.after.size(); ++i) shape.after[i].same_as = i;
    keep(std::move(shape), part);
  }

  // The statement on the other side of the new one, if it relates to it, too. A new `else` belongs
  // to the preceding condition.
  Range with_other_side(std::uint32_t at, Range unit, const std::set<std::string_view>& names,
                        bool is_else) const {
    const bool is_behind = unit.begin >= at;
    std::uint32_t other = is_behind ? at : is_else ? unit.begin : at;
    const auto is_break = [&](std::uint32_t token) {
      return before_.tokens[token].kind == Kind::kBreak;
    };
    Range found;
    if (is_behind || is_else) {
      while (other > 0 && is_break(other - 1)) --other;
      if (other == 0) return unit;
      found = unit_at(before_, other - 1);
    } else {
      while (other < before_.tokens.size() && is_break(other)) ++other;
      if (other == before_.tokens.size()) return unit;
      found = unit_at(before_, other);
    }
    bool speaks = is_else;
    for (std::uint32_t i = found.begin; i < found.end; ++i)
      speaks |= before_.tokens[i].kind == Kind::kName && names.contains(before_.of(i));
    const Range both{std::min(unit.begin, found.begin), std::max(unit.end, found.end)};
    return speaks && both.size() <= kMostTokens / 2 ? both : unit;
  }

  static Marks all_changed(std::size_t count) {
    Marks marks(count);
    marks.changed.assign(count, true);
    return marks;
  }

  struct Neighbour {
    Range unit;
    std::size_t shared = 0;
  };
  Neighbour neighbour(std::uint32_t at, const std::set<std::string_view>& names,
                      bool only_before) const {
    Neighbour best;
    const auto look = [&](Range unit) {
      std::set<std::string_view> shared;
      for (std::uint32_t i = unit.begin; i < unit.end; ++i)
        if (before_.tokens[i].kind == Kind::kName && names.contains(before_.of(i)))
          shared.insert(before_.of(i));
      if (shared.size() > best.shared) best = {unit, shared.size()};
    };
    const auto size = static_cast<std::uint32_t>(before_.tokens.size());
    std::uint32_t next = at;
    for (int i = 0; i < 2 && !only_before; ++i) {
      while (next < size && before_.tokens[next].kind == Kind::kBreak) ++next;
      if (next >= size) break;
      const Range unit = unit_at(before_, next);
      look(unit);
      next = unit.end;
    }
    std::uint32_t last = at;
    for (int i = 0; i < 2; ++i) {
      while (last > 0 && before_.tokens[last - 1].kind == Kind::kBreak) --last;
      if (last == 0) break;
      const Range unit = unit_at(before_, last - 1);
      look(unit);
      last = unit.begin;
    }
    return best;
  }

  Shape shape_of(Range part, const Marks& marks) const {
    Shape shape;
    shape.language = language_;
    shape.path = change_.path;
    shape.line =
        before_lines_.position(before_.tokens[part.begin].begin).line + change_.first_line - 1;
    shape.before = make_elements(before_, part, marks);
    shape.nearby = names_nearby(before_, part);
    return shape;
  }

  void keep(Shape shape, Range part) {
    if (part.size() >= kFewestTokens) shapes_.push_back(std::move(shape));
  }

  const ChangedText& change_;
  project::Language language_;
  Stream before_, after_;
  LineIndex before_lines_, after_lines_;
  std::vector<Shape> shapes_;
};

}  // namespace

std::vector<Shape> shapes_of_lines(const Stream& stream, project::Language language, Lines wanted) {
  const LineIndex lines(stream.text);
  const Range on_lines = tokens_of(stream, lines, wanted);
  if (on_lines.empty()) return {};
  const Range whole = whole_units(stream, on_lines);
  Marks marks(whole.size());
  // The whole range was requested if the lines contain whole statements.
  if (whole != on_lines)
    for (std::uint32_t at = on_lines.begin; at < on_lines.end; ++at)
      marks.centre[at - whole.begin] = true;
  const Range part = part_around(stream, whole, marks);
  Marks part_marks(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i)
    part_marks.centre[i] = marks.centre[part.begin - whole.begin + i];
  Shape shape;
  shape.language = language;
  shape.line = lines.position(stream.tokens[part.begin].begin).line;
  shape.before = make_elements(stream, part, part_marks);
  shape.nearby = names_nearby(stream, part);
  return {std::move(shape)};
}

std::vector<Shape> shapes_of_change(const ChangedText& change, project::Language language) {
  return ChangeReader(change, language).shapes();
}

}  // namespace hipwright::lint::like
