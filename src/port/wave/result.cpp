// SPDX-License-Identifier: MIT
// Tracks the results of a warp: which variables hold them, and where they may be stored.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "port/wave/block.h"

namespace hipwright::port {

namespace {

std::optional<Combine> atomic(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Combine>, 6> kAll = {
      {{"atomicAdd", Combine::kAdd},
       {"atomicMax", Combine::kMax},
       {"atomicMin", Combine::kMin},
       {"atomicOr", Combine::kOr},
       {"atomicAnd", Combine::kAnd},
       {"atomicXor", Combine::kXor}}};
  for (const auto& [word, how] : kAll)
    if (word == name) return how;
  return std::nullopt;
}

// The neutral element of an operation.
bool is_neutral(Combine how, std::string text) {
  std::erase(text, ' ');
  switch (how) {
    case Combine::kAdd:
    case Combine::kOr:
    case Combine::kXor:
      return is_any(text, {"0", "0u", "0U", "0.0f", "0.f", "0.0", "0."});
    case Combine::kMax:
      return is_any(text, {"-INFINITY", "INT_MIN"});
    case Combine::kMin:
      return is_any(text, {"INFINITY", "INT_MAX"});
    case Combine::kAnd:
      return is_any(text, {"~0", "~0u", "-1", "0xffffffff", "0xFFFFFFFF", "0xffffffffu"});
  }
  return false;
}

}  // namespace

// slots[warp] = v
bool BlockCheck::store(TokenRange range, TokenIndex equals) {
  if (!slots_.contains(file_.text(range.begin)) || !file_.is(range.begin + 1, "[") ||
      file_.partner(range.begin + 1) != equals - 1)
    return false;
  const TokenRange index{range.begin + 2, equals - 1};
  const auto value = value_at({equals + 1, range.end});
  const std::string name(file_.text(range.begin));
  if (!is_a_warp(index) || !value || value->type != shared_[name]) return false;
  const auto [known, is_new] = slot_kinds_.emplace(name, value->how);
  if (!is_new && known->second != value->how) return false;
  write_part(index);
  return true;
}

// A variable with a warp's result; __popc(m).
std::optional<BlockCheck::Value> BlockCheck::value_at(TokenRange range) {
  if (range.end - range.begin == 1) {
    const auto found = values_.find(file_.text(range.begin));
    if (found != values_.end() && found->second.of == Value::kWarp) return found->second;
  }
  if (range.end - range.begin == 4 && file_.text(range.begin) == "__popc" &&
      file_.is(range.begin + 1, "(") && file_.is(range.begin + 3, ")")) {
    const auto found = values_.find(file_.text(range.begin + 2));
    if (found == values_.end() || found->second.of != Value::kMask) return std::nullopt;
    replace({range.begin, range.begin + 1}, "__popcll");
    return Value{Value::kWarp, Combine::kAdd, "int"};
  }
  return std::nullopt;
}

// atomicAdd(total, v)
bool BlockCheck::add(TokenRange range) {
  const auto how = atomic(file_.text(range.begin));
  if (!how || !file_.is(range.begin + 1, "(") || file_.partner(range.begin + 1) != range.end - 1 ||
      !which_.is_kernel())
    return false;
  const auto arguments = file_.arguments(range.begin + 1);
  if (arguments.size() != 2) return false;
  const std::string into = pointee(arguments[0]);
  const auto value = value_at(arguments[1]);
  const auto is_int = [](const std::string& type) {
    return type == "int" || type == "unsigned int";
  };
  return value && value->how == *how && !into.empty() &&
         (value->type == into || (*how == Combine::kAdd && is_int(into) && is_int(value->type)));
}

// The type at an address that is the same for all threads of a block; empty if it may differ.
std::string BlockCheck::pointee(TokenRange range) const {
  const bool is_address = file_.is(range.begin, "&");
  if (is_address) ++range.begin;
  if (range.empty() || !cu::is_name(file_, range.begin)) return {};
  const std::string name(file_.text(range.begin));
  for (TokenIndex at = range.begin + 1; at < range.end; ++at) {
    const std::string_view word = file_.text(at);
    if (cu::is_name(file_, at)
            ? word != "blockIdx" && word != "x" && !is_fixed_parameter(word)
            : !cu::is_punctuator(file_, at, {"[", "]", "+", "*", "."}) && !cu::literal(file_, at))
      return {};
  }
  const bool is_alone = range.end - range.begin == 1;
  const bool is_element =
      file_.is(range.begin + 1, "[") && file_.partner(range.begin + 1) == range.end - 1;
  if (const auto shared = shared_.find(name); shared != shared_.end())
    return is_address && (is_alone || is_element) ? shared->second : std::string();
  if (!is_parameter(name) || !never_changes(name)) return {};
  if (is_address ? !is_element : !is_alone && !file_.is(range.begin + 1, "+")) return {};
  for (TokenIndex at = function_.parameters.begin; at < function_.parameters.end; ++at) {
    if (file_.text(at) != name) continue;
    const auto variable = cu::declared_at(file_, at);
    if (!variable) return {};
    std::string type = type_text(file_, variable->type);
    for (const std::string_view word : {" __restrict__", " __restrict", " restrict"})
      if (type.ends_with(word)) type.resize(type.size() - word.size());
    if (!type.ends_with(" *")) return {};
    type.resize(type.size() - 2);
    return type == "unsigned" ? "unsigned int" : type;
  }
  return {};
}

bool BlockCheck::is_parameter(std::string_view name) const {
  for (TokenIndex at = function_.parameters.begin; at < function_.parameters.end; ++at)
    if (file_.text(at) == name) return true;
  return false;
}

// For a pointer: the pointed-to value may change.
bool BlockCheck::never_changes(std::string_view name) const {
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (file_.text(at) != name || cu::is_punctuator(file_, at - 1, {".", "->"})) continue;
    if (cu::declared_at(file_, at) ||
        cu::is_punctuator(file_, at + 1, {"=", "+=", "-=", "++", "--"}) ||
        cu::is_punctuator(file_, at - 1, {"++", "--"}) || is_handed_over(at) ||
        (file_.is(at - 1, "&") && !file_.is(at + 1, "[")))
      return false;
  }
  return true;
}

bool BlockCheck::is_fixed_parameter(std::string_view name) const {
  return is_parameter(name) && never_changes(name);
}

// The type of a variable that only this function sees, and that is declared once.
std::optional<std::string> BlockCheck::type_of(TokenIndex name, TokenRange declared) const {
  const auto variable = cu::declaration_of(file_, name);
  if (!variable || variable->is_array || variable->is_reference) return std::nullopt;
  const std::string_view whole = file_.text(variable->type);
  for (const std::string_view word : {"__shared__", "static", "extern", "volatile"})
    if (whole.find(word) != std::string_view::npos) return std::nullopt;
  if (!declared.empty() && variable->name != name) return std::nullopt;
  if (!function_.body.contains(variable->name) && !function_.parameters.contains(variable->name))
    return std::nullopt;
  int declarations = 0;
  for (TokenIndex at = function_.head.begin; at < function_.body.end; ++at) {
    if (file_.text(at) != file_.text(name) || cu::is_punctuator(file_, at - 1, {".", "->"}))
      continue;
    declarations += cu::declared_at(file_, at) ? 1 : 0;
    if (file_.is(at - 1, "&") && !cu::is_name(file_, at - 2) &&
        !cu::is_punctuator(file_, at - 2, {")", "]"}))
      return std::nullopt;
  }
  std::string type = type_text(file_, variable->type);
  if (declarations != 1 || type.find_first_of("&*<[") != std::string::npos || type == "bool" ||
      type == "auto")
    return std::nullopt;
  return type;
}

// The expression after the =.
std::optional<BlockCheck::Value> BlockCheck::result(TokenRange range, const std::string& name,
                                                    const std::string& type, bool is_first_warp) {
  if (auto read = slot_read(range, type)) return read;
  if (file_.is(range.begin + 1, "(") && file_.partner(range.begin + 1) == range.end - 1) {
    const auto known = group_.known_.find(file_.text(range.begin));
    if (known != group_.known_.end() && !is_member_call(range.begin))
      return combined(known->second, {range.begin + 2, range.end - 1}, name, type, is_first_warp);
    if (file_.text(range.begin) == "__popc" && !is_first_warp && type == "int" &&
        ballot({range.begin + 2, range.end - 1})) {
      replace({range.begin, range.begin + 1}, "__popcll");
      return Value{Value::kWarp, Combine::kAdd, type};
    }
  }
  if (type == "unsigned int" && !is_first_warp && ballot(range))
    return Value{Value::kMask, Combine::kAdd, type};
  return std::nullopt;
}

bool BlockCheck::is_member_call(TokenIndex at) const {
  return cu::is_punctuator(file_, at - 1, {".", "->", "::"});
}

std::optional<BlockCheck::Value> BlockCheck::combined(const Combined& call, TokenRange argument,
                                                      const std::string& name,
                                                      const std::string& type, bool is_first_warp) {
  const bool is_itself = argument.end - argument.begin == 1 && file_.text(argument.begin) == name;
  const bool has_type = call.type.empty() ? is_itself : call.type == type;
  if (!has_type) {
    stop(argument.begin, "a warp result converted to another type");
    return std::nullopt;
  }
  const auto before = values_.find(name);
  if (is_itself && before != values_.end()) {
    // The slots, combined again.
    const bool fits = before->second.of == Value::kSlots && before->second.how == call.how;
    return fits && !call.is_block ? std::optional(Value{Value::kBlock, call.how, type})
                                  : std::nullopt;
  }
  if (!is_untouched(argument) || is_first_warp) return std::nullopt;
  return Value{call.is_block ? Value::kBlock : Value::kWarp, call.how, type};
}

// __ballot_sync(0xffffffff, condition)
bool BlockCheck::ballot(TokenRange range) {
  if (file_.text(range.begin) != "__ballot_sync" || !file_.is(range.begin + 1, "(") ||
      file_.partner(range.begin + 1) != range.end - 1)
    return false;
  const auto arguments = file_.arguments(range.begin + 1);
  if (arguments.size() != 2 || !is_full_mask(arguments[0]) || !is_untouched(arguments[1]))
    return false;
  write_mask(arguments[0]);
  return true;
}

// lane < blockDim.x / 32 ? slots[lane] : 0
std::optional<BlockCheck::Value> BlockCheck::slot_read(TokenRange range, const std::string& type) {
  const TokenIndex question = find(range, "?"), colon = find(range, ":");
  if (question == cu::kNoToken || colon == cu::kNoToken || colon < question) return std::nullopt;
  const TokenRange condition = cu::unwrapped(file_, {range.begin, question});
  const TokenIndex less = find(condition, "<");
  if (less == cu::kNoToken) return std::nullopt;
  const TokenRange who{condition.begin, less}, count{less + 1, condition.end};
  const TokenRange read{question + 1, colon};
  if (read.end - read.begin < 4 || !file_.is(read.begin + 1, "[") ||
      file_.partner(read.begin + 1) != read.end - 1)
    return std::nullopt;
  const TokenRange index{read.begin + 2, read.end - 1};
  const auto kind = slot_kinds_.find(file_.text(read.begin));
  const bool is_by_thread = is_thread(who);
  if (kind == slot_kinds_.end() || shared_[std::string(file_.text(read.begin))] != type ||
      !(is_by_thread || is_a_lane(who)) || !is_warp_count(count) ||
      !(is_a_lane(index) || (is_by_thread && is_thread(index))) ||
      !is_neutral(kind->second, std::string(file_.text({colon + 1, range.end}))))
    return std::nullopt;
  if (!is_by_thread) write_part(who);
  write_split(count);
  if (is_a_lane(index)) write_part(index);
  return Value{Value::kSlots, kind->second, type};
}

}  // namespace hipwright::port
