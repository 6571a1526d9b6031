// SPDX-License-Identifier: MIT
// A 32-bit function counts or searches the bits of a 64-bit lane mask.
//
// ## What it finds
//
// `__popc`, `__ffs`, `__clz`, `__brev` and `__fns` of a ballot, of a variable that holds one, or of
// a 64-bit lane mask.
//
// ## Why it matters
//
// The argument is truncated to 32 bits without a warning. Lanes 32 to 63 of a wave64 are not
// counted, and if only they are set, `__ffs` finds nothing and the code goes on with lane -1.
//
// ## Example
//
// ```cuda
// int count = __popc(__ballot_sync(mask, is_selected));
// int leader = __ffs(__activemask()) - 1;
// ```
//
// ## Use instead
//
// `__popcll` and `__ffsll` are correct for 32 bits, too: on NVIDIA the upper half is zero.
//
// ```cuda
// int count = __popcll(__ballot_sync(mask, is_selected));
// int leader = __ffsll(__activemask()) - 1;
// ```
//
// `__clz` and `__brev` count from the top: their 64-bit results differ by 32, so the surrounding
// code has to change with them: `31 - __clz(mask)` becomes `63 - __clzll(mask)`. A subtraction from
// 31 with `__clzll` is reported, too: it is negative where lane 31 was meant.
//
// Where a leader is chosen with `% 32`, two leaders would add the count of the whole wave: change
// both, or neither.
//
// ## When it is not a bug
//
// - The bits of a group of at most 32 lanes are extracted first, with a shift or a cast.
// - The argument has nothing to do with lanes: flags, a radix, a bitmap of 32 entries.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

struct Counter {
  Name name;
  std::string_view wide;
  bool same_result;  // when the upper half is zero
};
const std::vector<Counter> kCounters = {{Name("__popc"), "__popcll", true},
                                        {Name("__ffs"), "__ffsll", true},
                                        {Name("__clz"), "__clzll", false},
                                        {Name("__brev"), "__brevll", false},
                                        {Name("__fns"), "__fns64", false}};
const Name kClz("__clz"), kWideClz("__clzll");

// The next token of an expression. A call of another counter is passed over: it is a number,
// whatever its argument is.
TokenIndex next(const File& file, TokenIndex at) {
  if (!file.is(at + 1, "(") || file.partner(at + 1) == kNoToken) return at + 1;
  const bool is_counter =
      std::ranges::any_of(kCounters, [&](const Counter& each) { return file.is(at, each.name); });
  return is_counter ? file.partner(at + 1) + 1 : at + 1;
}

enum class Origin { kNone, kBallot, kUnsigned, kSigned };  // the variable's type

// Bits that are shifted or masked on purpose are a group's.
bool is_cut(const File& file, TokenRange expression) {
  for (TokenIndex at = expression.begin; at < expression.end; at = next(file, at)) {
    if (file.is(at, ">>") || file.text(at) == "static_cast") return true;
    if (file.is(at, "&") && is_constant(file, {at + 1, at + 2}, 0xFFFFFFFF)) return true;
    if (file.is(at, "(") && file.partner(at) != kNoToken && file.partner(at) < expression.end &&
        bits_of_type(file, {at + 1, file.partner(at)}) == cu::Bits::kNarrow)
      return true;
  }
  return false;
}

bool has_ballot(const File& file, TokenRange expression) {
  for (TokenIndex at = expression.begin; at < expression.end; at = next(file, at))
    if (const cu::LaneOp* op = cu::lane_op_at(file, at);
        op && op->kind == cu::LaneOp::Kind::kBallot)
      return true;
  return false;
}

// Does the code around assign a ballot to this variable?
bool is_assigned_ballot(const File& file, TokenIndex name) {
  const TokenRange code = code_around(file, name);
  for (TokenIndex at = code.begin; at + 2 < code.end; ++at) {
    if (!is_name(file, at) || file.text(at) != file.text(name)) continue;
    if (!is_punctuator(file, at + 1, {"=", "|=", "&="})) continue;
    if (file.compiled(at, syntax::cuda::Platform::kAmd) == Truth::kNo) continue;
    const TokenRange value{at + 2, segment(file, at + 1).end};
    if (file.text(at + 2) == "__popc" || is_cut(file, value)) continue;
    const cu::LaneOp* op = cu::lane_op_at(file, unwrapped(file, value).begin);
    if (op != nullptr && op->kind == cu::LaneOp::Kind::kBallot) return true;
  }
  return false;
}

Origin origin(const File& file, TokenRange argument) {
  if (has_ballot(file, argument)) return Origin::kBallot;
  for (TokenIndex at = argument.begin; at < argument.end; at = next(file, at)) {
    if (!is_name(file, at) || file.is(at + 1, "(")) continue;
    const auto variable = declaration_of(file, at);
    if (!variable || variable->is_array) continue;
    const cu::Bits bits = bits_of_type(file, variable->type);
    const std::string_view name = file.text(at);
    const bool is_wide_mask = bits == cu::Bits::k64 && contains_word(name, "mask");
    if (!is_wide_mask && !is_assigned_ballot(file, at)) continue;
    const std::string_view type = file.text(variable->type);
    const bool is_signed = bits == cu::Bits::kNarrow &&
                           type.find("unsigned") == std::string_view::npos &&
                           type.find("uint") == std::string_view::npos;
    return is_signed ? Origin::kSigned : Origin::kUnsigned;
  }
  return Origin::kNone;
}

// 31 - __clz(mask): the number itself, which a 64-bit count replaces by 63.
TokenIndex highest_bit(const File& file, TokenIndex call) {
  if (call < 3 || !file.is(call - 1, "-") || file.is(call - 3, ".")) return kNoToken;
  if (is_punctuator(file, call - 3, {"*", "/", "%", "-", "+"})) return kNoToken;
  const auto number = literal(file, call - 2);
  return number && number->value == 31 ? call - 2 : kNoToken;
}

// Only a mask itself, or masks joined by &: an inverted or shifted one has other upper bits.
bool is_plain_mask(const File& file, TokenRange argument) {
  for (TokenIndex at = argument.begin; at < argument.end; ++at)
    if (is_punctuator(file, at, {"~", "-", "^", "<<", "!", "+", "?"})) return false;
  return true;
}

std::vector<Fix> fixes_of(const CudaCheck& check, const Counter& counter, TokenIndex at,
                          TokenRange argument, Origin from) {
  const File& file = check.file;
  // A signed variable is sign-extended: it has to become 64 bits first.
  if (from == Origin::kSigned || !is_plain_mask(file, argument) ||
      counts_warps_of_32(check, code_around(file, at)))
    return {};
  Fix fix{.description = fmt::format("count all lanes: use {}", counter.wide),
          .safe = counter.same_result && is_free_of_32(file, at),
          .edits = {{file.span(at), std::string(counter.wide)}}};
  if (counter.same_result) return {fix};
  const TokenIndex number = counter.name.text() == kClz.text() ? highest_bit(file, at) : kNoToken;
  if (number == kNoToken) return {};
  fix.description = "search all lanes: use 63 - __clzll";
  fix.edits.insert(fix.edits.begin(), {file.span(number), "63"});
  return {fix};
}

// 31 - __clzll(mask): the result of a wrong fix, -1 for the highest lane of a wave32.
void find_wrong_offsets(CudaCheck& check) {
  const File& file = check.file;
  for (const TokenIndex at : file.occurrences(kWideClz)) {
    if (!file.is(at + 1, "(") || check.on_amd(at) == Truth::kNo) continue;
    const TokenIndex number = highest_bit(file, at);
    const auto arguments = file.arguments(at + 1);
    if (number == kNoToken || arguments.empty() || origin(file, arguments[0]) == Origin::kNone)
      continue;
    check.report(
        file.span(TokenRange{number, at + 1}), sure(check, at),
        "__clzll counts from bit 63, so the highest lane is 63 - __clzll(mask)",
        {{.description = "subtract from 63", .safe = false, .edits = {{file.span(number), "63"}}}},
        Relevance::kAll);
  }
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  find_wrong_offsets(check);
  for (const Counter& counter : kCounters) {
    for (const TokenIndex at : file.occurrences(counter.name)) {
      if (!file.is(at + 1, "(") || check.on_amd(at) == Truth::kNo || is_for_wave32(check, at))
        continue;
      const auto arguments = file.arguments(at + 1);
      if (arguments.empty() || is_cut(file, arguments[0])) continue;
      const Origin from = origin(file, arguments[0]);
      if (from == Origin::kNone) continue;
      check.report(
          file.span(at), sure(check, at),
          fmt::format("{} reads only 32 of the 64 bits of a lane mask", counter.name.text()),
          fixes_of(check, counter, at, arguments[0], from));
    }
  }
}

std::vector<Name> triggers() {
  std::vector<Name> names;
  for (const Counter& counter : kCounters) names.push_back(counter.name);
  names.push_back(kWideClz);
  return names;
}

}  // namespace

Rule popc_of_mask() {
  return {.code = "HW202",
          .name = "popc-of-mask",
          .summary = "32-bit bit function applied to a 64-bit lane mask",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = triggers(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
