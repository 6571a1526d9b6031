// SPDX-License-Identifier: MIT
// Variables that only some lanes set and all pass to a function, or return. clang concludes that an
// argument is always set, and with it that the condition under which it is set holds in every lane;
// nvcc does not. compat.h's shuffles allow such arguments, other functions cannot: the port
// initialises the variable.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "port/wave/half_wave.h"
#include "project/build/build_graph.h"
#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/ways.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;

namespace {

using Places = std::vector<TokenIndex>;
using Uses = std::unordered_map<std::string_view, Places>;  // of the names in a function

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// For numbers `= 0` is what people write.
bool is_number(const cu::File& file, TokenRange type) {
  for (TokenIndex at = type.begin; at < type.end; ++at)
    if (!is_one_of(file.text(at),
                   {"unsigned", "signed", "int", "long", "short", "char", "float", "double",
                    "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "uint"}))
      return false;
  return true;
}

bool has_one_value_per_thread(const cu::File& file, TokenRange type) {
  for (TokenIndex at = type.begin; at < type.end; ++at)
    if (is_one_of(file.text(at), {"static", "extern", "const", "constexpr", "__shared__", "typedef",
                                  "using", "return", "typename", "goto"}) ||
        file.is(at, "&"))
      return false;
  return !type.empty();
}

class FunctionBody {
 public:
  FunctionBody(SourceContext& context, const cu::Function& function)
      : context_(context), file_(context.file), function_(function) {
    for (TokenIndex at = function.body.begin; at < function.body.end; ++at)
      if (cu::is_name(file_, at)) uses_[file_.text(at)].push_back(at);
  }

  void initialise_variables() {
    for (TokenIndex at = function_.body.begin + 1; at + 1 < function_.body.end; ++at) {
      if (!cu::is_name(file_, at) || !cu::is_punctuator(file_, at + 1, {";", ","}) ||
          is_in_directive(at) || context_.is_settled(at))
        continue;
      const auto variable = cu::declared_at(file_, at);
      if (variable && variable->value.empty() && !variable->is_reference && !variable->is_array &&
          has_one_value_per_thread(file_, variable->type) && is_passed_unset(at))
        initialise(*variable);
    }
  }

 private:
  enum class Use { kOther, kWrite, kPass };

  bool is_in_directive(TokenIndex at) const {
    return (file_.tokens()[at].flags & cu::kInDirective) != 0;
  }

  bool is_passed_unset(TokenIndex variable) const {
    const TokenIndex scope = file_.enclosing(variable);
    if (scope == cu::kNoToken || !file_.is(scope, "{") || file_.partner(scope) == cu::kNoToken)
      return false;
    const Places& all = uses_.at(file_.text(variable));
    Writes writes;
    for (auto at = std::ranges::upper_bound(all, variable);
         at != all.end() && *at < file_.partner(scope); ++at) {
      if (is_in_directive(*at) || !file_.effort().spend(64)) return false;
      if (cu::is_punctuator(file_, *at - 1, {".", "->", "::"})) continue;
      if (cu::declared_at(file_, *at)) return false;  // another of this name hides it
      if (!writes.finish(*at)) return false;
      const Use use = use_at(*at);
      if (use == Use::kOther) continue;
      const cu::Place place = cu::place_of(file_, *at, scope);
      if (place.is_unclear && !place.is_in_switch) return false;
      if (use == Use::kWrite)
        writes.begin(place, cu::segment(file_, *at).end);
      else if (writes.may_be_missing_at(place))
        return true;
    }
    return false;
  }

  // The writes to a variable so far. `x = f(x)` reads it before it writes it.
  class Writes {
   public:
    void begin(const cu::Place& place, TokenIndex statement_end) {
      begun_ = place;
      statement_end_ = statement_end;
    }
    // False once every way has one.
    bool finish(TokenIndex now) {
      if (!begun_ || now < statement_end_) return true;
      if (begun_->is_unclear)
        is_in_switch_ = true;
      else
        done_.push_back(*begun_);
      begun_.reset();
      return !cu::are_on_every_way(done_);
    }
    bool may_be_missing_at(const cu::Place& place) const {
      if (done_.empty() && !is_in_switch_) return false;  // of another form than is read here
      return std::ranges::none_of(done_, [&](const cu::Place& write) {
        return cu::is_prefix(write.conditions, place.conditions);
      });
    }

   private:
    std::vector<cu::Place> done_;
    bool is_in_switch_ = false;
    std::optional<cu::Place> begun_;
    TokenIndex statement_end_ = 0;
  };

  Use use_at(TokenIndex name) const {
    TokenIndex behind = name + 1;
    while (file_.is(behind, ".") && cu::is_name(file_, behind + 1)) behind += 2;  // a part of it
    if (cu::is_punctuator(file_, behind, {"="})) return Use::kWrite;
    if (file_.is(name - 1, "&") && !is_operand_before(name - 1)) return Use::kWrite;
    if (file_.text(name - 1) == "return" && file_.is(behind, ";"))
      return is_in_lambda(name) ? Use::kOther : Use::kPass;
    const TokenIndex open = file_.enclosing(name);
    const bool is_argument = open != cu::kNoToken && open > 0 && file_.is(open, "(") &&
                             cu::is_punctuator(file_, name - 1, {"(", ","}) &&
                             cu::is_punctuator(file_, behind, {",", ")"});
    return is_argument ? use_as_argument(open, name) : Use::kOther;
  }

  // a & b, and not &b.
  bool is_operand_before(TokenIndex at) const {
    return at > 0 && (cu::is_name(file_, at - 1) || cu::is_punctuator(file_, at - 1, {")", "]"}) ||
                      file_.tokens()[at - 1].kind == cu::Kind::kNumber);
  }

  // [&] { return x; }
  bool is_in_lambda(TokenIndex at) const {
    for (TokenIndex open = file_.enclosing(at); open != cu::kNoToken && open > function_.body.begin;
         open = file_.enclosing(open)) {
      const TokenIndex head =
          file_.is(open - 1, ")") ? file_.partner(open - 1) : static_cast<TokenIndex>(open);
      if (file_.is(open, "{") && head != cu::kNoToken && head > 0 && file_.is(head - 1, "]"))
        return true;
    }
    return false;
  }

  Use use_as_argument(TokenIndex open, TokenIndex argument) const {
    TokenIndex callee = open - 1;
    if (file_.is(callee, ">")) {  // f<T>(x)
      int depth = 0;
      do {
        depth += file_.is(callee, ">") ? 1 : file_.is(callee, ">>") ? 2 : 0;
        depth -= file_.is(callee, "<") ? 1 : 0;
        --callee;
      } while (depth > 0 && callee > function_.body.begin);
    }
    if (!cu::is_name(file_, callee)) {
      // asm("…" : "=r"(x)): the string precedes.
      const bool is_output = file_.tokens()[callee].kind == cu::Kind::kString;
      return is_output ? Use::kWrite : Use::kOther;
    }
    const std::string_view name = file_.text(callee);
    if (is_one_of(name, {"if", "while", "for", "switch", "return", "sizeof", "decltype", "alignof",
                         "noexcept", "assert", "static_assert"}) ||
        name.ends_with("_cast"))
      return Use::kOther;
    if (allows_unset(callee)) return Use::kOther;
    if (takes_reference(name, open, argument)) return Use::kWrite;
    return Use::kPass;
  }

  // compat.h's functions do: those in the place of a shuffle, and the overloads for 32-bit masks.
  bool allows_unset(TokenIndex callee) const {
    return context_.changes().touches(file_.span(callee)) ||
           (cu::lane_op_at(file_, callee) != nullptr && keeps_warps_of_32(context_));
  }

  // Of all functions of this name that are compiled together with this one, one takes it by
  // reference and may set it.
  bool takes_reference(std::string_view name, TokenIndex open, TokenIndex argument) const {
    const std::vector<TokenRange> arguments = file_.arguments(open);
    const auto index = static_cast<std::size_t>(
        std::ranges::find_if(arguments,
                             [&](const TokenRange& each) { return each.contains(argument); }) -
        arguments.begin());
    for (const cu::File* file : together())
      for (const cu::Function& each : file->functions()) {
        if (file->text(each.name) != name || each.parameters.begin == 0) continue;
        const std::vector<TokenRange> parameters = file->arguments(each.parameters.begin - 1);
        if (index >= parameters.size()) continue;
        for (TokenIndex at = parameters[index].begin; at < parameters[index].end; ++at)
          if (cu::is_punctuator(*file, at, {"&", "&&"})) return true;
      }
    return false;
  }

  const std::vector<const cu::File*>& together() const {
    if (!together_.empty()) return together_;
    const std::vector<bool> read = context_.own.graph().read_together(context_.source);
    for (std::size_t i = 0; i < context_.tree.files.size(); ++i)
      if (read[i] && context_.tree.files[i]->cuda() != nullptr)
        together_.push_back(context_.tree.files[i]->cuda());
    return together_;
  }

  void initialise(const cu::Variable& variable) {
    const std::size_t end = file_.span(variable.name).end;
    context_.change({end, end}, is_number(file_, variable.type) ? " = 0" : "{}", "HP308",
                    "clang takes an argument and a result for set in every lane");
  }

  SourceContext& context_;
  const cu::File& file_;
  const cu::Function& function_;
  Uses uses_;
  mutable std::vector<const cu::File*> together_;
};

void apply(SourceContext& context) {
  for (const cu::Function& function : context.file.functions())
    if (function.is_device() && !function.body.empty())
      FunctionBody(context, function).initialise_variables();
}

}  // namespace

Pass unset_variable() {
  return {.codes = {"HP308"},
          .after = {"half_waves", "whole_waves", "group_members", "ptx"},
          .cuda = apply};
}

}  // namespace hipwright::port::passes
