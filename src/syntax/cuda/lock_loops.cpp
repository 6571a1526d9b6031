// SPDX-License-Identifier: MIT
#include "syntax/cuda/lock_loops.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string>

#include "syntax/cuda/places.h"
#include "syntax/cuda/values.h"

namespace hipwright::syntax::cuda {

namespace {

const Name kWhile("while"), kFor("for"), kDo("do"), kIf("if"), kSwitch("switch");
const std::array kAcquiring = {Name("atomicCAS"),        Name("atomicCAS_block"),
                               Name("atomicCAS_system"), Name("atomicExch"),
                               Name("atomicExch_block"), Name("atomicExch_system")};

// The number of tokens if it has no partner.
TokenIndex behind_partner(const File& file, TokenIndex bracket) {
  const TokenIndex partner = file.partner(bracket);
  return partner == kNoToken ? static_cast<TokenIndex>(file.tokens().size()) : partner + 1;
}

// Behind the next semicolon.
TokenIndex simple_end(const File& file, TokenIndex at) {
  const auto size = static_cast<TokenIndex>(file.tokens().size());
  while (at < size && !file.is(at, ";")) {
    if (file.is(at, "}")) return size;
    at = is_punctuator(file, at, {"(", "[", "{"}) ? behind_partner(file, at) : at + 1;
  }
  return std::min<TokenIndex>(at + 1, size);
}

// while (…) …, for (…;…;…) …, do {…} while (…);
std::optional<LockLoop> loop_at(const File& file, TokenIndex keyword) {
  const auto size = static_cast<TokenIndex>(file.tokens().size());
  TokenIndex body = keyword + 1;
  TokenRange condition;
  if (!file.is(keyword, kDo)) {
    if (!file.is(body, "(") || file.partner(body) == kNoToken) return std::nullopt;
    condition = {body + 1, file.partner(body)};
    body = condition.end + 1;
    if (file.is(keyword, kFor)) {
      const TokenIndex first = statement_end(file, condition.begin);
      if (first >= condition.end) return std::nullopt;  // for (x : all)
      condition = {first, std::min(statement_end(file, first) - 1, condition.end)};
    } else if (keyword > 0 && file.is(keyword - 1, "}") && file.is(body, ";")) {
      return std::nullopt;  // of a do
    }
  }
  if (body >= size) return std::nullopt;
  const bool is_braced = file.is(body, "{");
  const TokenIndex end = statement_end(file, body);
  if (end >= size) return std::nullopt;
  if (file.is(keyword, kDo)) {
    if (!is_braced || !file.is(end, kWhile) || !file.is(end + 1, "(") ||
        file.partner(end + 1) == kNoToken)
      return std::nullopt;
    condition = {end + 2, file.partner(end + 1)};
  }
  const TokenRange inner = is_braced ? TokenRange{body + 1, end - 1} : TokenRange{body, end};
  return LockLoop{keyword, condition, inner, 0};
}

// Names the variable: "locks i" for &locks[i] and locks + i, "lock" for *lock and (int*)lock.
std::string place(const File& file, TokenRange expression) {
  std::string text;
  expression = unwrapped(file, expression);
  for (TokenIndex at = expression.begin; at < expression.end; ++at) {
    if (at + 1 < expression.end && file.is(at, "(") && file.partner(at) != kNoToken &&
        file.partner(at) + 1 < expression.end && file.is(file.partner(at) - 1, "*")) {
      at = file.partner(at);  // a cast
      continue;
    }
    if (is_punctuator(file, at, {"+", "["}))
      text += ' ';
    else if (!is_punctuator(file, at, {"&", "*", "(", ")", "]"}))
      text += file.text(at);
  }
  return text;
}

// What a free lock holds: a number or a constant. A loop that compares with what it has read before
// computes a new value, and nobody waits for it.
bool is_state(const File& file, TokenRange expected) {
  expected = unwrapped(file, expected);
  if (expected.empty() || expected.end != expected.begin + 1) return !expected.empty();
  if (!is_name(file, expected.begin)) return true;
  const auto variable = declaration_of(file, expected.begin);
  if (!variable) return true;
  const Function* function = file.function_at(expected.begin);
  if (function == nullptr || !function->body.contains(variable->name)) return true;
  for (TokenIndex at = variable->type.begin; at < variable->type.end; ++at)
    if (file.text(at) == "const" || file.text(at) == "constexpr") return true;
  return false;
}

// if (atomicCAS(lock, 0, 1) == 0), or got = atomicExch(lock, 1) == 0: the first argument.
std::optional<TokenRange> acquired(const File& file, TokenIndex call) {
  if (!file.is(call + 1, "(")) return std::nullopt;
  const auto arguments = file.arguments(call + 1);
  if (arguments.size() < 2 || (arguments.size() > 2 && !is_state(file, arguments[1])))
    return std::nullopt;
  return arguments[0];
}

// Is the lock released there: atomicExch(lock, 0), *lock = 0?
bool is_released(const File& file, TokenIndex after, TokenIndex end, const std::string& lock) {
  if (after < end && !file.effort().spend(end - after)) return false;
  for (TokenIndex at = after; at < end; ++at) {
    if (file.is(at, "=") && at > after) {
      const TokenRange left = {segment(file, at).begin, at};
      if (left.begin >= after && place(file, left) == lock) return true;
    }
    if (!is_name(file, at) || !file.is(at + 1, "(")) continue;
    const std::string_view name = file.text(at);
    if (!name.starts_with("atomic") && name != "__hip_atomic_store") continue;
    const auto arguments = file.arguments(at + 1);
    if (!arguments.empty() && place(file, arguments[0]) == lock) return true;
  }
  return false;
}

// The call that acquires a lock which the loop releases.
std::optional<TokenIndex> acquires(const File& file, const LockLoop& loop) {
  for (const Name& name : kAcquiring)
    for (const TokenIndex at : places_in(file, loop.body, name)) {
      const auto lock = acquired(file, at);
      if (!lock) continue;
      const TokenIndex open = file.enclosing(at);
      const TokenRange around = segment(file, at);
      const bool is_tested =
          (open != kNoToken && open > 0 && file.is(open - 1, kIf)) ||
          std::ranges::any_of(std::views::iota(around.begin, around.end),
                              [&](TokenIndex each) { return file.is(each, "="); });
      const std::string text = place(file, *lock);
      if (is_tested && !text.empty() &&
          is_released(file, file.partner(at + 1) + 1, loop.body.end, text))
        return at;
    }
  return std::nullopt;
}

bool is_acquiring(const File& file) {
  return std::ranges::any_of(kAcquiring, [&](const Name& name) { return file.has(name); });
}

// The loops of device code, by keyword.
std::vector<LockLoop> device_loops(const File& file) {
  std::vector<LockLoop> found;
  for (const Name& name : {kWhile, kFor, kDo})
    for (const TokenIndex at : file.occurrences(name)) {
      const Function* function = file.function_at(at);
      if (function == nullptr || !function->body.contains(at) || !function->is_device() ||
          (file.tokens()[at].flags & kInDirective) != 0)
        continue;
      const auto loop = loop_at(file, at);
      if (!loop) continue;
      if (!file.effort().spend(loop->body.end - loop->body.begin)) return found;
      found.push_back(*loop);
    }
  return found;
}

}  // namespace

TokenIndex statement_end(const File& file, TokenIndex at) {
  const auto size = static_cast<TokenIndex>(file.tokens().size());
  // As many are open as an `else` may belong to.
  for (std::size_t ifs = 0; at < size;) {
    if (file.is(at, kIf) || file.is(at, kFor) || file.is(at, kWhile) || file.is(at, kSwitch)) {
      if (!file.is(at + 1, "(")) return size;
      if (file.is(at, kIf)) ++ifs;
      at = behind_partner(file, at + 1);
      continue;
    }
    at = file.is(at, "{") ? behind_partner(file, at) : simple_end(file, at);
    if (at >= size || ifs == 0 || file.text(at) != "else") return at;
    --ifs;
    ++at;
  }
  return size;
}

bool is_in_inner_loop(const File& file, const LockLoop& loop, TokenIndex at, bool counts_switch) {
  for (TokenIndex each = loop.body.begin; each < at; ++each) {
    const bool is_loop = file.is(each, kWhile) || file.is(each, kFor) || file.is(each, kDo) ||
                         (counts_switch && file.is(each, kSwitch));
    if (is_loop && statement_end(file, each) > at) return true;
  }
  return false;
}

std::vector<LockLoop> lock_loops(const File& file) {
  if (!is_acquiring(file)) return {};
  std::vector<LockLoop> found;
  for (LockLoop& loop : device_loops(file)) {
    const auto acquiring = acquires(file, loop);
    if (!acquiring || is_in_inner_loop(file, loop, *acquiring, false)) continue;
    loop.acquiring = *acquiring;
    found.push_back(loop);
  }
  return found;
}

std::vector<LockLoop> waiting_loops(const File& file) {
  if (!is_acquiring(file)) return {};
  std::vector<LockLoop> found;
  for (LockLoop& loop : device_loops(file)) {
    const bool does_nothing =
        std::ranges::none_of(std::views::iota(loop.body.begin, loop.body.end), [&](TokenIndex at) {
          return is_name(file, at) && !file.text(at).starts_with("__") && !file.is(at + 1, "(");
        });
    if (!does_nothing) continue;
    for (const Name& name : kAcquiring)
      for (const TokenIndex at : places_in(file, loop.condition, name)) {
        const auto lock = acquired(file, at);
        const std::string text = lock ? place(file, *lock) : std::string();
        const TokenIndex end = statement_end(file, loop.keyword);
        if (text.empty() || !is_released(file, end, file.function_at(at)->body.end, text)) continue;
        loop.acquiring = at;
        found.push_back(loop);
      }
  }
  return found;
}

}  // namespace hipwright::syntax::cuda
