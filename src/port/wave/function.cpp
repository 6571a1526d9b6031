// SPDX-License-Identifier: MIT
// How one function uses the size of a warp: what is recognised gets the size of the target, what is
// not is an obstacle.
#include <algorithm>

#include <fmt/format.h>

#include "port/wave/group.h"

namespace hipwright::port {

using cu::TokenIndex;
using cu::TokenRange;

bool FunctionCheck::is_number(TokenIndex at, std::uint64_t value) const {
  const auto found = lint::literal(file_, at);
  return found && found->value == value;
}

bool FunctionCheck::is_size(TokenRange expression) const {
  const TokenRange inside = lint::unwrapped(file_, expression);
  if (inside.end - inside.begin != 1) return false;
  return is_number(inside.begin, 32) || file_.text(inside.begin) == "warpSize" ||
         group_.sizes_.contains(file_.text(inside.begin));
}

// threadIdx.x, or blockIdx.x * blockDim.x + threadIdx.x, or a variable that is one of them.
bool FunctionCheck::is_thread(TokenRange expression, int depth) const {
  const TokenRange inside = lint::unwrapped(file_, expression);
  if (inside.empty() || depth == 0) return false;
  if (inside.end - inside.begin == 1) {
    const auto variable = lint::declaration_of(file_, inside.begin);
    return variable && !variable->value.empty() && is_thread(variable->value, depth - 1);
  }
  bool has_thread = false;
  for (TokenIndex at = inside.begin; at < inside.end; ++at) {
    const std::string_view word = file_.text(at);
    if (word == "threadIdx")
      has_thread = true;
    else if (word != "." && word != "x" && word != "blockIdx" && word != "blockDim" &&
             word != "+" && word != "*")
      return false;
  }
  return has_thread;
}

FunctionCheck::Part FunctionCheck::part_of(TokenRange expression) const {
  const TokenRange inside = lint::unwrapped(file_, expression);
  if (inside.end - inside.begin == 1) return part_of(inside.begin);
  if (inside.end - inside.begin < 3) return Part::kNone;
  const TokenIndex op = inside.end - 2;
  const TokenRange last = {op + 1, inside.end};
  if (!is_thread({inside.begin, op})) return Part::kNone;
  if ((file_.is(op, "&") && is_number(op + 1, 31)) || (file_.is(op, "%") && is_size(last)))
    return Part::kLane;
  if ((file_.is(op, ">>") && is_number(op + 1, 5)) || (file_.is(op, "/") && is_size(last)))
    return Part::kWarp;
  return Part::kNone;
}
FunctionCheck::Part FunctionCheck::part_of(TokenIndex name) const {
  if (!lint::is_name(file_, name)) return Part::kNone;
  const auto variable = lint::declaration_of(file_, name);
  if (!variable || variable->value.empty() || variable->value.end - variable->value.begin < 2)
    return Part::kNone;
  return part_of(variable->value);
}

bool FunctionCheck::is_full_mask(TokenRange expression) const {
  const auto value = lint::constant(file_, expression);
  return value && (value->value == 0xFFFFFFFF || value->value == ~std::uint64_t{0});
}

// Has the same value in all threads of a block: made of a kernel's parameters, of the block's
// place and of constants. `but`: a name that is let pass.
bool FunctionCheck::is_uniform(TokenRange expression, std::string_view but) const {
  if (!which_.is_kernel()) return false;
  for (TokenIndex at = expression.begin; at < expression.end; ++at) {
    if (!lint::is_name(file_, at)) {
      if (lint::is_any(file_, at, {"[", "("})) return false;
      continue;
    }
    const std::string_view word = file_.text(at);
    if (word == but || word == "blockIdx" || word == "gridDim" || word == "blockDim" ||
        word == "x" || word == "int" || word == "unsigned" || word == "size_t" || word == "const" ||
        word == "long")
      continue;
    bool is_parameter = false;
    for (TokenIndex each = function_.parameters.begin; each < function_.parameters.end; ++each)
      is_parameter |= file_.text(each) == word;
    // A parameter that the kernel changes is its own.
    for (TokenIndex use = function_.body.begin; use < function_.body.end && is_parameter; ++use)
      if (file_.text(use) == word &&
          lint::is_any(file_, use + 1, {"=", "+=", "-=", "*=", "/=", "++", "--"}))
        is_parameter = false;
    if (!is_parameter && !lint::constant(file_, {at, at + 1})) return false;
  }
  return true;
}

// threadIdx.x & 31, threadIdx.x / 32, blockDim.x >> 5, (blockDim.x + 31) / 32
void FunctionCheck::splits() {
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (!lint::is_any(file_, at, {"&", "%", ">>", "/"})) continue;
    const bool is_and = file_.is(at, "&") && is_number(at + 1, 31);
    const bool is_shift = file_.is(at, ">>") && is_number(at + 1, 5);
    const bool is_plain = lint::is_any(file_, at, {"%", "/"}) && is_number(at + 1, 32);
    if (!is_and && !is_shift && !is_plain) continue;
    TokenIndex begin = at;
    if (file_.is(at - 1, ")")) {
      begin = file_.partner(at - 1);
      if (begin == cu::kNoToken) continue;
    } else {
      while (begin > function_.body.begin &&
             (lint::is_name(file_, begin - 1) || file_.is(begin - 1, ".")) &&
             file_.text(begin - 1) != "return")
        --begin;
    }
    if (begin == at) continue;
    const TokenRange operand{begin, at};
    const bool is_count = file_.text(lint::unwrapped(file_, operand)) == "blockDim.x" && !is_and &&
                          !file_.is(at, "%");
    const TokenRange inside = lint::unwrapped(file_, operand);
    const bool is_rounded_up = file_.is(at, "/") && inside.end - inside.begin == 5 &&
                               file_.text({inside.begin, inside.begin + 3}) == "blockDim.x" &&
                               file_.is(inside.begin + 3, "+") && is_number(inside.begin + 4, 31);
    if (!is_count && !is_rounded_up && !is_thread(operand)) continue;
    // What stands around binds less, also when >> becomes /.
    const bool is_alone = lint::is_any(file_, begin - 1, {"=", "(", ",", "[", "<", "=="}) ||
                          file_.text(begin - 1) == "return";
    if (is_shift && !(is_alone && lint::is_any(file_, at + 2, {";", ")", ",", "]"}))) continue;
    accept(at + 1);
    if (is_rounded_up) {
      accept(inside.begin + 4);
      replace({inside.begin + 4, inside.begin + 5}, fmt::format("({} - 1)", kWaveSize));
    }
    if (is_shift)
      replace({at, at + 2}, fmt::format("/ {}", kWaveSize));
    else
      replace({at + 1, at + 2},
              is_and ? fmt::format("({} - 1)", kWaveSize) : std::string(kWaveSize));
  }
}

// threadIdx.x < 32: the first warp. lane == 31: the last lane.
void FunctionCheck::comparisons() {
  for (TokenIndex at = function_.body.begin + 1; at + 1 < function_.body.end; ++at) {
    const bool is_order = lint::is_any(file_, at, {"<", ">="}) && is_number(at + 1, 32);
    const bool is_last = lint::is_any(file_, at, {"==", "!="}) && is_number(at + 1, 31);
    if (!is_order && !is_last) continue;
    TokenIndex begin = at;
    while (begin > function_.body.begin &&
           (lint::is_name(file_, begin - 1) || file_.is(begin - 1, ".")))
      --begin;
    if (begin == at || !lint::is_any(file_, begin - 1, {"(", "&&", "=", "||"})) continue;
    const bool is_block_thread =
        file_.text({begin, at}) == "threadIdx.x" ||
        (at - begin == 1 && lint::declaration_of(file_, begin) &&
         file_.text(lint::declaration_of(file_, begin)->value) == "threadIdx.x");
    if (is_order ? !is_block_thread : (at - begin != 1 || part_of(begin) != Part::kLane)) continue;
    accept(at + 1);
    replace({at + 1, at + 2},
            is_order ? std::string(kWaveSize) : fmt::format("({} - 1)", kWaveSize));
  }
}

// __shared__ float partial[32]: a slot for each warp of the largest block. There are half as many.
void FunctionCheck::arrays() {
  for (TokenIndex at = function_.body.begin + 1; at + 3 < function_.body.end; ++at) {
    if (!lint::is_name(file_, at) || !file_.is(at + 1, "[") || !is_number(at + 2, 32) ||
        !file_.is(at + 3, "]") || !file_.is(at + 4, ";"))
      continue;
    const TokenRange statement = lint::segment(file_, at);
    bool is_shared = false;
    for (TokenIndex word = statement.begin; word < at; ++word)
      is_shared |= file_.text(word) == "__shared__";
    if (is_shared) accept(at + 2);
  }
}

void FunctionCheck::mask(TokenRange argument) {
  const TokenRange inside = lint::unwrapped(file_, argument);
  if (inside.end - inside.begin == 1 && masks_.contains(file_.text(inside.begin))) return;
  if (!is_full_mask(argument)) return stop(argument.begin, "a mask of some lanes");
  for (TokenIndex at = argument.begin; at < argument.end; ++at) accept(at);
  replace(argument, "~0ull");
}

// for (int offset = 16; offset > 0; offset /= 2): v += __shfl_down_sync(mask, v, offset)
FunctionCheck::Loop FunctionCheck::loop(TokenIndex open) {
  const TokenIndex close = file_.partner(open);
  if (close == cu::kNoToken) return Loop::kOther;
  std::vector<TokenRange> parts;
  TokenIndex begin = open + 1;
  for (TokenIndex at = begin; at <= close; ++at) {
    if (!file_.is(at, ";") && at != close) continue;
    parts.push_back({begin, at});
    begin = at + 1;
  }
  if (parts.size() != 3 || parts[0].end - parts[0].begin < 4 ||
      !file_.is(parts[0].begin + 2, "=")) {
    // for (unsigned int i = …
    if (parts.size() != 3 || parts[0].end - parts[0].begin < 5 ||
        !file_.is(parts[0].begin + 3, "="))
      return Loop::kOther;
  }
  const TokenIndex equals =
      file_.is(parts[0].begin + 2, "=") ? parts[0].begin + 2 : parts[0].begin + 3;
  const std::string_view name = file_.text(equals - 1);
  const TokenRange start{equals + 1, parts[0].end};
  const std::string_view step = file_.text(parts[2]);
  const auto is_step = [&](std::initializer_list<const char*> forms) {
    return std::any_of(forms.begin(), forms.end(), [&](const char* form) {
      return step == fmt::format(fmt::runtime(form), name);
    });
  };
  const std::string_view limit = file_.text(parts[1]);
  if (is_step({"{0} /= 2", "{0} >>= 1", "{0} = {0} / 2", "{0} = {0} >> 1"})) {
    if (limit != fmt::format("{} > 0", name) && limit != fmt::format("{} >= 1", name) &&
        limit != fmt::format("{} != 0", name) && limit != name)
      return Loop::kOther;
    if (start.end - start.begin == 1 && is_number(start.begin, 16)) {
      if (!known_.contains(start.begin)) replace(start, fmt::format("{} / 2", kWaveSize));
      accept(start.begin);
      return Loop::kOfSize;
    }
    if (start.end - start.begin != 3 || !is_size({start.begin, start.begin + 1}))
      return Loop::kOther;
    if (!(file_.is(start.begin + 1, "/") && is_number(start.begin + 2, 2)) &&
        !(file_.is(start.begin + 1, ">>") && is_number(start.begin + 2, 1)))
      return Loop::kOther;
    if (is_number(start.begin, 32)) {
      if (!known_.contains(start.begin))
        replace({start.begin, start.begin + 1}, std::string(kWaveSize));
      accept(start.begin);
    }
    return Loop::kOfSize;
  }
  if (is_step({"{0} *= 2", "{0} <<= 1", "{0} = {0} * 2", "{0} = {0} << 1"})) {
    const TokenRange& until = parts[1];
    if (start.end - start.begin != 1 || !is_number(start.begin, 1) ||
        until.end - until.begin != 3 || file_.text(until.begin) != name ||
        !file_.is(until.begin + 1, "<") || !is_size({until.begin + 2, until.end}))
      return Loop::kOther;
    if (is_number(until.begin + 2, 32)) {
      if (!known_.contains(until.begin + 2))
        replace({until.begin + 2, until.end}, std::string(kWaveSize));
      accept(until.begin + 2);
    }
    return Loop::kOfSize;
  }
  return is_uniform({open + 1, close}, name) ? Loop::kUniform : Loop::kOther;
}

bool FunctionCheck::condition(TokenIndex open) {
  const TokenIndex close = file_.partner(open);
  if (close == cu::kNoToken) return false;
  const TokenRange inside{open + 1, close};
  if (inside.end - inside.begin == 3 && file_.is(inside.begin + 1, "==") &&
      is_number(inside.begin + 2, 0) && part_of(inside.begin) == Part::kWarp)
    return true;
  const TokenIndex op = inside.end - 2;
  if (op > inside.begin && file_.is(op, "<") && is_size({op + 1, inside.end})) {
    const TokenRange left{inside.begin, op};
    if (file_.text(left) == "threadIdx.x") return true;
    if (left.end - left.begin == 1) {
      const auto variable = lint::declaration_of(file_, left.begin);
      return variable && file_.text(variable->value) == "threadIdx.x";
    }
  }
  return is_uniform(inside, {});
}

// Do all lanes of a wave get there together?
void FunctionCheck::place(TokenIndex call) {
  last_call_ = std::max(last_call_, call);
  const auto is_fine = [&](TokenIndex paren) {
    const std::string_view word = paren > 0 ? file_.text(paren - 1) : std::string_view();
    if (word == "if") return condition(paren);
    return word == "for" && loop(paren) != Loop::kOther;
  };
  TokenIndex at = call;
  for (int depth = 0; depth < 64; ++depth) {
    // Statements without braces: if (…) for (…) call
    TokenIndex begin = lint::segment(file_, at).begin;
    for (TokenIndex before = begin; before < at; ++before)
      if (lint::is_any(file_, before, {"?", "&&", "||"}))
        return stop(call, "lanes that take part by a condition");
    while (begin > function_.body.begin && file_.is(begin - 1, ")")) {
      const TokenIndex paren = file_.partner(begin - 1);
      if (paren == cu::kNoToken || !is_fine(paren))
        return stop(call, "lanes that take part by a condition or a loop");
      begin = paren - 1;
      if (begin > 0 && file_.text(begin - 1) == "else")
        return stop(call, "lanes that take part by a condition");
    }
    if (file_.text(begin) == "else" || file_.text(begin) == "do")
      return stop(call, "lanes that take part by a condition");
    const TokenIndex open = file_.enclosing(at);
    if (open == cu::kNoToken || open < function_.body.begin) return;
    if (file_.is(open, "{")) {
      const bool is_plain = lint::is_any(file_, open - 1, {";", "{", "}"});
      if (file_.is(open - 1, ")")) {
        const TokenIndex paren = file_.partner(open - 1);
        if (paren == cu::kNoToken || !is_fine(paren))
          return stop(call, "lanes that take part by a condition or a loop");
        at = paren - 1;
        continue;
      }
      if (!is_plain) return stop(call, "lanes that take part by a condition");
    } else if (open > 0 && (file_.text(open - 1) == "while" || file_.text(open - 1) == "for")) {
      return stop(call, "a loop that lanes decide on");
    }
    at = open;
  }
}

void FunctionCheck::leftovers() {
  for (TokenIndex at = function_.head.begin; at < function_.body.end; ++at) {
    const std::string_view word = file_.text(at);
    if (lint::is_name(file_, at)) {
      if (word == "threadIdx" && file_.is(at + 1, ".") && file_.text(at + 2) != "x")
        return stop(at, "threads that are counted in two dimensions");
      if (word == "volatile" || word == "asm" || word == "tiled_partition" ||
          word == "coalesced_threads" || word == "thread_block_tile" || word == "wmma" ||
          word == "goto" || word == "switch")
        return stop(at, fmt::format("{} beside functions of the warp", word));
      if (which_.crosses && at < last_call_ &&
          (word == "return" || word == "continue" || word == "break"))
        return stop(at, "lanes may leave before the others are done");
      continue;
    }
    if (known_.contains(at)) continue;
    const auto number = lint::literal(file_, at);
    if (!number) continue;
    const bool is_shift = at > 0 && lint::is_any(file_, at - 1, {">>", "<<"});
    if (number->value == 32 || number->value == 31 || (number->value == 16 && which_.crosses) ||
        (number->value == 5 && is_shift) || number->value == 0xFFFFFFFF)
      return stop(at, fmt::format("{}, which may be the size of a warp", word));
    if (which_.crosses && number->value == 1 && file_.is(at + 1, "<<"))
      return stop(at, "a mask of one lane");
  }
}

void FunctionCheck::run() {
  splits();
  comparisons();
  arrays();
  // Masks first: other calls take them.
  std::vector<TokenIndex> calls;
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (!lint::is_name(file_, at)) continue;
    const lint::LaneOp* op = warp_function_at(file_, at);
    if (op != nullptr && !group_.own_.has(file_.text(at), *which_.source)) {
      if (op->kind == lint::LaneOp::Kind::kBallot) ballot(at);
      calls.push_back(at);
    } else if ((file_.is(at + 1, "(") || file_.is(at + 1, "<")) &&
               group_.crossing_.contains(file_.text(at))) {
      place(at);
    }
  }
  for (const TokenIndex at : calls) warp_call(at, *warp_function_at(file_, at));
  leftovers();
  if (which_.crosses) escapes();
}

}  // namespace hipwright::port
