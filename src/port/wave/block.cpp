// SPDX-License-Identifier: MIT
// Kernels, and functions that combine the values of a block. Warp results may only go where
// the results of all of them are combined in the same way:
//   - one lane of each adds it to memory: if (lane == 0) atomicAdd(total, v);
//   - one lane of each stores it to the warp's slot; as many lanes as there are slots read them
//     back, and combine them again: the block's result, for its first thread.
// Statements that do not involve warps stay unchanged and are not analysed.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/wave/block.h"

namespace hipwright::port {

std::optional<Combined> BlockCheck::look() {
  const auto all = statements(file_, function_.body);
  if (!all) {
    stop(function_.name, "a function that has preprocessor directives or cannot be parsed");
    return std::nullopt;
  }
  if (const TokenIndex at = alias(); at != cu::kNoToken) {
    stop(at, "aliased variables in a function that accesses other lanes");
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

// The first warp operation in a range; kNoToken if there is none.
TokenIndex BlockCheck::touched(TokenRange range) const {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (!cu::is_name(file_, at)) continue;
    if (at > 0 && cu::is_punctuator(file_, at - 1, {".", "->"})) continue;
    const std::string_view word = file_.text(at);
    if (word == "warpSize" || group_.sizes_.contains(word) || lanes_.contains(word) ||
        warps_.contains(word) || slots_.contains(word) || values_.contains(word) ||
        group_.crossing_.contains(word) || warp_function_at(file_, at) != nullptr)
      return at;
  }
  return cu::kNoToken;
}

TokenIndex BlockCheck::find(TokenRange range, const char* punctuator) const {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (file_.is(at, punctuator)) return at;
    if (cu::is_punctuator(file_, at, {"(", "[", "{"}) && file_.partner(at) != cu::kNoToken &&
        file_.partner(at) > at)
      at = file_.partner(at);
  }
  return cu::kNoToken;
}

bool BlockCheck::is_a_lane(TokenRange range) const {
  const TokenRange inside = cu::unwrapped(file_, range);
  return (inside.end - inside.begin == 1 && lanes_.contains(file_.text(inside.begin))) ||
         is_lane(inside);
}

bool BlockCheck::is_a_warp(TokenRange range) const {
  const TokenRange inside = cu::unwrapped(file_, range);
  return (inside.end - inside.begin == 1 && warps_.contains(file_.text(inside.begin))) ||
         is_warp(inside);
}

// s[threadIdx.x / 32]: arrays in shared memory with a place for each warp.
void BlockCheck::find_slots() {
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (file_.text(at) != "__shared__") continue;
    const TokenRange statement = cu::segment(file_, at);
    for (TokenIndex name = at + 1; name < statement.end; ++name) {
      if (!cu::is_name(file_, name)) continue;
      const auto variable = cu::declared_at(file_, name);
      if (variable && variable->name == name)
        shared_[std::string(file_.text(name))] = type_text(file_, variable->type);
    }
  }
  std::set<std::string, std::less<>> warps;
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at)
    if (const auto variable = cu::declared_at(file_, at); variable && is_warp(variable->value))
      warps.emplace(file_.text(at));
  for (TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
    if (!file_.is(at, "[") || at == 0 || !shared_.contains(std::string(file_.text(at - 1))))
      continue;
    const TokenIndex close = file_.partner(at);
    if (close == cu::kNoToken) continue;
    const TokenRange index = cu::unwrapped(file_, {at + 1, close});
    if (is_warp(index) || (index.end - index.begin == 1 && warps.contains(file_.text(index.begin))))
      slots_.emplace(file_.text(at - 1));
  }
}

// References, lambdas: uses of a variable under another name are not tracked.
TokenIndex BlockCheck::alias() const {
  for (TokenIndex at = function_.body.begin + 1; at < function_.body.end; ++at) {
    if (file_.is(at, "&") && cu::is_name(file_, at + 1) &&
        cu::is_punctuator(file_, at + 2, {"=", "{", ":"}))
      return at;
    if (file_.is(at, "[") && !cu::is_name(file_, at - 1) &&
        !cu::is_punctuator(file_, at - 1, {"]", ")"}))
      return at;
  }
  return cu::kNoToken;
}

void BlockCheck::run(const Statement& statement, bool is_first_warp) {
  if (group_.obstacle_) return;
  const TokenRange range = statement.range;
  for (TokenIndex at = range.begin; at < range.end; ++at)
    if (file_.text(at) == "return" || file_.text(at) == "goto" || file_.text(at) == "asm")
      return stop(at, file_.text(at) == "return" ? "lanes may exit before the others have finished"
                                                 : fmt::format("{}", file_.text(at)));
  if (statement.kind == Statement::Kind::kSimple && declares_parts(range)) return;
  if (is_untouched(range)) {
    if (is_first_warp)
      stop(range.begin, "work of the first warp that depends on its number of lanes");
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
void BlockCheck::loop(TokenRange range, bool is_first_warp) {
  const auto found = reduction_loop(group_, which_, range);
  if (!found) return stop(touched(range), "warp functions in a loop");
  const auto type = type_of(found->name, {});
  const std::string name(file_.text(found->name));
  const TokenRange itself{found->name, found->name + 1};
  const auto value = type ? combined({found->how, *type, false}, itself, name, *type, is_first_warp)
                          : std::nullopt;
  if (!value) return stop(found->name, fmt::format("{} in an unsupported loop", name));
  values_.insert_or_assign(name, *value);
}

bool BlockCheck::is_zero(TokenRange condition, TokenRange& left) const {
  condition = cu::unwrapped(file_, condition);
  const TokenIndex op = find(condition, "==");
  if (op == cu::kNoToken || op + 2 != condition.end || !is_number(op + 1, 0)) return false;
  left = {condition.begin, op};
  return true;
}

void BlockCheck::guard(const Statement& statement, bool is_first_warp) {
  if (statement.has_else) return stop(statement.range.begin, "lanes that take part conditionally");
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
  const TokenRange condition = cu::unwrapped(file_, statement.condition);
  const TokenIndex less = find(condition, "<");
  if (less != cu::kNoToken && is_thread({condition.begin, less}) &&
      is_size({less + 1, condition.end})) {
    write_size({less + 1, condition.end});
    for (const Statement& each : statement.inner) run(each, true);
    return;
  }
  stop(statement.condition.begin, "lanes that take part conditionally");
}

// The first thread may do anything with the block's results.
void BlockCheck::final(const Statement& statement) {
  for (TokenIndex at = statement.range.begin; at < statement.range.end; ++at) {
    const TokenIndex found = touched({at, at + 1});
    if (found == cu::kNoToken) continue;
    const auto value = values_.find(file_.text(at));
    if (value == values_.end() || value->second.of != Value::kBlock)
      return stop(at, "a result per warp instead of per block");
  }
}

// Done once per warp: a store to its slot, or an addition to shared data.
void BlockCheck::one_lane(const Statement& statement, bool is_first_warp) {
  const TokenRange range = statement.range;
  if (statement.kind == Statement::Kind::kSimple) {
    const TokenIndex equals = find(range, "=");
    if (equals != cu::kNoToken && store(range, equals)) return;
    if (add(range)) return;
  }
  if (!is_first_warp) return stop(range.begin, "work done once per warp");
  final(statement);
}

void BlockCheck::simple(TokenRange range, bool is_first_warp) {
  if (declares_slots(range) || syncs(range)) return;
  const TokenIndex equals = find(range, "=");
  if (equals == cu::kNoToken || equals == range.begin || !cu::is_name(file_, equals - 1))
    return stop(touched(range),
                fmt::format("{} in an unsupported statement", file_.text(touched(range))));
  const std::string name(file_.text(equals - 1));
  const bool is_new = equals - 1 > range.begin;
  const auto type =
      type_of(equals - 1, is_new ? TokenRange{range.begin, equals - 1} : TokenRange{});
  const auto value =
      type ? result({equals + 1, range.end}, name, *type, is_first_warp) : std::nullopt;
  if (group_.obstacle_) return;
  if (!value || (value->of == Value::kMask && !is_new))
    return stop(touched(range),
                fmt::format("{} in an unsupported statement", file_.text(touched(range))));
  if (value->of == Value::kMask) replace({range.begin, equals - 1}, "unsigned long long");
  values_.insert_or_assign(name, *value);
}

// int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
bool BlockCheck::declares_parts(TokenRange range) {
  std::vector<std::pair<TokenIndex, TokenRange>> found;
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    const auto variable = cu::declared_at(file_, at);
    if (!variable) continue;
    const bool is_part = is_lane(variable->value) || is_warp(variable->value);
    if (!is_part && !is_untouched(variable->value)) return false;
    if (!is_part) continue;
    if (!is_fixed(file_.text(at)) || variable->is_array ||
        cu::bits_of_type(file_, variable->type) == cu::Bits::kUnknown)
      return false;
    found.emplace_back(at, variable->value);
  }
  for (const auto& [name, value] : found) {
    (is_lane(value) ? lanes_ : warps_).emplace(file_.text(name));
    write_split(value);
  }
  return !found.empty();
}

bool BlockCheck::declares_slots(TokenRange range) {
  bool is_shared = false;
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    is_shared |= file_.text(at) == "__shared__";
    if (!is_shared && touched({at, at + 1}) != cu::kNoToken) return false;
  }
  if (!is_shared) return false;
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (!file_.is(at, "[") || !is_size({at + 1, at + 2}) || !file_.is(at + 2, "]")) continue;
    // One dimension, and a slot for every warp that a block can have.
    if (!slots_.contains(file_.text(at - 1)) || file_.is(at + 3, "[")) return false;
    if (!is_number(at + 1, 32)) group_.accept(*which_.source, at + 1);
  }
  for (TokenIndex at = range.begin; at < range.end; ++at)
    if (cu::is_name(file_, at) && group_.sizes_.contains(file_.text(at)) &&
        !group_.accepted_[which_.source].contains(at))
      return false;
  return true;
}

bool BlockCheck::syncs(TokenRange range) {
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
bool BlockCheck::returns(const Statement& statement) {
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
    if (cu::is_punctuator(file_, at, {",", "&", "*"})) return false;
  const bool is_template = !function_.template_parameters.empty();
  result_ = Combined{value->second.how, is_template ? std::string() : value->second.type, true};
  return true;
}
std::optional<Combined> check_block(WaveGroup& group, const DeviceFunction& which) {
  return BlockCheck(group, which).look();
}

}  // namespace hipwright::port
