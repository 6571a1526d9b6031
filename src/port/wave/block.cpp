// SPDX-License-Identifier: MIT
// Kernels, and functions that combine the values of a block. What warps compute may only go where
// the results of all of them are combined in the same way:
//   - one lane of each adds it to memory: if (lane == 0) atomicAdd(total, v);
//   - one lane of each stores it to the warp's slot; as many lanes as there are slots read them
//     back, and combine them again: the block's result, for its first thread.
// The statements that are not about warps are as they were, and need no understanding.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/wave/group.h"

namespace hipwright::port {

using cu::TokenIndex;
using cu::TokenRange;

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

// What changes nothing when it is combined.
bool is_neutral(Combine how, std::string text) {
  std::erase(text, ' ');
  const auto is_one_of = [&](std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), text) != all.end();
  };
  switch (how) {
    case Combine::kAdd:
    case Combine::kOr:
    case Combine::kXor:
      return is_one_of({"0", "0u", "0U", "0.0f", "0.f", "0.0", "0."});
    case Combine::kMax:
      return is_one_of({"-INFINITY", "INT_MIN"});
    case Combine::kMin:
      return is_one_of({"INFINITY", "INT_MAX"});
    case Combine::kAnd:
      return is_one_of({"~0", "~0u", "-1", "0xffffffff", "0xFFFFFFFF", "0xffffffffu"});
  }
  return false;
}

}  // namespace

class BlockCheck : public Lanes {
 public:
  using Lanes::Lanes;

  std::optional<Combined> look() {
    const auto all = statements(file_, function_.body);
    if (!all) {
      stop(function_.name, "a function with preprocessor lines, or that cannot be read");
      return std::nullopt;
    }
    if (const TokenIndex at = alias(); at != cu::kNoToken) {
      stop(at, "other names for variables, in a function that looks at other lanes");
      return std::nullopt;
    }
    find_slots();
    for (std::size_t i = 0; i < all->size() && !group_.obstacle_; ++i) {
      const Statement& each = (*all)[i];
      if (i + 1 == all->size() && !which_.is_kernel() && returns(each)) return result_;
      if (each.kind == Statement::Kind::kSimple && i + 1 == all->size() && which_.is_kernel() &&
          file_.text(each.range) == "return")
        continue;
      run(each, false);
    }
    return std::nullopt;
  }

 private:
  // What a variable holds.
  struct Value {
    enum Of { kWarp, kSlots, kBlock, kMask } of;
    Combine how;
    std::string type;
  };

  // --- words ---
  // The first thing of warps in a range; kNoToken: none.
  TokenIndex touched(TokenRange range) const {
    for (TokenIndex at = range.begin; at < range.end; ++at) {
      if (!lint::is_name(file_, at)) continue;
      if (at > 0 && lint::is_any(file_, at - 1, {".", "->"})) continue;
      const std::string_view word = file_.text(at);
      if (word == "warpSize" || group_.sizes_.contains(word) || lanes_.contains(word) ||
          warps_.contains(word) || slots_.contains(word) || values_.contains(word) ||
          group_.crossing_.contains(word) || warp_function_at(file_, at) != nullptr)
        return at;
    }
    return cu::kNoToken;
  }
  bool is_untouched(TokenRange range) const { return touched(range) == cu::kNoToken; }

  TokenIndex find(TokenRange range, const char* punctuator) const {
    for (TokenIndex at = range.begin; at < range.end; ++at) {
      if (file_.is(at, punctuator)) return at;
      if (lint::is_any(file_, at, {"(", "[", "{"}) && file_.partner(at) != cu::kNoToken &&
          file_.partner(at) > at)
        at = file_.partner(at);
    }
    return cu::kNoToken;
  }

  bool is_a_lane(TokenRange range) const {
    const TokenRange inside = lint::unwrapped(file_, range);
    return (inside.end - inside.begin == 1 && lanes_.contains(file_.text(inside.begin))) ||
           is_lane(inside);
  }
  bool is_a_warp(TokenRange range) const {
    const TokenRange inside = lint::unwrapped(file_, range);
    return (inside.end - inside.begin == 1 && warps_.contains(file_.text(inside.begin))) ||
           is_warp(inside);
  }
  void write_part(TokenRange range) {  // of a lane or a warp
    const TokenRange inside = lint::unwrapped(file_, range);
    if (inside.end - inside.begin > 1) write_split(inside);
  }

  // s[threadIdx.x / 32]: arrays in shared memory with a place for each warp.
  void find_slots() {
    for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
      if (file_.text(at) != "__shared__") continue;
      const TokenRange statement = lint::segment(file_, at);
      for (TokenIndex name = at + 1; name < statement.end; ++name) {
        if (!lint::is_name(file_, name)) continue;
        const auto variable = lint::declared_at(file_, name);
        if (variable && variable->name == name)
          shared_[std::string(file_.text(name))] = type_text(file_, variable->type);
      }
    }
    std::set<std::string, std::less<>> warps;
    for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at)
      if (const auto variable = lint::declared_at(file_, at); variable && is_warp(variable->value))
        warps.emplace(file_.text(at));
    for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
      if (!file_.is(at, "[") || at == 0 || !shared_.contains(std::string(file_.text(at - 1))))
        continue;
      const TokenIndex close = file_.partner(at);
      if (close == cu::kNoToken) continue;
      const TokenRange index = lint::unwrapped(file_, {at + 1, close});
      if (is_warp(index) ||
          (index.end - index.begin == 1 && warps.contains(file_.text(index.begin))))
        slots_.emplace(file_.text(at - 1));
    }
  }

  // References, lambdas: what is done to a variable by another name is not seen.
  TokenIndex alias() const {
    for (TokenIndex at = function_.body.begin + 1; at < function_.body.end; ++at) {
      if (file_.is(at, "&") && lint::is_name(file_, at + 1) &&
          lint::is_any(file_, at + 2, {"=", "{", ":"}))
        return at;
      if (file_.is(at, "[") && !lint::is_name(file_, at - 1) &&
          !lint::is_any(file_, at - 1, {"]", ")"}))
        return at;
    }
    return cu::kNoToken;
  }

  // --- statements ---
  void run(const Statement& statement, bool is_first_warp) {
    if (group_.obstacle_) return;
    const TokenRange range = statement.range;
    for (TokenIndex at = range.begin; at < range.end; ++at)
      if (file_.text(at) == "return" || file_.text(at) == "goto" || file_.text(at) == "asm")
        return stop(at, file_.text(at) == "return" ? "lanes may leave before the others are done"
                                                   : fmt::format("{}", file_.text(at)));
    if (statement.kind == Statement::Kind::kSimple && declares_parts(range)) return;
    if (is_untouched(range)) {
      if (is_first_warp)
        stop(range.begin, "something that the first warp does, with as many lanes as it has");
      return;
    }
    switch (statement.kind) {
      case Statement::Kind::kSimple:
        return simple(range, is_first_warp);
      case Statement::Kind::kBlock:
        for (const Statement& each : statement.inner) run(each, is_first_warp);
        return;
      case Statement::Kind::kIf:
        return guard(statement, is_first_warp);
      case Statement::Kind::kOther:
        return loop(range, is_first_warp);
    }
  }

  // for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o), as in a function.
  void loop(TokenRange range, bool is_first_warp) {
    const auto found = reduction_loop(group_, which_, range);
    if (!found) return stop(touched(range), "functions of the warp in a loop");
    const auto type = type_of(found->name, {});
    const std::string name(file_.text(found->name));
    const TokenRange itself{found->name, found->name + 1};
    const auto value =
        type ? combined({found->how, *type, false}, itself, name, *type, is_first_warp)
             : std::nullopt;
    if (!value) return stop(found->name, fmt::format("{} in a loop that is not understood", name));
    values_.insert_or_assign(name, *value);
  }

  bool is_zero(TokenRange condition, TokenRange& left) const {
    condition = lint::unwrapped(file_, condition);
    const TokenIndex op = find(condition, "==");
    if (op == cu::kNoToken || op + 2 != condition.end || !is_number(op + 1, 0)) return false;
    left = {condition.begin, op};
    return true;
  }

  void guard(const Statement& statement, bool is_first_warp) {
    if (statement.has_else)
      return stop(statement.range.begin, "lanes that take part by a condition");
    TokenRange left;
    if (is_zero(statement.condition, left)) {
      if (is_thread(left)) return final(statement);
      if (is_a_lane(left)) {
        write_part(left);
        for (const Statement& each : statement.inner) one_lane(each, is_first_warp);
        return;
      }
      if (is_a_warp(left)) {
        write_part(left);
        for (const Statement& each : statement.inner) run(each, true);
        return;
      }
    }
    // threadIdx.x < 32
    const TokenRange condition = lint::unwrapped(file_, statement.condition);
    const TokenIndex less = find(condition, "<");
    if (less != cu::kNoToken && is_thread({condition.begin, less}) &&
        is_size({less + 1, condition.end})) {
      write_size({less + 1, condition.end});
      for (const Statement& each : statement.inner) run(each, true);
      return;
    }
    stop(statement.condition.begin, "lanes that take part by a condition");
  }

  // What the first thread does with the block's results is its own affair.
  void final(const Statement& statement) {
    for (TokenIndex at = statement.range.begin; at < statement.range.end; ++at) {
      const TokenIndex found = touched({at, at + 1});
      if (found == cu::kNoToken) continue;
      const auto value = values_.find(file_.text(at));
      if (value == values_.end() || value->second.of != Value::kBlock)
        return stop(at, "a warp's result that is not the block's");
    }
  }

  // Done once for each warp: stores to its slot, or adds to what all have.
  void one_lane(const Statement& statement, bool is_first_warp) {
    const TokenRange range = statement.range;
    if (statement.kind == Statement::Kind::kSimple) {
      const TokenIndex equals = find(range, "=");
      if (equals != cu::kNoToken && store(range, equals)) return;
      if (add(range)) return;
    }
    if (!is_first_warp) return stop(range.begin, "something that is done once for each warp");
    final(statement);
  }

  // slots[warp] = v
  bool store(TokenRange range, TokenIndex equals) {
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
  std::optional<Value> value_at(TokenRange range) {
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
  bool add(TokenRange range) {
    const auto how = atomic(file_.text(range.begin));
    if (!how || !file_.is(range.begin + 1, "(") ||
        file_.partner(range.begin + 1) != range.end - 1 || !which_.is_kernel())
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

  // The type behind an address that is the same for all threads of a block; empty: it may not be.
  std::string pointee(TokenRange range) const {
    const bool is_address = file_.is(range.begin, "&");
    if (is_address) ++range.begin;
    if (range.empty() || !lint::is_name(file_, range.begin)) return {};
    const std::string name(file_.text(range.begin));
    for (TokenIndex at = range.begin + 1; at < range.end; ++at) {
      const std::string_view word = file_.text(at);
      if (lint::is_name(file_, at)
              ? word != "blockIdx" && word != "x" && !is_fixed_parameter(word)
              : !lint::is_any(file_, at, {"[", "]", "+", "*", "."}) && !lint::literal(file_, at))
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
      const auto variable = lint::declared_at(file_, at);
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
  bool is_parameter(std::string_view name) const {
    for (TokenIndex at = function_.parameters.begin; at < function_.parameters.end; ++at)
      if (file_.text(at) == name) return true;
    return false;
  }
  // Of a pointer: what it points to may change.
  bool never_changes(std::string_view name) const {
    for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
      if (file_.text(at) != name || lint::is_any(file_, at - 1, {".", "->"})) continue;
      if (lint::declared_at(file_, at) ||
          lint::is_any(file_, at + 1, {"=", "+=", "-=", "++", "--"}) ||
          lint::is_any(file_, at - 1, {"++", "--"}) || is_handed_over(at) ||
          (file_.is(at - 1, "&") && !file_.is(at + 1, "[")))
        return false;
    }
    return true;
  }
  bool is_fixed_parameter(std::string_view name) const {
    return is_parameter(name) && never_changes(name);
  }

  // --- assignments ---
  void simple(TokenRange range, bool is_first_warp) {
    if (declares_slots(range) || syncs(range)) return;
    const TokenIndex equals = find(range, "=");
    if (equals == cu::kNoToken || equals == range.begin || !lint::is_name(file_, equals - 1))
      return stop(touched(range), fmt::format("{} in a statement that is not understood",
                                              file_.text(touched(range))));
    const std::string name(file_.text(equals - 1));
    const bool is_new = equals - 1 > range.begin;
    const auto type =
        type_of(equals - 1, is_new ? TokenRange{range.begin, equals - 1} : TokenRange{});
    const auto value =
        type ? result({equals + 1, range.end}, name, *type, is_first_warp) : std::nullopt;
    if (group_.obstacle_) return;
    if (!value || (value->of == Value::kMask && !is_new))
      return stop(touched(range), fmt::format("{} in a statement that is not understood",
                                              file_.text(touched(range))));
    if (value->of == Value::kMask) replace({range.begin, equals - 1}, "unsigned long long");
    values_.insert_or_assign(name, *value);
  }

  // The type of a variable that only this function sees, and that is declared once.
  std::optional<std::string> type_of(TokenIndex name, TokenRange declared) const {
    const auto variable = lint::declaration_of(file_, name);
    if (!variable || variable->is_array || variable->is_reference) return std::nullopt;
    const std::string_view whole = file_.text(variable->type);
    for (const std::string_view word : {"__shared__", "static", "extern", "volatile"})
      if (whole.find(word) != std::string_view::npos) return std::nullopt;
    if (!declared.empty() && variable->name != name) return std::nullopt;
    if (!function_.body.contains(variable->name) && !function_.parameters.contains(variable->name))
      return std::nullopt;
    int declarations = 0;
    for (TokenIndex at = function_.head.begin; at < function_.body.end; ++at) {
      if (file_.text(at) != file_.text(name) || lint::is_any(file_, at - 1, {".", "->"})) continue;
      declarations += lint::declared_at(file_, at) ? 1 : 0;
      if (file_.is(at - 1, "&") && !lint::is_name(file_, at - 2) &&
          !lint::is_any(file_, at - 2, {")", "]"}))
        return std::nullopt;
    }
    std::string type = type_text(file_, variable->type);
    if (declarations != 1 || type.find_first_of("&*<[") != std::string::npos || type == "bool" ||
        type == "auto")
      return std::nullopt;
    return type;
  }

  // What stands behind the =.
  std::optional<Value> result(TokenRange range, const std::string& name, const std::string& type,
                              bool is_first_warp) {
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
  bool is_member_call(TokenIndex at) const {
    return lint::is_any(file_, at - 1, {".", "->", "::"});
  }

  std::optional<Value> combined(const Combined& call, TokenRange argument, const std::string& name,
                                const std::string& type, bool is_first_warp) {
    const bool is_itself = argument.end - argument.begin == 1 && file_.text(argument.begin) == name;
    const bool has_type = call.type.empty() ? is_itself : call.type == type;
    if (!has_type) {
      stop(argument.begin, "a warp's result that becomes another type");
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
  bool ballot(TokenRange range) {
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
  std::optional<Value> slot_read(TokenRange range, const std::string& type) {
    const TokenIndex question = find(range, "?"), colon = find(range, ":");
    if (question == cu::kNoToken || colon == cu::kNoToken || colon < question) return std::nullopt;
    const TokenRange condition = lint::unwrapped(file_, {range.begin, question});
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

  // int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  bool declares_parts(TokenRange range) {
    std::vector<std::pair<TokenIndex, TokenRange>> found;
    for (TokenIndex at = range.begin; at < range.end; ++at) {
      const auto variable = lint::declared_at(file_, at);
      if (!variable) continue;
      const bool is_part = is_lane(variable->value) || is_warp(variable->value);
      if (!is_part && !is_untouched(variable->value)) return false;
      if (!is_part) continue;
      if (!is_fixed(file_.text(at)) || variable->is_array ||
          lint::bits_of_type(file_, variable->type) == lint::Bits::kUnknown)
        return false;
      found.emplace_back(at, variable->value);
    }
    for (const auto& [name, value] : found) {
      (is_lane(value) ? lanes_ : warps_).emplace(file_.text(name));
      write_split(value);
    }
    return !found.empty();
  }

  bool declares_slots(TokenRange range) {
    bool is_shared = false;
    for (TokenIndex at = range.begin; at < range.end; ++at) {
      is_shared |= file_.text(at) == "__shared__";
      if (!is_shared && touched({at, at + 1}) != cu::kNoToken) return false;
    }
    if (!is_shared) return false;
    for (TokenIndex at = range.begin; at < range.end; ++at) {
      if (!file_.is(at, "[") || !is_size({at + 1, at + 2}) || !file_.is(at + 2, "]")) continue;
      // One dimension, and a place for each of as many warps as a block can have.
      if (!slots_.contains(file_.text(at - 1)) || file_.is(at + 3, "[")) return false;
      if (!is_number(at + 1, 32)) group_.accept(*which_.source, at + 1);
    }
    for (TokenIndex at = range.begin; at < range.end; ++at)
      if (lint::is_name(file_, at) && group_.sizes_.contains(file_.text(at)) &&
          !group_.accepted_[which_.source].contains(at))
        return false;
    return true;
  }

  bool syncs(TokenRange range) {
    if (file_.text(range.begin) != "__syncwarp" || !file_.is(range.begin + 1, "(")) return false;
    const auto arguments = file_.arguments(range.begin + 1);
    if (range.end - range.begin == 3) return true;
    if (arguments.size() != 1 || file_.partner(range.begin + 1) != range.end - 1 ||
        !is_full_mask(arguments[0]))
      return false;
    write_mask(arguments[0]);
    return true;
  }

  // return v; at the end of a function: v is the block's.
  bool returns(const Statement& statement) {
    const TokenRange range = statement.range;
    if (statement.kind != Statement::Kind::kSimple || range.end - range.begin != 2 ||
        file_.text(range.begin) != "return")
      return false;
    const auto value = values_.find(file_.text(range.begin + 1));
    TokenIndex begin = function_.head.begin;
    if (!function_.template_parameters.empty()) begin = function_.template_parameters.end + 1;
    if (value == values_.end() || value->second.of != Value::kBlock ||
        type_text(file_, {begin, function_.name}) != value->second.type)
      return false;
    for (TokenIndex at = function_.parameters.begin; at < function_.parameters.end; ++at)
      if (lint::is_any(file_, at, {",", "&", "*"})) return false;
    const bool is_template = !function_.template_parameters.empty();
    result_ = Combined{value->second.how, is_template ? std::string() : value->second.type, true};
    return true;
  }

  std::set<std::string, std::less<>> lanes_, warps_, slots_;
  std::map<std::string, std::string, std::less<>> shared_;  // arrays and variables, their types
  std::map<std::string, Combine, std::less<>> slot_kinds_;  // what was stored to them
  std::map<std::string, Value, std::less<>> values_;
  std::optional<Combined> result_;
};

std::optional<Combined> check_block(WaveGroup& group, const DeviceFunction& which) {
  return BlockCheck(group, which).look();
}

}  // namespace hipwright::port
