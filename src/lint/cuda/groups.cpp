// SPDX-License-Identifier: MIT
#include "lint/cuda/groups.h"

#include <algorithm>

#include "base/words.h"
#include "lint/cuda/warp_sizes.h"

namespace hipwright::lint {

using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

namespace {

bool is_number(const File& file, TokenIndex at, std::uint64_t value) {
  const auto found = literal(file, at);
  return found && found->value == value;
}

// The operand that ends before `op`: a name with its members, or parentheses.
TokenRange operand_before(const File& file, TokenIndex op) {
  TokenIndex begin = op;
  if (file.is(begin - 1, ")")) {
    const TokenIndex open = file.partner(begin - 1);
    if (open == kNoToken) return {op, op};
    begin = open;
    // static_cast<int>(x), int(x), f(x)
    if (begin > 0 && (is_name(file, begin - 1) || file.is(begin - 1, ">"))) return {open, op};
    return {begin, op};
  }
  while (begin > 0 && (is_name(file, begin - 1) || is_punctuator(file, begin - 1, {".", "::"}))) {
    if (is_name(file, begin - 1) && file.text(begin - 1) == "return") break;
    --begin;
  }
  return {begin, op};
}

// blockDim.x and common names for it: THREADS, kNumThreads, BLOCK_SIZE.
bool is_block_size(const File& file, TokenRange operand) {
  const TokenRange plain = unwrapped(file, operand);
  const std::string_view text = file.text(plain);
  if (text == "blockDim.x") return true;
  if (plain.end - plain.begin != 1 || !is_name(file, plain.begin) ||
      file.function_at(plain.begin) == nullptr)
    return false;
  return contains_word(text, "threads") || contains_word(text, "block_size") ||
         contains_word(text, "blocksize");
}

// (threadIdx.x + n) * 8 / 32 counts elements, not threads.
bool is_scaled(const File& file, TokenRange operand) {
  if (is_punctuator(file, operand.begin - 1, {"*", "/", "%", ">>", "<<"})) return true;
  for (TokenIndex at = operand.begin; at < operand.end; ++at) {
    if (!is_punctuator(file, at, {"*", "/", "%", ">>", "<<"})) continue;
    // blockIdx.x * blockDim.x + threadIdx.x, threadIdx.y * blockDim.x + threadIdx.x
    const bool is_of_block = (file.is(at, "*") && (file.text(at + 1) == "blockDim" ||
                                                   (at >= 3 && file.text(at - 3) == "blockDim")));
    if (!is_of_block) return true;
  }
  return false;
}

std::optional<Split> split_at(const File& file, TokenIndex op, unsigned lanes) {
  Split::Part part;
  const unsigned shift = lanes == 32 ? 5 : 6;
  const bool is_float =
      lanes == 32 && (file.text(op + 1) == "32.f" || file.text(op + 1) == "32.0f");
  if ((file.is(op, "&") && is_number(file, op + 1, lanes - 1)) ||
      (file.is(op, "%") && is_number(file, op + 1, lanes)))
    part = Split::Part::kLane;
  else if ((file.is(op, ">>") && is_number(file, op + 1, shift)) ||
           (file.is(op, "/") && (is_number(file, op + 1, lanes) || is_float)))
    part = Split::Part::kWarp;
  else
    return std::nullopt;
  const TokenRange operand = operand_before(file, op);
  if (operand.empty() || operand.begin == 0) return std::nullopt;
  if (is_block_size(file, operand)) {
    if (part == Split::Part::kLane) return std::nullopt;
    part = Split::Part::kCount;
  } else if (!is_thread_number(file, operand) || is_scaled(file, operand)) {
    return std::nullopt;
  }
  Split split{part, op, {operand.begin, op + 2}};
  const TokenRange statement = segment(file, op);
  for (TokenIndex at = statement.begin; at + 1 < op && at < statement.end; ++at)
    if (is_name(file, at) && file.is(at + 1, "=")) split.variable = at;
  return split;
}

bool is_warp_function(std::string_view name) {
  const bool of_warp = contains_word(name, "warp") || contains_word(name, "wave");
  const bool crosses = contains_word(name, "reduce") || contains_word(name, "sum") ||
                       contains_word(name, "max") || contains_word(name, "scan") ||
                       contains_word(name, "shfl") || contains_word(name, "shuffle") ||
                       contains_word(name, "prefix");
  return of_warp && crosses && !contains_word(name, "warps");
}

// Even without a width, an exchange with lane ^ 8 stays within groups of 32. In a loop it is a
// reduction: of the wave, or of 32 lanes by mistake.
Crossing of_xor(const File& file, const LaneCall& call) {
  if (halving_loop(file, call)) return Crossing::kHalves;
  const auto lane = call.argument(call.op->lane);
  if (!lane || lane->end - lane->begin != 1 || !is_name(file, lane->begin))
    return Crossing::kGroups;
  const auto variable = declaration_of(file, lane->begin);
  if (!variable) return Crossing::kGroups;
  const TokenIndex open = file.enclosing(variable->name);
  const bool is_loop = open != kNoToken && open > 0 && file.text(open - 1) == "for";
  return is_loop ? Crossing::kWholeWave : Crossing::kGroups;
}

Crossing of_calls(const CudaCheck& check, const std::vector<LaneCall>& calls, TokenRange code) {
  const File& file = check.file;
  Crossing most = Crossing::kNone;
  for (const LaneCall* call : within(calls, code)) {
    Crossing crosses = Crossing::kWholeWave;
    if (call->op->kind == cu::LaneOp::Kind::kSync) continue;
    if (call->op->kind == cu::LaneOp::Kind::kShuffle) {
      if (call->has_width(file))
        crosses = Crossing::kGroups;
      else if (contains_word(call->op->name.text(), "xor"))
        crosses = of_xor(file, *call);
      else if (contains_word(call->op->name.text(), "down") ||
               contains_word(call->op->name.text(), "up"))
        crosses = halving_loop(file, *call) ? Crossing::kHalves : Crossing::kPerhaps;
    }
    most = std::max(most, crosses);
  }
  return most;
}

// Not 32 on every target, according to a definition in this file or a header.
bool varies(const CudaCheck& check, std::string_view name) {
  bool is_own = false;
  for (const cu::Macro& macro : check.file.macros()) {
    if (check.file.text(macro.name) != name || check.on_amd(macro.name) == Truth::kNo) continue;
    if (!is_constant(check.file, macro.body, 32)) return true;
    is_own = true;
  }
  return !is_own && check.facts.own_definitions != nullptr &&
         check.facts.own_definitions->has_per_target(name);
}

// tiled_partition<WARP_SIZE>: the group is as large as the target's wave. A tile of 32 has 32 lanes
// everywhere.
bool is_tile_of_wave(const CudaCheck& check, TokenIndex at) {
  const File& file = check.file;
  const std::string_view name = file.text(at);
  if (name != "tiled_partition" && name != "thread_block_tile") return false;
  return file.is(at + 1, "<") && file.is(at + 3, ">") && cu::is_warp_size_name(file.text(at + 2)) &&
         varies(check, file.text(at + 2));
}

}  // namespace

std::vector<Split> splits_by(const CudaCheck& check, unsigned lanes) {
  return splits_in(check, {0, static_cast<TokenIndex>(check.file.tokens().size())}, lanes);
}

std::vector<Split> splits_in(const CudaCheck& check, TokenRange code, unsigned lanes) {
  const File& file = check.file;
  std::vector<Split> found;
  if (lanes == 32 && has_warps_of_32(check)) return found;
  const auto end = std::min(code.end, static_cast<TokenIndex>(file.tokens().size() - 1));
  for (TokenIndex at = std::max<TokenIndex>(code.begin, 1); at < end; ++at) {
    if (file.tokens()[at + 1].kind != Kind::kNumber || file.tokens()[at].kind != Kind::kPunct)
      continue;
    const auto split = split_at(file, at, lanes);
    if (!split || check.on_amd(at) == Truth::kNo) continue;
    if (lanes == 32 ? is_for_wave32(check, at) : is_for_wave64(check, at)) continue;
    found.push_back(*split);
  }
  return found;
}

bool counts_warps_of_32(const CudaCheck& check, TokenRange code) {
  const File& file = check.file;
  if (!splits_in(check, code, 32).empty()) return true;
  for (TokenIndex at = code.begin; at < code.end; ++at)
    if (is_name(file, at) && cu::is_warp_size_name(file.text(at)) && file.text(at) != "warpSize" &&
        check.on_amd(at) != Truth::kNo && !varies(check, file.text(at)))
      return true;
  return false;
}

Crossing crossing(const CudaCheck& check, const std::vector<LaneCall>& calls, TokenRange code) {
  const File& file = check.file;
  Crossing most = of_calls(check, calls, code);
  for (TokenIndex at = code.begin; at < code.end; ++at) {
    if (!is_name(file, at) || !(file.is(at + 1, "(") || file.is(at + 1, "<"))) continue;
    const std::string_view name = file.text(at);
    if (is_tile_of_wave(check, at)) most = std::max(most, Crossing::kPerhaps);
    if (!is_warp_function(name)) continue;
    if (file.function_at(at) != nullptr && file.function_at(at)->name == at) continue;
    Crossing callee = Crossing::kNone;
    for (const cu::Function& function : file.functions())
      if (!function.body.empty() && file.text(function.name) == name)
        callee = std::max(callee, of_calls(check, calls, function.body));
    most = std::max(most, callee == Crossing::kNone ? Crossing::kPerhaps : callee);
  }
  return most;
}

std::optional<HalvingLoop> halving_loop(const File& file, const LaneCall& shuffle) {
  const auto lane = shuffle.argument(shuffle.op->lane);
  if (!lane) return std::nullopt;
  const TokenRange name = unwrapped(file, *lane);
  if (name.end - name.begin != 1 || !is_name(file, name.begin)) return std::nullopt;
  const auto variable = declaration_of(file, name.begin);
  if (!variable || variable->value.end - variable->value.begin != 1) return std::nullopt;
  const TokenIndex open = file.enclosing(variable->name);
  if (open == kNoToken || open == 0 || file.text(open - 1) != "for") return std::nullopt;
  const TokenIndex close = file.partner(open);
  if (close == kNoToken) return std::nullopt;
  const bool from_16 = is_number(file, variable->value.begin, 16);
  const bool from_1 = is_number(file, variable->value.begin, 1);
  bool halves = false, doubles = false;
  TokenRange limit;
  for (TokenIndex at = variable->value.end; at < close; ++at) {
    halves |= (is_punctuator(file, at, {">>=", ">>"}) && is_number(file, at + 1, 1)) ||
              (is_punctuator(file, at, {"/=", "/"}) && is_number(file, at + 1, 2));
    doubles |= (is_punctuator(file, at, {"<<=", "<<"}) && is_number(file, at + 1, 1)) ||
               (is_punctuator(file, at, {"*=", "*"}) && is_number(file, at + 1, 2));
    if ((file.is(at, "<") && is_number(file, at + 1, 32)) ||
        (file.is(at, "<=") && is_number(file, at + 1, 16)))
      limit = {at + 1, at + 2};
  }
  if (from_16 && halves) return HalvingLoop{open - 1, variable->value};
  if (from_1 && doubles && !limit.empty()) return HalvingLoop{open - 1, limit};
  return std::nullopt;
}

}  // namespace hipwright::lint
