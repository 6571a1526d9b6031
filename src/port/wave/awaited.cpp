// SPDX-License-Identifier: MIT
#include "port/wave/awaited.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "syntax/cuda/places.h"
#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Name;

namespace {

const Name kDo("do"), kWhile("while"), kVolatile("volatile"), kShared("__shared__");
constexpr auto kPauses =
    std::to_array<std::string_view>({"__nanosleep", "__syncwarp", "__threadfence",
                                     "__threadfence_block", "__threadfence_system", "continue"});
constexpr auto kCollective = std::to_array<std::string_view>(
    {"__all", "__all_sync", "__any", "__any_sync", "__ballot", "__ballot_sync", "__syncthreads_and",
     "__syncthreads_count", "__syncthreads_or"});
constexpr auto kTickets = std::to_array<std::string_view>({"atomicAdd", "atomicInc"});

bool is_in(auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_name(const cu::File& file, TokenRange range, std::string_view name) {
  for (TokenIndex at = range.begin; at < range.end; ++at)
    if (cu::is_name(file, at) && file.text(at) == name) return true;
  return false;
}

// atomicAdd(flag, 0), flags[i]: it changes nothing, and is the same each time until another thread
// sets it.
bool only_loads(const cu::File& file, TokenRange value, std::string_view into) {
  for (TokenIndex at = value.begin; at < value.end; ++at) {
    if (!cu::is_name(file, at)) continue;
    const std::string_view text = file.text(at);
    if (text == into) return false;
    if (!text.starts_with("atomic") || !file.is(at + 1, "(")) continue;
    const auto arguments = file.arguments(at + 1);
    if (text == "atomicCAS" || arguments.size() != 2 || !cu::is_constant(file, arguments[1], 0))
      return false;
  }
  return true;
}

// Nothing is done but to pause, and to load what the condition tests.
bool only_waits(const cu::File& file, TokenRange body, TokenRange condition) {
  for (TokenIndex at = body.begin; at < body.end; ++at) {
    if (!cu::is_name(file, at) || is_in(kPauses, file.text(at))) continue;
    if (!file.is(at + 1, "=") || !has_name(file, condition, file.text(at))) return false;
    const TokenRange value{at + 2, std::max(at + 2, cu::segment(file, at).end)};
    if (!only_loads(file, value, file.text(at))) return false;
    at = value.end;
  }
  return true;
}

// Between its braces, or one statement.
TokenRange body_at(const cu::File& file, TokenIndex at) {
  if (at < file.tokens().size() && file.is(at, "{") && file.partner(at) != cu::kNoToken)
    return {at + 1, file.partner(at)};
  TokenIndex end = at;
  while (end < file.tokens().size() && !cu::is_punctuator(file, end, {";", "{", "}"})) ++end;
  return end < file.tokens().size() && file.is(end, ";") ? TokenRange{at, end} : TokenRange{at, at};
}

bool reads_past_caches(std::string_view function) {
  for (const std::string_view begin : {"atomic", "__ldcv", "__ldcg", "ld_", "load", "__hip_atomic"})
    if (function.starts_with(begin)) return true;
  return false;
}

bool is_volatile(const cu::File& file, TokenRange range, const cu::Function& function) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (file.is(at, kVolatile)) return true;
    if (!cu::is_name(file, at)) continue;
    if (reads_past_caches(file.text(at))) return true;
    for (const TokenIndex declared :
         cu::places_in(file, {function.head.begin, function.body.end}, kVolatile))
      for (TokenIndex name = declared + 1; name < declared + 6 && name < function.body.end; ++name)
        if (file.text(name) == file.text(at)) return true;
  }
  return false;
}

// The names that a value is computed from: through the variables of the function and, for
// parameters of a device function, through its calls in the file.
class Origin {
 public:
  Origin(const cu::File& file, const cu::Function& function) : file_(file), function_(function) {}

  void add(TokenRange expression) { follow(expression, function_, 0); }

  bool is_of_block() const { return has("blockIdx") || has("gridDim") || has_ticket_; }
  bool is_of_thread() const {
    return has("threadIdx") || std::ranges::any_of(names_, [](std::string_view name) {
             return name.find("lane") != std::string_view::npos;
           });
  }
  bool counts_threads() const { return has("blockDim"); }
  bool is_collective() const {
    return std::ranges::any_of(kCollective, [&](std::string_view name) { return has(name); });
  }
  // In memory that only this block sees.
  bool is_in_block() const { return is_in_block_; }

 private:
  static constexpr int kDeepest = 6;

  bool has(std::string_view name) const { return names_.contains(name); }

  void follow(TokenRange range, const cu::Function& function, int depth) {
    for (TokenIndex at = range.begin; at < range.end; ++at) {
      if (!cu::is_name(file_, at)) continue;
      names_.insert(file_.text(at));
      if (!followed_.emplace(&function, file_.text(at)).second) continue;
      const bool is_place = cu::is_punctuator(file_, at + 1, {"[", ".", "->"}) ||
                            (at > range.begin && cu::is_punctuator(file_, at - 1, {"&", "*"}));
      if (depth < kDeepest) follow_variable(file_.text(at), is_place && depth < 2, function, depth);
    }
  }

  void follow_variable(std::string_view name, bool is_place, const cu::Function& function,
                       int depth) {
    bool is_shared = false;
    for (const TokenIndex use :
         cu::places_in(file_, {function.parameters.begin, function.body.end}, name)) {
      if (function.parameters.contains(use)) follow_calls(use, function, depth);
      if (!function.body.contains(use)) continue;
      const TokenRange around = cu::segment(file_, use);
      for (TokenIndex at = around.begin; at < use; ++at) is_shared |= file_.is(at, kShared);
      if (!cu::is_punctuator(file_, use + 1, {"=", "+=", "-=", "("})) continue;
      const TokenRange value{use + 2, std::max(use + 2, around.end)};
      for (const std::string_view ticket : kTickets)
        has_ticket_ |= is_shared && !is_place && has_name(file_, value, ticket);
      follow(value, function, depth + 1);
    }
    is_in_block_ |= is_shared && is_place;
  }

  void follow_calls(TokenIndex parameter, const cu::Function& function, int depth) {
    if (function.name == cu::kNoToken) return;
    std::size_t index = 0;
    for (TokenIndex at = function.parameters.begin; at < parameter; ++at)
      if (file_.is(at, ",") && file_.enclosing(at) == function.parameters.begin - 1) ++index;
    for (const TokenIndex call : cu::places_of(file_, file_.text(function.name))) {
      const cu::Function* caller = file_.function_at(call);
      if (caller == nullptr || caller == &function || !caller->body.contains(call) ||
          !file_.is(call + 1, "("))
        continue;
      const auto arguments = file_.arguments(call + 1);
      if (index < arguments.size()) follow(arguments[index], *caller, depth + 1);
    }
  }

  const cu::File& file_;
  const cu::Function& function_;
  std::set<std::string_view> names_;
  std::set<std::pair<const cu::Function*, std::string_view>> followed_;
  bool has_ticket_ = false, is_in_block_ = false;
};

}  // namespace

std::optional<WaitingLoop> waiting_loop(const cu::File& file, TokenIndex keyword,
                                        const cu::Function& function) {
  const TokenIndex open = keyword + 1;
  if (open >= file.tokens().size() || !file.is(open, "(") || file.partner(open) == cu::kNoToken)
    return std::nullopt;
  WaitingLoop loop{{open + 1, file.partner(open)}, body_at(file, file.partner(open) + 1)};
  if (file.is(file.partner(open) + 1, "{") && loop.body.empty() &&
      file.partner(file.partner(open) + 1) == cu::kNoToken)
    return std::nullopt;
  const bool ends_do = file.is(keyword, kWhile) && keyword > 0 && file.is(keyword - 1, "}") &&
                       file.partner(keyword - 1) != cu::kNoToken && file.partner(keyword - 1) > 0 &&
                       file.is(file.partner(keyword - 1) - 1, kDo);
  if (ends_do) loop.body = {file.partner(keyword - 1) + 1, keyword - 1};
  if (!only_waits(file, loop.body, loop.condition)) return std::nullopt;
  if (!is_volatile(file, loop.condition, function) && !is_volatile(file, loop.body, function))
    return std::nullopt;
  return loop;
}

bool waits_for_blocks(const cu::File& file, const WaitingLoop& loop, const cu::Function& function) {
  Origin origin(file, function);
  origin.add(loop.condition);
  if (!origin.is_of_block() || origin.is_in_block()) return false;
  return !origin.is_of_thread() || (origin.is_collective() && !origin.counts_threads());
}

}  // namespace hipwright::port
