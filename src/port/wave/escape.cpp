// SPDX-License-Identifier: MIT
// What a warp computes together depends on how many lanes it has: a sum over 32 lanes is not one
// over 64. Whole waves are right only where nobody sees it, because the results of all warps of the
// block are combined in the end:
//   - stored to a slot of shared memory for each warp, read back by the first warp, reduced again;
//   - added to memory with an atomic function by one lane of each warp.
// Everything else that a result of a warp goes to is an obstacle.
#include <algorithm>

#include <fmt/format.h>

#include "port/wave/group.h"

namespace hipwright::port {

using cu::TokenIndex;
using cu::TokenRange;

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Functions without memory.
bool is_pure(std::string_view name) {
  return is_one_of(
      name, {"max",      "min",    "fmaxf",  "fminf",  "fmax",        "fmin",  "fabsf", "fabs",
             "abs",      "sqrtf",  "rsqrtf", "expf",   "logf",        "float", "int",   "double",
             "unsigned", "__popc", "__ffs",  "sizeof", "static_cast", "if",    "for"});
}

// Those whose order does not matter.
bool is_atomic(std::string_view name) {
  return is_one_of(name,
                   {"atomicAdd", "atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor"});
}

}  // namespace

// The statement around a token, out of all parentheses.
TokenRange FunctionCheck::whole_statement(TokenIndex at) const {
  for (;;) {
    const TokenIndex open = file_.enclosing(at);
    if (open == cu::kNoToken || open < function_.body.begin || file_.is(open, "{")) break;
    at = open;
  }
  return lint::segment(file_, at);
}

bool FunctionCheck::is_from_warp(TokenRange range) const {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (!lint::is_name(file_, at)) continue;
    const std::string_view word = file_.text(at);
    if (tainted_.contains(word)) return true;
    if (warp_function_at(file_, at) != nullptr && !group_.own_.has(word, *which_.source))
      return true;
    if ((file_.is(at + 1, "(") || file_.is(at + 1, "<")) && group_.crossing_.contains(word))
      return true;
  }
  return false;
}

// The = of a statement that assigns; kNoToken: it does not.
TokenIndex FunctionCheck::assignment(TokenRange statement) const {
  for (TokenIndex at = statement.begin; at < statement.end; ++at) {
    if (lint::is_any(file_, at,
                     {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>=", "%="}))
      return at;
    const TokenIndex close = lint::is_any(file_, at, {"(", "["}) ? file_.partner(at) : cu::kNoToken;
    if (close != cu::kNoToken && close > at) at = close;
  }
  return cu::kNoToken;
}

// Variables that hold what a warp computed together.
void FunctionCheck::taint() {
  for (bool grows = true; grows;) {
    grows = false;
    for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
      if (!lint::is_any(file_, at, {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^="})) continue;
      const TokenIndex open = file_.enclosing(at);
      if (open != cu::kNoToken && file_.is(open, "(") && open > 0 && file_.text(open - 1) != "for")
        continue;
      const TokenRange statement = lint::segment(file_, at);
      if (!is_from_warp({at, statement.end})) continue;
      if (lint::is_name(file_, at - 1)) grows |= tainted_.emplace(file_.text(at - 1)).second;
    }
  }
}

// Conditions around a token, from the inside; with and without braces.
std::vector<TokenRange> FunctionCheck::conditions_around(TokenIndex at) const {
  std::vector<TokenRange> found;
  for (int depth = 0; depth < 64; ++depth) {
    TokenIndex begin = lint::segment(file_, at).begin;
    while (begin > function_.body.begin && file_.is(begin - 1, ")")) {
      const TokenIndex paren = file_.partner(begin - 1);
      if (paren == cu::kNoToken) return found;
      found.push_back({paren + 1, begin - 1});
      begin = paren - 1;
    }
    const TokenIndex open = file_.enclosing(at);
    if (open == cu::kNoToken || open < function_.body.begin) return found;
    at = open;
    if (file_.is(open, "{") && file_.is(open - 1, ")")) {
      const TokenIndex paren = file_.partner(open - 1);
      if (paren == cu::kNoToken) return found;
      found.push_back({paren + 1, open - 1});
      at = paren - 1;
    }
  }
  return found;
}

// lane == 0, (threadIdx.x & 31) == 0
bool FunctionCheck::is_first_lane(TokenRange condition) const {
  if (condition.end - condition.begin < 3) return false;
  const TokenIndex op = condition.end - 2;
  return file_.is(op, "==") && is_number(op + 1, 0) &&
         part_of({condition.begin, op}) == Part::kLane;
}
bool FunctionCheck::is_first_thread(TokenRange condition) const {
  if (condition.end - condition.begin < 3) return false;
  const TokenIndex op = condition.end - 2;
  return file_.is(op, "==") && is_number(op + 1, 0) && is_block_thread({condition.begin, op});
}
// warp == 0, threadIdx.x < 32
bool FunctionCheck::is_first_warp(TokenRange condition) const {
  if (condition.end - condition.begin < 3) return false;
  const TokenIndex op = condition.end - 2;
  if (file_.is(op, "==") && is_number(op + 1, 0))
    return part_of({condition.begin, op}) == Part::kWarp;
  return file_.is(op, "<") && is_size({op + 1, condition.end}) &&
         is_block_thread({condition.begin, op});
}

bool FunctionCheck::is_block_thread(TokenRange expression) const {
  const TokenRange inside = lint::unwrapped(file_, expression);
  if (file_.text(inside) == "threadIdx.x") return true;
  if (inside.end - inside.begin != 1) return false;
  const auto variable = lint::declaration_of(file_, inside.begin);
  return variable && file_.text(variable->value) == "threadIdx.x";
}

// blockDim.x / 32 and the like, which has its edit already.
bool FunctionCheck::is_warp_count(TokenRange expression) const {
  const TokenRange inside = lint::unwrapped(file_, expression);
  const TokenIndex op = inside.end - 2;
  return inside.end - inside.begin >= 5 &&
         file_.text({inside.begin, inside.begin + 3}) == "blockDim.x" && op == inside.begin + 3 &&
         ((file_.is(op, "/") && is_size({op + 1, inside.end})) ||
          (file_.is(op, ">>") && is_number(op + 1, 5)));
}

// Arrays in shared memory that have a slot for each warp: part[warp] = v. They are read back by as
// many lanes as there are warps, and by no others.
void FunctionCheck::slots() {
  std::set<std::string, std::less<>> shared;
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (file_.text(at) != "__shared__") continue;
    const TokenRange statement = lint::segment(file_, at);
    for (TokenIndex name = at + 1; name < statement.end; ++name)
      if (lint::is_name(file_, name) && file_.is(name + 1, "[")) shared.emplace(file_.text(name));
  }
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (!lint::is_name(file_, at) || !file_.is(at + 1, "[") || !shared.contains(file_.text(at)))
      continue;
    const TokenIndex close = file_.partner(at + 1);
    if (close != cu::kNoToken && part_of({at + 2, close}) == Part::kWarp)
      slots_.emplace(file_.text(at));
  }
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (!lint::is_name(file_, at) || !slots_.contains(file_.text(at))) continue;
    if (lint::declared_at(file_, at)) continue;
    const TokenIndex close = file_.is(at + 1, "[") ? file_.partner(at + 1) : cu::kNoToken;
    if (close == cu::kNoToken) return stop(at, "slots of warps that are passed on");
    const TokenRange index{at + 2, close};
    if (part_of(index) == Part::kWarp) continue;
    // lane < blockDim.x / 32 ? part[lane] : 0
    const TokenRange statement = lint::segment(file_, at);
    const auto question = [&] {
      for (TokenIndex each = statement.begin; each < at; ++each)
        if (file_.is(each, "?")) return each;
      return cu::kNoToken;
    }();
    if (question == cu::kNoToken)
      return stop(at, "slots of warps that are read by others than the lanes of that number");
    TokenIndex begin = statement.begin;
    if (const TokenIndex equals = assignment(statement); equals != cu::kNoToken) begin = equals + 1;
    const TokenRange guard = lint::unwrapped(file_, {begin, question});
    TokenIndex less = guard.begin;
    while (less < guard.end && !file_.is(less, "<")) ++less;
    const bool is_guarded = less < guard.end &&
                            file_.text({guard.begin, less}) == file_.text(index) &&
                            is_warp_count({less + 1, guard.end});
    const bool is_guarded_by_thread = less < guard.end && is_block_thread({guard.begin, less}) &&
                                      (part_of(index) == Part::kLane || is_block_thread(index)) &&
                                      is_warp_count({less + 1, guard.end});
    if (!is_guarded && !is_guarded_by_thread)
      return stop(at, "slots of warps that are read by others than the lanes of that number");
    slot_reads_.insert(at);
  }
}

// Where a warp's number is used for something else than its slot, there are as many of that as
// there are warps.
void FunctionCheck::warp_numbers() {
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (!lint::is_name(file_, at) || part_of(at) != Part::kWarp || lint::declared_at(file_, at))
      continue;
    const TokenIndex open = file_.enclosing(at);
    const bool is_slot = open != cu::kNoToken && file_.is(open, "[") && open + 1 == at &&
                         file_.is(at + 1, "]") && slots_.contains(file_.text(open - 1));
    const bool is_first = file_.is(at - 1, "(") && file_.is(at + 1, "==") && is_number(at + 2, 0) &&
                          file_.is(at + 3, ")");
    if (!is_slot && !is_first)
      return stop(at, "the number of a warp, for something else than its slot");
  }
}

// Variables that hold the block's result, in the first warp at least: made of the slots of all
// warps, or by a function that does that, and of nothing else that a warp computed.
void FunctionCheck::combine() {
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (!lint::is_any(file_, at, {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^="}) ||
        !lint::is_name(file_, at - 1))
      continue;
    const std::string_view name = file_.text(at - 1);
    const TokenRange statement = lint::segment(file_, at);
    bool is_combined = false, is_other = false;
    for (TokenIndex each = file_.is(at, "=") ? at : at - 1; each < statement.end; ++each) {
      if (!lint::is_name(file_, each)) continue;
      const std::string_view word = file_.text(each);
      if (slot_reads_.contains(each) ||
          (group_.combining_.contains(word) && file_.is(each + 1, "("))) {
        is_combined = true;
        // What goes into such a function need not be the block's.
        if (file_.is(each + 1, "(") && file_.partner(each + 1) != cu::kNoToken)
          each = file_.partner(each + 1);
      } else if (tainted_.contains(word)) {
        (combined_.contains(word) ? is_combined : is_other) = true;
      } else if (is_from_warp({each, each + 1})) {
        continue;  // of its arguments
      }
    }
    if (is_other || (!is_combined && is_from_warp({at, statement.end}))) {
      combined_.erase(std::string(name));
      spoilt_.emplace(name);
    } else if (is_combined && (!spoilt_.contains(name) || file_.is(at, "="))) {
      combined_.emplace(name, at);
    }
  }
}

void FunctionCheck::escapes() {
  taint();
  slots();
  warp_numbers();
  combine();
  const auto is_final = [&](TokenIndex at) {
    const auto combined = combined_.find(file_.text(at));
    if (combined == combined_.end() || at < combined->second) return false;
    const auto around = conditions_around(at);
    const auto any = [&](bool (FunctionCheck::*test)(TokenRange) const) {
      return std::any_of(around.begin(), around.end(),
                         [&](TokenRange each) { return (this->*test)(each); });
    };
    return any(&FunctionCheck::is_first_thread) ||
           (any(&FunctionCheck::is_first_warp) && any(&FunctionCheck::is_first_lane));
  };
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    const bool is_result = lint::is_name(file_, at) &&
                           (tainted_.contains(file_.text(at)) || is_from_warp({at, at + 1})) &&
                           !lint::declared_at(file_, at);
    if (is_result && !is_final(at) && !follows(at)) return;
  }
  const TokenIndex last = function_.body.end;
  if (!which_.is_kernel() && last > function_.body.begin + 3 && file_.is(last - 1, ";") &&
      file_.text(last - 3) == "return" && combined_.contains(file_.text(last - 2)))
    group_.combining_.emplace(file_.text(function_.name));
}

// Where one use of a warp's result goes; false: to an obstacle.
bool FunctionCheck::follows(TokenIndex at) {
  const auto no = [&](const char* what) { return stop(at, what), false; };
  const TokenRange statement = whole_statement(at);
  if (file_.text(statement.begin) == "return")
    return !which_.is_kernel() || no("a warp's result that leaves the kernel");
  // Through what calls?
  for (TokenIndex open = file_.enclosing(at); open != cu::kNoToken && open > function_.body.begin;
       open = file_.enclosing(open)) {
    if (file_.is(open, "[")) return no("a warp's result that is an index");
    if (!file_.is(open, "(")) break;
    const std::string_view callee =
        lint::is_name(file_, open - 1) ? file_.text(open - 1) : std::string_view();
    if (is_atomic(callee)) {
      const auto around = conditions_around(open);
      const bool is_once = std::any_of(around.begin(), around.end(),
                                       [&](TokenRange each) { return is_first_lane(each); });
      return is_once || no("a warp's result that more than one of its lanes adds");
    }
    const bool is_known = callee.empty() || is_pure(callee) || group_.crossing_.contains(callee) ||
                          warp_function_at(file_, open - 1) != nullptr;
    if (!is_known) return no("a warp's result that is passed to a function");
    if (is_one_of(callee, {"if", "while", "for"})) return no("a warp's result that decides");
  }
  const TokenIndex equals = assignment(statement);
  const TokenIndex value = equals == cu::kNoToken ? statement.begin : equals;
  for (TokenIndex each = value; each < statement.end; ++each)
    if (lint::is_any(file_, each, {"?", "&&", "||"}) && is_from_warp({value, each}))
      return no("a warp's result that decides");
  if (equals == cu::kNoToken) return true;  // a call that was looked at
  if (lint::is_name(file_, equals - 1) &&
      !(equals >= 2 && lint::is_any(file_, equals - 2, {".", "->"})))
    return !file_.is(statement.begin, "*") || no("a warp's result that is stored");  // a variable
  if (file_.is(equals - 1, "]")) {
    const TokenIndex open = file_.partner(equals - 1);
    if (open != cu::kNoToken && open > 0 && slots_.contains(file_.text(open - 1))) return true;
  }
  return no("a warp's result that is stored");
}

}  // namespace hipwright::port
