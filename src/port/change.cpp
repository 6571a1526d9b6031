// SPDX-License-Identifier: MIT
#include "port/change.h"

#include <algorithm>

namespace hipwright::port {

namespace {

bool covers(Span outer, Span inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end && outer.size() > inner.size();
}

}  // namespace

bool Changes::add(Change change) {
  const Span span = change.edit.span;
  auto first = list_.lower_bound(span.begin);
  if (first != list_.begin() && overlap(std::prev(first)->edit, change.edit)) return false;
  // Text inserted before a span stays before it.
  while (span.size() != 0 && first != list_.end() &&
         first->edit.span == Span{span.begin, span.begin})
    ++first;
  auto last = first;
  for (; last != list_.end() && overlap(last->edit, change.edit); ++last)
    if (!covers(span, last->edit.span)) return false;
  list_.insert(list_.erase(first, last), std::move(change));
  return true;
}

bool Changes::use_macro(Span span, std::string macro, std::string text) {
  const auto found = list_.lower_bound(span.begin);
  if (found == list_.end() || !(found->edit.span == span) || !found->is_renaming) return false;
  auto node = list_.extract(found);
  node.value().macro = std::move(macro);
  node.value().macro_text = std::move(text);
  list_.insert(std::move(node));
  return true;
}

bool Changes::touches(Span span) const {
  const auto after = list_.lower_bound(span.end);
  return after != list_.begin() && std::prev(after)->edit.span.end > span.begin;
}

std::string Changes::text_of(std::string_view text, Span span) const {
  std::string out;
  std::size_t done = span.begin;
  for (auto at = list_.lower_bound(span.begin); at != list_.end() && at->edit.span.end <= span.end;
       ++at) {
    out.append(text, done, at->edit.span.begin - done);
    out += at->edit.replacement;
    done = at->edit.span.end;
  }
  out.append(text, done, span.end - done);
  return out;
}

Changes Changes::then(std::string_view text, const Changes& next) const {
  const std::string middle = apply(text);
  Changes all;
  auto mine = list_.begin();
  auto later = next.list_.begin();
  std::size_t grown = 0, shrunk = 0;  // by the changes so far: middle = text + grown - shrunk
  while (mine != list_.end() || later != next.list_.end()) {
    // Where the next of each begins, in the middle.
    const auto begin_of = [&](const Change& change) {
      return change.edit.span.begin + grown - shrunk;
    };
    const bool is_mine = mine != list_.end() &&
                         (later == next.list_.end() || begin_of(*mine) <= later->edit.span.begin);
    Change change = is_mine ? *mine : *later;
    const std::size_t begin = is_mine ? begin_of(*mine) : later->edit.span.begin;
    const std::size_t text_begin = begin + shrunk - grown;
    std::size_t end = begin;
    // All that overlap, from both sets.
    for (bool grows = true; grows;) {
      grows = false;
      while (mine != list_.end() && begin_of(*mine) <= end) {
        end = std::max(end, begin_of(*mine) + mine->edit.replacement.size());
        grown += mine->edit.replacement.size();
        shrunk += mine->edit.span.size();
        ++mine;
        grows = true;
      }
      while (later != next.list_.end() && later->edit.span.begin <= end) {
        end = std::max(end, later->edit.span.end);
        ++later;
        grows = true;
      }
    }
    change.edit.span = {text_begin, end + shrunk - grown};
    change.edit.replacement = next.text_of(middle, {begin, end});
    change.is_renaming = change.is_neutral = false;
    change.macro.clear();
    all.list_.insert(all.list_.end(), std::move(change));
  }
  return all;
}

}  // namespace hipwright::port
