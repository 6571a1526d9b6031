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
// code has to change with them.
//
// ## When it is not a bug
//
// - The bits of a group of at most 32 lanes are extracted first, with a shift or a cast.
// - The argument has nothing to do with lanes: flags, a radix, a bitmap of 32 entries.
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/lanes.h"

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

enum class Origin { kNone, kBallot, kUnsigned, kSigned };  // the variable's type

// Bits that are shifted or masked on purpose are a group's.
bool is_cut(const File& file, TokenRange expression) {
  for (TokenIndex at = expression.begin; at < expression.end; ++at) {
    if (file.is(at, ">>") || file.text(at) == "static_cast") return true;
    if (file.is(at, "&") && is_constant(file, {at + 1, at + 2}, 0xFFFFFFFF)) return true;
    if (file.is(at, "(") && file.partner(at) != kNoToken && file.partner(at) < expression.end &&
        bits_of_type(file, {at + 1, file.partner(at)}) == cu::Bits::kNarrow)
      return true;
  }
  return false;
}

bool has_ballot(const File& file, TokenRange expression) {
  for (TokenIndex at = expression.begin; at < expression.end; ++at)
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
  for (TokenIndex at = argument.begin; at < argument.end; ++at) {
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

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  for (const Counter& counter : kCounters) {
    for (const TokenIndex at : file.occurrences(counter.name)) {
      if (!file.is(at + 1, "(") || check.on_amd(at) == Truth::kNo || is_for_wave32(check, at))
        continue;
      const auto arguments = file.arguments(at + 1);
      if (arguments.empty() || is_cut(file, arguments[0])) continue;
      const Origin from = origin(file, arguments[0]);
      if (from == Origin::kNone) continue;
      std::vector<Fix> fixes;
      if (counter.wide != "__fns64")
        fixes.push_back({.description = fmt::format("use {}", counter.wide),
                         .safe = counter.same_result && from != Origin::kSigned,
                         .edits = {{file.span(at), std::string(counter.wide)}}});
      check.report(
          file.span(at), sure(check, at),
          fmt::format("{} reads only 32 of the 64 bits of a lane mask", counter.name.text()),
          std::move(fixes));
    }
  }
}

std::vector<Name> triggers() {
  std::vector<Name> names;
  for (const Counter& counter : kCounters) names.push_back(counter.name);
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
