// SPDX-License-Identifier: MIT
#include "syntax/cuda/ways.h"

#include <algorithm>

namespace hipwright::syntax::cuda {

namespace {

// The `if` of an `else`.
TokenIndex if_of_else(const File& file, TokenIndex keyword) {
  TokenIndex at = keyword;
  if (at == 0) return kNoToken;
  --at;
  if (file.is(at, "}")) {
    const TokenIndex open = file.partner(at);
    if (open == kNoToken || open == 0) return kNoToken;
    at = open;
  } else if (file.is(at, ";")) {
    if (at == 0) return kNoToken;
    TokenIndex last = at - 1;
    // x = f(y); and x = y[0];: the statement encloses the brackets.
    if (is_punctuator(file, last, {")", "]"}) && file.partner(last) != kNoToken)
      last = file.partner(last);
    at = segment(file, last).begin;
  } else {
    return kNoToken;
  }
  if (!file.is(at - 1, ")")) return kNoToken;
  const TokenIndex open = file.partner(at - 1);
  return open == kNoToken || open == 0 || file.text(open - 1) != "if" ? kNoToken : open - 1;
}

// Adds the conditions in front of a statement or a block, innermost first.
void conditions_before(const File& file, TokenIndex begin, Place& place) {
  for (int steps = 0; steps < 16 && begin > 0; ++steps) {
    const TokenIndex before = begin - 1;
    if (is_name(file, before) && file.text(before) == "else") {
      const TokenIndex keyword = if_of_else(file, before);
      if (keyword == kNoToken) place.is_unclear = true;
      place.conditions.push_back({keyword, true});
      if (keyword == kNoToken) return;
      begin = keyword;
      continue;
    }
    if (!file.is(before, ")")) {
      if (is_name(file, before) && file.text(before) == "do") return;
      if (file.is(before, ":")) place.is_unclear = place.is_in_switch = true;
      return;
    }
    const TokenIndex open = file.partner(before);
    if (open == kNoToken || open == 0) return;
    const std::string_view word = file.text(open - 1);
    if (word == "if") {
      place.conditions.push_back({open - 1, false});
      begin = open - 1;
      // else if: not the first of the chain.
      if (begin > 0 && is_name(file, begin - 1) && file.text(begin - 1) == "else") continue;
    } else if (word == "for" || word == "while") {
      begin = open - 1;
    } else {
      place.is_unclear |= word == "constexpr" || word == "switch" || file.is(open - 1, "]");
      place.is_in_switch |= word == "switch";
      return;
    }
  }
}

// Do these writes happen on every path from here on?
bool are_on_every_way(const std::vector<Place>& writes, std::vector<Condition> way, int depth) {
  if (depth == 0) return false;
  const Place* next = nullptr;
  for (const Place& write : writes) {
    if (is_prefix(write.conditions, way)) return true;
    if (next == nullptr && is_prefix(way, write.conditions)) next = &write;
  }
  if (next == nullptr) return false;
  Condition fork = next->conditions[way.size()];
  way.push_back(fork);
  if (!are_on_every_way(writes, way, depth - 1)) return false;
  way.back().is_else = !fork.is_else;
  return are_on_every_way(writes, way, depth - 1);
}

}  // namespace

bool is_prefix(const std::vector<Condition>& shorter, const std::vector<Condition>& longer) {
  return shorter.size() <= longer.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

bool are_on_every_way(const std::vector<Place>& writes) {
  constexpr int kDeepest = 12;
  return are_on_every_way(writes, {}, kDeepest);
}

Place place_of(const File& file, TokenIndex token, TokenIndex scope) {
  Place place;
  TokenIndex at = token;
  for (int depth = 0; depth < 64; ++depth) {
    TokenIndex open = file.enclosing(at);
    while (open != kNoToken && open != scope && !file.is(open, "{")) {
      // In the head of an if or a for: its conditions are those of the statement.
      at = open;
      open = file.enclosing(at);
    }
    // A block was handled with its content.
    if (!file.is(at, "{") || at == token) {
      const TokenIndex begin = segment(file, at).begin;
      const bool is_else = is_name(file, begin) && file.text(begin) == "else";
      conditions_before(file, is_else ? begin + 1 : begin, place);
    }
    if (open == kNoToken || open == scope) break;
    conditions_before(file, open, place);
    at = open;
  }
  std::reverse(place.conditions.begin(), place.conditions.end());
  return place;
}

}  // namespace hipwright::syntax::cuda
