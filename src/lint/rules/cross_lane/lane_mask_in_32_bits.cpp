// SPDX-License-Identifier: MIT
// A lane mask is built by shifting a 32-bit number by a lane number.
//
// ## What it finds
//
// `1u << lane`, `(1 << lane) - 1`, `~0u << lane`, `0xffffffff >> (31 - lane)` in code that uses
// ballots. A lane is a variable named like one, or `__ffsll(votes) - 1`. Also a function of the
// project that is named like HIP's, `__shfl_up_sync(unsigned mask, …)`, and takes its mask in 32
// bits.
//
// ## Why it matters
//
// Lanes of a wave64 are numbered up to 63. Shifting a 32-bit number by 32 or more is undefined; the
// hardware takes the shift count modulo 32, so lane 40 gets the mask of lane 8.
//
// ## Example
//
// ```cuda
// unsigned long long votes = __ballot(is_selected);
// int before = __popcll(votes & ((1u << lane) - 1));
// ```
//
// ## Use instead
//
// ```cuda
// int before = __popcll(votes & ((1ull << lane) - 1));
// ```
//
// ## When it is not a bug
//
// - The lane belongs to a group of at most 32: `1u << (lane % 16)`.
// - The shift builds something else: flags, a nibble, a hash.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/lanes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

// The left operand of a shift: one token or parentheses, with signs and casts of a constant.
TokenRange left_of(const File& file, TokenIndex shift) {
  TokenIndex begin = shift - 1;
  if (file.is(begin, ")") && file.partner(begin) != kNoToken) begin = file.partner(begin);
  while (begin > 0 && is_punctuator(file, begin - 1, {"~", "-"}) &&
         (begin < 2 || file.tokens()[begin - 2].kind == Kind::kPunct))
    --begin;
  if (begin > 0 && file.is(begin, "(") && is_name(file, begin - 1)) --begin;  // uint32_t(1)
  // static_cast<unsigned long long>(1) is no number that can be read here.
  if (begin > 0 && file.is(begin, "(") && file.is(begin - 1, ">")) return {shift, shift};
  return {begin, shift};
}

TokenRange right_of(const File& file, TokenIndex shift) {
  TokenIndex end = shift + 1;
  if (file.is(end, "(") && file.partner(end) != kNoToken) return {end, file.partner(end) + 1};
  while (is_name(file, end) || is_punctuator(file, end, {".", "->"})) ++end;
  if (file.is(end, "(") && file.partner(end) != kNoToken) end = file.partner(end) + 1;
  return {shift + 1, end};
}

// int next = __ffsll(votes) - 1;
bool is_first_of_mask(const File& file, TokenIndex name) {
  const auto variable = declaration_of(file, name);
  return variable && !variable->value.empty() && file.text(variable->value.begin) == "__ffsll";
}

bool names_a_lane(const File& file, TokenRange shift_by) {
  bool found = false;
  for (TokenIndex at = shift_by.begin; at < shift_by.end; ++at) {
    // A lane within a group: lane % 16.
    if (is_punctuator(file, at, {"%", "&", "/", ">>", "*"})) {
      const auto size = constant(file, {at + 1, at + 2});
      if (!size || size->value != 63) return false;
    }
    if (!is_name(file, at)) continue;
    const std::string_view name = file.text(at);
    found |= is_lane_name(name) && name.find("16") == std::string_view::npos;
    found |= is_first_of_mask(file, at);
  }
  return found;
}

// Is `at` in an argument of a call that begins after `begin`?
bool is_argument(const File& file, TokenIndex begin, TokenIndex at) {
  for (TokenIndex each = begin; each < at; ++each)
    if (file.is(each, "(") && is_name(file, each - 1) && file.partner(each) != kNoToken &&
        file.partner(each) > at)
      return true;
  return false;
}

// A 32-bit variable for the result changes along with the number.
std::optional<TokenRange> narrow_type(const File& file, TokenIndex at) {
  TokenIndex begin = at;
  while (begin > 0 && !is_punctuator(file, begin - 1, {";", "{", "}"})) --begin;
  for (TokenIndex each = begin; each + 1 < at; ++each) {
    if (!is_name(file, each) || !file.is(each + 1, "=") || is_argument(file, each + 2, at))
      continue;
    const auto variable = declared_at(file, each);
    if (variable && bits_of_type(file, variable->type) == cu::Bits::kNarrow) return variable->type;
  }
  return std::nullopt;
}

std::vector<Fix> wider(const File& file, TokenRange number, TokenIndex shift) {
  const TokenRange inner = unwrapped(file, number);
  // The complement of a 64-bit mask has upper bits that a 32-bit one lacks: no fix for ~0u.
  const bool is_one = inner.end - inner.begin == 1 && literal(file, inner.begin) &&
                      literal(file, inner.begin)->value == 1;
  if (!is_one) return {};
  Fix fix{.description = "shift a 64-bit number: 1ull",
          .safe = false,
          .edits = {{file.span(number), "1ull"}}};
  if (const auto type = narrow_type(file, shift)) {
    TokenRange words = *type;
    while (words.begin < words.end &&
           (file.text(words.begin) == "const" || file.text(words.begin) == "constexpr"))
      ++words.begin;
    fix.edits.insert(fix.edits.begin(), {file.span(words), "unsigned long long"});
  }
  return {fix};
}

void check_code(CudaCheck& check, TokenRange code, std::set<TokenIndex>& seen) {
  const File& file = check.file;
  for (TokenIndex at = code.begin + 1; at < code.end; ++at) {
    if (!is_punctuator(file, at, {"<<", ">>"}) || check.on_amd(at) == Truth::kNo) continue;
    const TokenRange number = left_of(file, at);
    if (number.empty()) continue;
    const auto value = constant(file, number);
    if (!value || value->bits != 32) continue;
    const bool is_left = file.is(at, "<<");
    if (value->value != 0xFFFFFFFF && (!is_left || value->value != 1)) continue;
    if (!names_a_lane(file, right_of(file, at)) || is_for_wave32(check, at)) continue;
    if (!seen.insert(at).second) continue;
    check.report(file.span({number.begin, right_of(file, at).end}), sure(check, at),
                 fmt::format("32-bit number shifted by {}, which reaches 63 on wave64",
                             file.text(unwrapped(file, right_of(file, at)))),
                 wider(file, number, at));
  }
}

// __device__ Half __shfl_up_sync(const unsigned mask, Half value, …): HIP's functions take masks of
// 64 bits, and their callers pass such a mask to this one, too.
void check_own_shuffles(CudaCheck& check) {
  const File& file = check.file;
  for (const cu::Function& function : file.functions()) {
    const std::string_view name = file.text(function.name);
    if (!name.starts_with("__shfl") || !name.ends_with("_sync") ||
        !file.is(function.name + 1, "(") || check.on_amd(function.name) == Truth::kNo)
      continue;
    const std::vector<TokenRange> parameters = file.arguments(function.name + 1);
    if (parameters.empty() || parameters.front().end - parameters.front().begin < 2) continue;
    const TokenRange type{parameters.front().begin, parameters.front().end - 1};
    if (bits_of_type(file, type) == cu::Bits::kNarrow)
      check.report(file.span(parameters.front()), sure(check, function.name, Confidence::kMedium),
                   fmt::format("HIP's {} takes a mask of 64 bits", name));
  }
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  std::set<TokenIndex> seen;
  bool has_ballots = false;
  std::set<TokenIndex> begins;
  for (const LaneCall& call : lane_calls(check)) {
    if (call.op->kind != cu::LaneOp::Kind::kBallot) continue;
    has_ballots = true;
    const TokenRange code = code_around(file, call.name);
    if (!begins.insert(code.begin).second) continue;
    check_code(check, code, seen);
  }
  if (!check.facts.is_test && !has_warps_of_32(check)) check_own_shuffles(check);
  if (!has_ballots) return;
  // lanemask_lt() and similar functions serve ballots elsewhere in the file.
  for (const cu::Function& function : file.functions())
    if (!function.body.empty() && contains_word(file.text(function.name), "mask"))
      check_code(check, function.body, seen);
}

}  // namespace

Rule lane_mask_in_32_bits() {
  return {.code = "HW204",
          .name = "lane-mask-in-32-bits",
          .summary = "32-bit number shifted by a lane number",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = cu::lane_op_names(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
