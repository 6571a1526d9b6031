// SPDX-License-Identifier: MIT
// Calls of the functions of a warp.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/wave/group.h"

namespace hipwright::port {

using cu::TokenIndex;
using cu::TokenRange;
using Kind = lint::LaneOp::Kind;

void FunctionCheck::warp_call(TokenIndex name, const lint::LaneOp& op) {
  if (!file_.is(name + 1, "(") || file_.partner(name + 1) == cu::kNoToken)
    return stop(name, fmt::format("{} without arguments", file_.text(name)));
  place(name);
  const std::vector<TokenRange> arguments = file_.arguments(name + 1);
  if (op.mask >= 0 && static_cast<std::size_t>(op.mask) < arguments.size() && !arguments[0].empty())
    mask(arguments[static_cast<std::size_t>(op.mask)]);
  if (op.kind != Kind::kShuffle) return;
  if (static_cast<std::size_t>(op.lane) >= arguments.size())
    return stop(name, fmt::format("{} with too few arguments", file_.text(name)));
  shuffle_distance(name, op, arguments);
}

void FunctionCheck::shuffle_distance(TokenIndex name, const lint::LaneOp& op,
                                     const std::vector<TokenRange>& arguments) {
  const TokenRange distance = arguments[static_cast<std::size_t>(op.lane)];
  if (static_cast<std::size_t>(op.width) < arguments.size()) {
    const TokenRange width = arguments[static_cast<std::size_t>(op.width)];
    if (is_size(width)) {
      if (is_number(width.begin, 32)) replace(width, std::string(kWaveSize));
      for (TokenIndex at = width.begin; at < width.end; ++at) accept(at);
    } else {
      const auto lanes = lint::constant(file_, width);
      if (!lanes || lanes->value > 16) return stop(name, "a shuffle within groups of unknown size");
      for (TokenIndex at = width.begin; at < width.end; ++at) accept(at);
      for (TokenIndex at = distance.begin; at < distance.end; ++at) accept(at);
      return;
    }
  }
  const std::string_view text = op.name.text();
  const bool is_idx = text.find("_up") == std::string_view::npos &&
                      text.find("_down") == std::string_view::npos &&
                      text.find("_xor") == std::string_view::npos;
  if (is_idx) {
    // From the last lane.
    if (distance.end - distance.begin == 1 && is_number(distance.begin, 31)) {
      accept(distance.begin);
      replace(distance, fmt::format("{} - 1", kWaveSize));
    }
    return;
  }
  const auto fixed = lint::constant(file_, distance);
  if (!fixed) {
    // The variable of a loop that begins or ends with the size of a warp.
    const auto variable = distance.end - distance.begin == 1
                              ? lint::declaration_of(file_, distance.begin)
                              : std::nullopt;
    const TokenIndex open = variable ? file_.enclosing(variable->name) : cu::kNoToken;
    const bool is_loop = open != cu::kNoToken && open > function_.body.begin &&
                         file_.text(open - 1) == "for" && loop(open) == Loop::kOfSize;
    if (!is_loop) stop(name, "a shuffle over a distance that is not known");
    return;
  }
  if (fixed->value == 1 && text.find("_xor") == std::string_view::npos &&
      text.find("_down") == std::string_view::npos)
    return;  // from the neighbour
  unrolled(name, distance);
}

// v += __shfl_xor_sync(mask, v, 16); … 8 … 4 … 2 … 1: one step more where waves have 64 lanes.
void FunctionCheck::unrolled(TokenIndex name, TokenRange distance) {
  if (distance.end - distance.begin != 1) return stop(name, "a shuffle over an unusual distance");
  if (known_.contains(distance.begin)) return;  // a later step of one that was seen
  TokenIndex outer = name;                      // of v = max(v, __shfl_xor_sync(…))
  while (file_.enclosing(outer) != cu::kNoToken && file_.is(file_.enclosing(outer), "("))
    outer = file_.enclosing(outer);
  const TokenRange first = lint::segment(file_, outer);
  if (!is_number(distance.begin, 16) || !file_.is(first.end, ";"))
    return stop(name, "a shuffle over a distance that does not follow from the size of a warp");
  const std::size_t length = first.end - first.begin;
  const std::size_t place_of_number = distance.begin - first.begin;
  std::vector<TokenIndex> numbers = {distance.begin};
  TokenIndex next = first.end + 1;
  for (const std::uint64_t wanted : {8U, 4U, 2U, 1U}) {
    const auto end = static_cast<TokenIndex>(next + length);
    if (end >= function_.body.end || !file_.is(end, ";")) return stop(name, "an unusual reduction");
    for (std::size_t i = 0; i < length; ++i) {
      const auto at = static_cast<TokenIndex>(next + i);
      const bool is_same =
          i == place_of_number
              ? is_number(at, wanted)
              : file_.text(at) == file_.text(static_cast<TokenIndex>(first.begin + i));
      if (!is_same) return stop(name, "an unusual reduction");
    }
    numbers.push_back(static_cast<TokenIndex>(next + place_of_number));
    next = end + 1;
  }
  for (const TokenIndex at : numbers) accept(at);
  // The mask has its own edit in the statements that are there; this one is new.
  std::string step;
  const auto arguments = file_.arguments(name + 1);
  const bool has_mask = file_.text(name).ends_with("_sync");
  for (TokenIndex at = first.begin; at < first.end; ++at) {
    if (at > first.begin)
      step += file_.text().substr(file_.span(at - 1).end,
                                  file_.span(at).begin - file_.span(at - 1).end);
    if (at == distance.begin)
      step += "32";
    else if (has_mask && arguments[0].contains(at))
      step += at == arguments[0].begin ? "~0ull" : "";
    else
      step += file_.text(at);
  }
  const std::size_t begin = file_.span(first.begin).begin;
  group_.edit(*which_.source, {begin, begin}, fmt::format("if ({} > 32) {};\n", kWaveSize, step));
}

// unsigned m = __ballot_sync(…), and __popc(__ballot_sync(…))
void FunctionCheck::ballot(TokenIndex name) {
  const std::string_view text = file_.text(name);
  if (text.starts_with("__match"))
    return stop(name, fmt::format("{}, whose lanes are compared one by one", text));
  if (name >= 2 && file_.is(name - 1, "(") &&
      (file_.text(name - 2) == "__popc" || file_.text(name - 2) == "__ffs") &&
      file_.partner(name - 1) == file_.partner(name + 1) + 1)
    return replace({name - 2, name - 1}, fmt::format("{}ll", file_.text(name - 2)));
  if (name >= 2 && file_.is(name - 1, "=") && lint::is_name(file_, name - 2)) {
    const auto variable = lint::declared_at(file_, name - 2);
    const bool is_local = variable && variable->name == name - 2 && !variable->is_array &&
                          !variable->is_reference && file_.is(variable->value.end, ";") &&
                          variable->value.end == file_.partner(name + 1) + 1;
    if (!is_local) return stop(name, "a ballot that is kept in something unusual");
    const lint::Bits bits = lint::bits_of_type(file_, variable->type);
    if (bits != lint::Bits::kNarrow && bits != lint::Bits::kAuto && bits != lint::Bits::k64)
      return stop(name, "a ballot that is kept in something unusual");
    const std::string_view mask = file_.text(variable->name);
    for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at)
      if (lint::is_name(file_, at) && file_.text(at) == mask && at != variable->name &&
          !is_mask_use(at))
        return stop(
            at, fmt::format("{}, a mask of lanes, in an expression that is not understood", mask));
    masks_.emplace(mask);
    if (bits == lint::Bits::kNarrow)
      replace(variable->type, file_.text(variable->type).find("const") != std::string_view::npos
                                  ? "const unsigned long long"
                                  : "unsigned long long");
    return;
  }
  stop(name, fmt::format("{} in an expression that is not understood", text));
}

// __popc(m), __ffs(m), __popc(m & ((1u << lane) - 1)), m == 0, if (m), __shfl_sync(m, …)
bool FunctionCheck::is_mask_use(TokenIndex use) {
  const bool ends = file_.is(use + 1, ")");
  const TokenIndex open = file_.enclosing(use);
  if (open == cu::kNoToken || open == 0 || !file_.is(open, "(")) return false;
  const std::string_view callee = file_.text(open - 1);
  if (open == use - 1) {
    if (ends && (callee == "__popc" || callee == "__ffs")) {
      replace({open - 1, open}, fmt::format("{}ll", callee));
      return true;
    }
    if (ends && callee == "if") return true;
    if (file_.is(use + 1, ",") && warp_function_at(file_, open - 1) != nullptr) return true;
    if (callee == "if" && lint::is_any(file_, use + 1, {"==", "!="}) && is_number(use + 2, 0) &&
        file_.is(use + 3, ")"))
      return true;
    // __popc(m & ((1u << lane) - 1))
    static constexpr std::array kShape = {"&", "(", "(", "1", "<<", "lane",
                                          ")", "-", "1", ")", ")"};
    if (callee != "__popc") return false;
    for (TokenIndex i = 0; i < kShape.size(); ++i) {
      const TokenIndex at = use + 1 + i;
      const std::string_view want = kShape[i];
      const bool fits = want == "1"      ? is_number(at, 1)
                        : want == "lane" ? part_of(at) == Part::kLane
                                         : file_.text(at) == want;
      if (!fits) return false;
    }
    accept(use + 4);
    replace({use + 4, use + 5}, "1ull");
    replace({open - 1, open}, "__popcll");
    return true;
  }
  return false;
}

}  // namespace hipwright::port
