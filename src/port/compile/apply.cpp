// SPDX-License-Identifier: MIT
#include "port/compile/apply.h"

#include <algorithm>

#include <fmt/format.h>

#include "port/isolation/isolation.h"
#include "port/marks.h"
#include "port/source/paths.h"

namespace hipwright::port {

namespace {

// A piece of the ported text that replaces a span of the original.
struct Piece {
  Span after, before;
};

std::vector<Piece> pieces_of(const Changes& changes) {
  std::vector<Piece> pieces;
  std::size_t at = 0, done = 0;  // in the ported text, in the original
  for (const Change& change : changes.list()) {
    at += change.edit.span.begin - done;
    const std::size_t end = at + change.edit.replacement.size();
    pieces.push_back({{at, end}, change.edit.span});
    at = end;
    done = change.edit.span.end;
  }
  return pieces;
}

bool meets(Span a, Span b) {
  return a.begin < b.end && b.begin < a.end;
}

// The whole lines of a span; lines joined by a backslash stay together.
Span lines_around(std::string_view text, Span span) {
  const auto is_continued = [&](std::size_t line_break) {
    const std::size_t last =
        line_break > 0 && text[line_break - 1] == '\r' ? line_break - 1 : line_break;
    return last > 0 && text[last - 1] == '\\';
  };
  std::size_t begin = span.begin;
  while (begin > 0 && (text[begin - 1] != '\n' || is_continued(begin - 1))) --begin;
  std::size_t end = span.end;
  const bool is_insertion_of_lines = span.size() == 0 && begin == span.begin;
  if (!is_insertion_of_lines && (end == begin || text[end - 1] != '\n'))
    while (end < text.size() && (text[end] != '\n' || is_continued(end))) ++end;
  if (!is_insertion_of_lines && end < text.size() && text[end] == '\n') ++end;
  return {begin, end};
}

std::string gated_lines(std::string_view old, std::string_view now, std::string_view line_break) {
  const auto whole = [&](std::string_view lines) {
    std::string out(lines);
    if (!out.empty() && out.back() != '\n') out += line_break;
    return out;
  };
  if (now.empty())
    return fmt::format("#if !({}){}{}#endif{}", kGate, line_break, whole(old), line_break);
  std::string out = fmt::format("#if {}{}{}", kGate, line_break, whole(now));
  if (!old.empty()) out += fmt::format("#else{}{}", line_break, whole(old));
  return out + fmt::format("#endif{}", line_break);
}

// Adds one to the list; removes those that it replaces.
Changes with(const Changes& changes, Change added) {
  Changes out;
  const Span span = added.edit.span;
  bool is_added = false;
  for (const Change& each : changes.list()) {
    const Span other = each.edit.span;
    if (other.begin >= span.begin && other.end <= span.end && (span.size() != 0 || other == span))
      continue;
    if (!is_added && other.begin >= span.end) {
      out.add(added);
      is_added = true;
    }
    out.add(each);
  }
  if (!is_added) out.add(std::move(added));
  return out;
}

}  // namespace

bool apply_repair(PortedFile& file, const Repair& repair, Mode mode) {
  const std::string after = file.after();
  const std::vector<Piece> pieces = pieces_of(file.changes);
  Span span = repair.span;
  std::string now = repair.replacement;
  // Inside one piece, which AMD's compiler has just read: AMD code.
  const auto around = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return piece.after.begin <= span.begin && span.end <= piece.after.end &&
           (span.size() != 0 || (piece.after.begin < span.begin && span.end < piece.after.end));
  });
  if (around == pieces.end() && mode == Mode::kDual) {
    const Span lines = lines_around(after, span);
    if (std::any_of(pieces.begin(), pieces.end(),
                    [&](const Piece& piece) { return meets(piece.after, lines); }))
      return false;
    now = after.substr(lines.begin, span.begin - lines.begin) + now +
          after.substr(span.end, lines.end - span.end);
    if (now.find_first_not_of(" \t\r\n") == std::string::npos) now.clear();
    now = gated_lines(std::string_view(after).substr(lines.begin, lines.size()), now,
                      line_break_of(after));
    span = lines;
  }
  // In the original: the text that the span and the pieces it touches replace.
  Span whole = span;
  Span before{0, 0};
  std::size_t shift_after = 0, shift_before = 0;  // ends of the last piece before the span
  const Piece* first = nullptr;
  const Piece* last = nullptr;
  for (const Piece& piece : pieces) {
    // Two insertions at one place become one.
    const bool is_beside = span.size() == 0 && piece.before.size() == 0 &&
                           (piece.after.begin == span.begin || piece.after.end == span.begin);
    const bool is_met =
        meets(piece.after, span) || is_beside || (around != pieces.end() && &piece == &*around);
    if (is_met) {
      if (first == nullptr) first = &piece;
      last = &piece;
    } else if (first == nullptr && piece.after.end <= span.begin) {
      shift_after = piece.after.end;
      shift_before = piece.before.end;
    }
  }
  before.begin = shift_before + (span.begin - shift_after);
  before.end = before.begin + span.size();
  if (first != nullptr) {
    if (first->after.begin < span.begin) {
      whole.begin = first->after.begin;
      before.begin = first->before.begin;
    } else {
      before.begin = first->before.begin - (first->after.begin - span.begin);
    }
    if (last->after.end > span.end) {
      whole.end = last->after.end;
      before.end = last->before.end;
    } else {
      before.end = last->before.end + (span.end - last->after.end);
    }
  }
  Change change{.edit = {before, after.substr(whole.begin, span.begin - whole.begin) + now +
                                     after.substr(span.end, whole.end - span.end)},
                .code = repair.code,
                .reason = repair.reason};
  Changes changes = with(file.changes, std::move(change));
  if (mode == Mode::kDual && !compare_for_nvidia(file.source->path(), file.source->text(),
                                                 changes.apply(file.source->text()))
                                  .empty())
    return false;
  file.changes = std::move(changes);
  return true;
}

}  // namespace hipwright::port
