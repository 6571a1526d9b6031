// SPDX-License-Identifier: MIT
#include "lint/cuda/unset.h"

#include <algorithm>
#include <array>

#include "base/words.h"

namespace hipwright::lint {

using cu::Condition;
using cu::File;
using cu::kNoToken;
using cu::Place;
using cu::TokenIndex;
using cu::TokenRange;

namespace {

constexpr auto kPlainTypes = std::to_array<std::string_view>(
    {"int",           "unsigned",       "float",       "double",         "half",     "__half",
     "half2",         "__half2",        "uint32_t",    "int32_t",        "uint64_t", "int64_t",
     "uint8_t",       "int8_t",         "uint16_t",    "long",           "short",    "char",
     "bool",          "float2",         "float4",      "int2",           "int4",     "uint2",
     "uint4",         "uint",           "size_t",      "scalar_t",       "T",        "float8",
     "__nv_bfloat16", "__nv_bfloat162", "nv_bfloat16", "__hip_bfloat16", "floatx4",  "bf16x8"});

// Functions that only read their arguments.
constexpr auto kReaders = std::to_array<std::string_view>({"fmaxf",        "fminf",
                                                           "max",          "min",
                                                           "fabsf",        "abs",
                                                           "expf",         "__expf",
                                                           "exp2f",        "sqrtf",
                                                           "rsqrtf",       "fmaf",
                                                           "__fmaf_rn",    "float",
                                                           "int",          "static_cast",
                                                           "__float2half", "__half2float",
                                                           "__shfl_xor",   "__shfl_xor_sync",
                                                           "__shfl_down",  "__shfl_down_sync",
                                                           "__shfl_up",    "__shfl_up_sync",
                                                           "__shfl",       "__shfl_sync"});

// Members of cooperative groups that read their argument.
constexpr auto kGroupReaders =
    std::to_array<std::string_view>({"shfl", "shfl_up", "shfl_down", "shfl_xor"});

bool is_group_shuffle(const File& file, TokenIndex name) {
  return is_punctuator(file, name - 1, {".", "->"}) &&
         std::ranges::find(kGroupReaders, file.text(name)) != kGroupReaders.end();
}

// The index of the argument in the list after `open` that contains the token.
std::size_t argument_index(const File& file, TokenIndex open, TokenIndex token) {
  const std::vector<TokenRange> all = file.arguments(open);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const TokenRange& each) { return each.contains(token); });
  return static_cast<std::size_t>(found - all.begin());
}

// Not a function that first tests whether it needs its arguments.
bool asks_first(const File& file, TokenRange body) {
  for (TokenIndex at = body.begin; at < body.end; ++at)
    if (is_name(file, at) && file.text(at) == "if" && file.text(at + 1) != "constexpr" &&
        (file.tokens()[at].flags & cu::kInDirective) == 0)
      return true;
  return false;
}

// f(x), f<T>(x): does f only read this argument? Builtins do, and functions of this file that take
// it by value. Nothing is known about others.
bool takes_value(const File& file, TokenIndex open, TokenIndex token) {
  TokenIndex name = open - 1;
  for (int depth = 0; name > 0 && is_punctuator(file, name, {">", ">>"});) {
    do {
      depth += file.is(name, ">") ? 1 : file.is(name, ">>") ? 2 : file.is(name, "<") ? -1 : 0;
      --name;
    } while (depth > 0 && name > 0);
  }
  if (!is_name(file, name)) return false;
  const std::string_view callee = file.text(name);
  if (callee.starts_with("__builtin_")) return true;
  const std::size_t index = argument_index(file, open, token);
  bool is_known = false;
  for (const cu::Function& function : file.functions()) {
    if (file.text(function.name) != callee || function.parameters.begin == 0) continue;
    const std::vector<TokenRange> parameters = file.arguments(function.parameters.begin - 1);
    if (index >= parameters.size() || function.body.empty() || asks_first(file, function.body))
      return false;
    const TokenRange parameter = parameters[index];
    for (TokenIndex at = parameter.begin; at < parameter.end; ++at)
      if (is_punctuator(file, at, {"*"}) ||
          (file.is(at, "&") && file.text(parameter.begin) != "const"))
        return false;
    is_known = true;
  }
  return is_known;
}

enum class Use { kRead, kWrite, kPassed };

Use use_at(const File& file, TokenIndex name) {
  TokenIndex behind = name + 1;
  while (is_punctuator(file, behind, {"[", ".", "->"})) {
    if (!file.is(behind, "[")) {
      behind += 2;
      continue;
    }
    const TokenIndex close = file.partner(behind);
    if (close == kNoToken) return Use::kPassed;
    behind = close + 1;
  }
  if (file.is(behind, "=")) return Use::kWrite;
  if (file.is(behind, "(")) return Use::kPassed;
  if (is_punctuator(file, name - 1, {"&", ">>"})) return Use::kPassed;
  // Copied to another variable, which may be tested later; a store counts as a read.
  if (file.is(name - 1, "=") && file.is(behind, ";") && is_name(file, name - 2) &&
      !is_punctuator(file, name - 3, {".", "->", "*"}))
    return Use::kPassed;
  const TokenIndex open = file.enclosing(name);
  if (open != kNoToken && open > 0 && file.is(open, "(")) {
    if (is_name(file, open - 1)) {
      const std::string_view callee = file.text(open - 1);
      if (callee == "if" || callee == "for" || callee == "while" || callee == "return")
        return Use::kRead;
      const bool reads = std::find(kReaders.begin(), kReaders.end(), callee) != kReaders.end() ||
                         is_group_shuffle(file, open - 1);
      return reads || takes_value(file, open, name) ? Use::kRead : Use::kPassed;
    }
    if (file.is(open - 1, ">")) return takes_value(file, open, name) ? Use::kRead : Use::kPassed;
    if (is_punctuator(file, open - 1, {")", "]"})) return Use::kPassed;
  }
  return Use::kRead;
}

// Does the path without the write leave: if (…) x = …; else return;
bool others_leave(const File& file, const Condition& condition) {
  if (condition.keyword == kNoToken) return true;
  const TokenIndex close = file.partner(condition.keyword + 1);
  if (close == kNoToken) return true;
  TokenIndex body = close + 1;
  TokenIndex end = file.is(body, "{") ? file.partner(body) + 1 : segment(file, body).end + 1;
  if (!condition.is_else) {
    if (!is_name(file, end) || file.text(end) != "else") return false;
    body = end + 1;
    end = file.is(body, "{") ? file.partner(body) + 1 : segment(file, body).end + 1;
  }
  for (TokenIndex at = body; at < end; ++at) {
    const std::string_view word = file.text(at);
    if (word == "return" || word == "continue" || word == "break" || word == "assert" ||
        contains_word(word, "trap") || contains_word(word, "unreachable"))
      return true;
  }
  return false;
}

// `x = f(x)` reads x before it writes it: where, or kNoToken.
TokenIndex read_by_own_value(const File& file, TokenIndex name) {
  const TokenRange statement = segment(file, name);
  for (TokenIndex at = name + 1; at < statement.end; ++at)
    if (is_name(file, at) && file.text(at) == file.text(name) &&
        !is_punctuator(file, at - 1, {".", "->", "::"}))
      return at;
  return kNoToken;
}

// The read is uncertain: other code wrote before it, or a test guards it.
bool is_covered(const File& file, const std::vector<Place>& writes, const Place& read) {
  if (!read.conditions.empty() || are_on_every_way(writes)) return true;
  return std::any_of(writes.begin(), writes.end(), [&](const Place& write) {
    return std::any_of(write.conditions.begin(), write.conditions.end(),
                       [&](const Condition& each) { return others_leave(file, each); });
  });
}

// if (i == 0) in for (int i = 0; …): the first iteration.
bool is_first_iteration(const File& file, const Condition& condition) {
  const TokenIndex open = condition.keyword + 1;
  if (condition.is_else || !file.is(open, "(") || file.partner(open) != open + 4 ||
      !file.is(open + 2, "=="))
    return false;
  for (TokenIndex block = file.enclosing(condition.keyword); block != kNoToken && block > 0;
       block = file.enclosing(block)) {
    const TokenIndex head =
        file.is(block - 1, ")") ? file.partner(block - 1) : static_cast<TokenIndex>(kNoToken);
    if (head == kNoToken || head == 0 || file.text(head - 1) != "for") continue;
    for (TokenIndex at = head + 1; at < block && !file.is(at, ";"); ++at)
      if (file.text(at) == file.text(open + 1) && file.is(at + 1, "=") &&
          file.text(at + 2) == file.text(open + 3))
        return true;
  }
  return false;
}

// The first read that may not be preceded by a write. A function that receives the variable may
// write it, so the search ends there.
std::optional<UnsetRead> early_read(const File& file, const cu::Variable& variable,
                                    TokenIndex scope) {
  const TokenIndex end = file.partner(scope);
  if (end == kNoToken) return std::nullopt;
  const std::string_view name = file.text(variable.name);
  std::vector<Place> writes;
  TokenIndex first_write = kNoToken;
  for (TokenIndex at = variable.name + 1; at < end; ++at) {
    if (!is_name(file, at) || file.text(at) != name ||
        is_punctuator(file, at - 1, {".", "->", "::"}))
      continue;
    if ((file.tokens()[at].flags & cu::kInDirective) != 0 || declared_at(file, at))
      return std::nullopt;
    Use use = use_at(file, at);
    if (const TokenIndex own = use == Use::kWrite ? read_by_own_value(file, at) : kNoToken;
        own != kNoToken) {
      at = own;
      use = use_at(file, at);
    }
    const Place place = place_of(file, at, scope);
    if (place.is_unclear || use == Use::kPassed) return std::nullopt;
    if (use == Use::kWrite) {
      if (place.conditions.empty() ||
          (place.conditions.size() == 1 && is_first_iteration(file, place.conditions[0])))
        return std::nullopt;
      if (writes.empty()) first_write = at;
      writes.push_back(place);
      continue;
    }
    // Not written so far; a previous iteration of a loop may have done so.
    if (writes.empty()) return std::nullopt;
    const bool is_inside = std::any_of(writes.begin(), writes.end(), [&](const Place& write) {
      return is_prefix(write.conditions, place.conditions);
    });
    if (is_inside) continue;
    if (is_covered(file, writes, place)) return std::nullopt;
    return UnsetRead{variable, first_write, at, writes.front().conditions.back()};
  }
  return std::nullopt;
}

// _B16x8, floatx4, bf16x8_t: common names of types that fit in a few registers.
bool is_vector_name(std::string_view word) {
  for (std::size_t at = 1; at + 1 < word.size(); ++at)
    if (word[at] == 'x' && word[at + 1] >= '0' && word[at + 1] <= '9') return true;
  return false;
}

bool is_plain(const File& file, TokenRange type) {
  bool found = false;
  for (TokenIndex at = type.begin; at < type.end; ++at) {
    const std::string_view word = file.text(at);
    if (!is_name(file, at) || word == "__shared__" || word == "extern" || word == "static" ||
        word == "const")
      return false;
    found |= is_vector_name(word) ||
             std::find(kPlainTypes.begin(), kPlainTypes.end(), word) != kPlainTypes.end();
  }
  return found;
}

}  // namespace

std::string_view test_of(const File& file, const Condition& condition) {
  const TokenIndex open = condition.keyword + 1;
  return file.text(TokenRange{open, file.partner(open) + 1});
}

TokenIndex callee_of(const File& file, TokenIndex argument) {
  const TokenIndex open = file.enclosing(argument);
  if (open == kNoToken || open == 0 || !file.is(open, "(") || !is_name(file, open - 1))
    return kNoToken;
  return open - 1;
}

std::optional<UnsetRead> unset_read(const File& file, TokenIndex name) {
  const auto variable = cu::declared_at(file, name);
  if (!variable || !variable->value.empty() || variable->is_reference) return std::nullopt;
  const TokenIndex scope = file.enclosing(name);
  if (scope == kNoToken || !file.is(scope, "{") || !is_plain(file, variable->type))
    return std::nullopt;
  return early_read(file, *variable, scope);
}

std::vector<UnsetRead> unset_reads(const File& file) {
  std::vector<UnsetRead> found;
  for (const cu::Function& function : file.functions()) {
    if (!function.is_device() || function.body.empty()) continue;
    for (TokenIndex at = function.body.begin + 1; at < function.body.end; ++at) {
      if (!is_name(file, at) || !is_name(file, at - 1) ||
          !is_punctuator(file, at + 1, {";", "[", ","}) ||
          (file.tokens()[at].flags & cu::kInDirective) != 0)
        continue;
      if (const auto read = unset_read(file, at)) found.push_back(*read);
    }
  }
  return found;
}

std::optional<TextEdit> initialise(const File& file, const cu::Variable& variable) {
  const TokenIndex end = variable.is_array ? file.partner(variable.name + 1) : variable.name;
  if (!file.is(end + 1, ";") && !file.is(end + 1, ",")) return std::nullopt;
  return TextEdit{{file.span(end).end, file.span(end).end}, " = {}"};
}

bool is_sync_shuffle(const File& file, TokenIndex name) {
  const cu::LaneOp* op = cu::lane_op_at(file, name);
  const bool has_mask = op != nullptr && op->kind == cu::LaneOp::Kind::kShuffle && op->mask >= 0;
  return has_mask || is_group_shuffle(file, name);
}

}  // namespace hipwright::lint
