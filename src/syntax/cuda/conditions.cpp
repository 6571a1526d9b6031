// SPDX-License-Identifier: MIT
#include "syntax/cuda/conditions.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "syntax/cuda/expression.h"

namespace hipwright::syntax::cuda {

namespace {

constexpr std::array kPlatforms = {Platform::kAmd, Platform::kNvidia};

MacroState either(const MacroState& a, const MacroState& b) {
  const Truth defined = a.defined == b.defined ? a.defined : Truth::kMaybe;
  return {defined, {std::min(a.value.low, b.value.low), std::max(a.value.high, b.value.high)}};
}

class Evaluation {
 public:
  Evaluation(const File& file, std::span<const TokenIndex> hashes, const Directives& directives,
             const Elsewhere& elsewhere)
      : file_(file), hashes_(hashes), directives_(directives), elsewhere_(elsewhere) {
    out_.compiled.resize(directives.branches.size());
  }

  Conditions run() {
    if (directives_.branches.empty()) return std::move(out_);
    for (const TokenIndex hash : hashes_) read(hash);
    return std::move(out_);
  }

 private:
  using States = std::array<MacroState, kPlatforms.size()>;

  void read(TokenIndex hash) {
    const TokenIndex end = directive_end(file_, hash);
    if (hash + 1 >= end) return;
    const std::string_view word = file_.text(hash + 1);
    hash_ = hash;
    if (next_ < directives_.branches.size() && directives_.branches[next_].body.begin == end &&
        (word.starts_with("if") || word.starts_with("el"))) {
      branch(next_++);
    } else if (word == "define" || word == "undef") {
      if (hash + 2 < end) change(hash + 2, word == "define", end);
    }
  }

  void branch(std::uint32_t index) {
    const Branch& each = directives_.branches[index];
    for (std::size_t platform = 0; platform < kPlatforms.size(); ++platform) {
      Truth truth = each.is_guard ? Truth::kYes : own(each, kPlatforms[platform]);
      if (index == each.first) taken_.resize(depth(index) + 1);
      Truth& taken = taken_[depth(index)][platform];  // is one of the branches before it compiled?
      if (index == each.first) taken = Truth::kNo;
      const Truth before = taken;
      taken = taken | truth;
      truth = truth & !before;
      if (each.has_error && truth == Truth::kMaybe) truth = Truth::kNo;
      if (each.parent != kNoBranch) truth = truth & out_.compiled[each.parent][platform];
      out_.compiled[index][platform] = truth;
    }
  }

  std::size_t depth(std::uint32_t index) {
    const std::uint32_t parent = directives_.branches[index].parent;
    depths_.resize(directives_.branches.size());
    return depths_[index] = parent == kNoBranch ? 0 : depths_[parent] + 1;
  }

  Truth own(const Branch& branch, Platform platform) {
    if (branch.form == Branch::Form::kElse) return Truth::kYes;
    if (branch.form == Branch::Form::kIf)
      return evaluate(file_.text(), tokens(branch.expression), lookup(platform)).truth();
    if (branch.expression.empty()) return Truth::kMaybe;
    const Truth defined = state(file_.text(branch.expression.begin), platform).defined;
    return branch.form == Branch::Form::kIfdef ? defined : !defined;
  }

  std::span<const Token> tokens(TokenRange range) const {
    return file_.tokens().subspan(range.begin, range.end - range.begin);
  }

  MacroLookup lookup(Platform platform) {
    return [this, platform](std::string_view name) { return state(name, platform); };
  }

  MacroState state(std::string_view name, Platform platform) {
    return states(name)[platform == Platform::kAmd ? 0 : 1];
  }

  // A name tested before its definition in the file may come from elsewhere.
  States states(std::string_view name) {
    if (depends_on_side(name) && !macros_.contains(name)) return initial(name, side());
    return macros_.try_emplace(name, initial(name, Side::kEither)).first->second;
  }

  // Before any definition in the file.
  States initial(std::string_view name, Side side) const {
    States all = {platform_macro(name, Platform::kAmd, side),
                  platform_macro(name, Platform::kNvidia, side)};
    if (elsewhere_.macros == nullptr) return all;
    const MacroKey key = macro_key(name);
    if (is_platform_macro(name)) {
      if (std::ranges::binary_search(elsewhere_.redefined_on_amd, key)) all[0] = {};
      return all;
    }
    if (elsewhere_.macros->undefined_on_amd.contains(key)) all[0] = {Truth::kNo, just(0)};
    if (elsewhere_.macros->undefined_on_nvidia.contains(key)) all[1] = {Truth::kNo, just(0)};
    return all;
  }

  Side side() const {
    const Function* function = file_.function_at(hash_);
    if (function == nullptr || !function->is_device()) return Side::kEither;
    return (function->qualifiers & kHost) != 0 ? Side::kEither : Side::kDevice;
  }

  void change(TokenIndex name, bool is_define, TokenIndex end) {
    const std::string_view text = file_.text(name);
    const std::uint32_t around = directives_.branch_at(name);
    States& current = macros_.try_emplace(text, first_state(text)).first->second;
    States changed;
    for (std::size_t platform = 0; platform < kPlatforms.size(); ++platform) {
      const Truth happens = around == kNoBranch ? Truth::kYes : out_.compiled[around][platform];
      MacroState next{Truth::kNo, just(0)};
      if (is_define) next = {Truth::kYes, value(name, end, kPlatforms[platform])};
      const MacroState& old = current[platform];
      changed[platform] = happens == Truth::kYes  ? next
                          : happens == Truth::kNo ? old
                                                  : either(old, next);
      if (is_define && is_default(around, text, platform)) changed[platform].defined = Truth::kYes;
    }
    macros_[text] = changed;
  }

  // #ifndef X, #define X: behind it, it is defined.
  bool is_default(std::uint32_t around, std::string_view name, std::size_t platform) const {
    if (around == kNoBranch) return false;
    const Branch& branch = directives_.branches[around];
    const bool is_reached =
        branch.parent == kNoBranch || out_.compiled[branch.parent][platform] == Truth::kYes;
    return is_reached && branch.form == Branch::Form::kIfndef && around == branch.first &&
           file_.text(branch.expression.begin) == name;
  }

  // Not tested before: only this file defines it.
  States first_state(std::string_view text) const {
    States all = initial(text, Side::kEither);
    for (MacroState& each : all) {
      if (each.defined == Truth::kMaybe) each = {Truth::kNo, just(0)};
    }
    return all;
  }

  Values value(TokenIndex name, TokenIndex end, Platform platform) {
    const bool is_plain = name + 1 < end && (file_.tokens()[name + 1].flags & kInMacroBody) != 0;
    if (!is_plain || end - name > 64) return {};
    return evaluate(file_.text(), tokens({name + 1, end}), lookup(platform));
  }

  const File& file_;
  std::span<const TokenIndex> hashes_;
  const Directives& directives_;
  const Elsewhere& elsewhere_;
  Conditions out_;
  std::unordered_map<std::string_view, States> macros_;
  std::vector<std::array<Truth, kPlatforms.size()>> taken_;  // per nesting level
  std::vector<std::size_t> depths_;
  std::uint32_t next_ = 0;
  TokenIndex hash_ = 0;
};

std::string test_of(const File& file, const Branch& branch, bool holds) {
  std::string text(file.text(branch.expression));
  if (branch.form == Branch::Form::kIf) return holds ? text : "!(" + text + ")";
  const bool is_positive = (branch.form == Branch::Form::kIfdef) == holds;
  return (is_positive ? "defined(" : "!defined(") + text + ")";
}

}  // namespace

Conditions evaluate_conditions(const File& file, std::span<const TokenIndex> hashes,
                               const Directives& directives, const Elsewhere& elsewhere) {
  return Evaluation(file, hashes, directives, elsewhere).run();
}

std::vector<std::string> describe_branch(const File& file, const Directives& directives,
                                         std::uint32_t branch) {
  const Branch& own = directives.branches[branch];
  std::vector<std::string> all;
  if (own.is_guard) return all;
  for (std::uint32_t before = own.first; before < branch; ++before) {
    const Branch& other = directives.branches[before];
    if (other.first == own.first) all.push_back(test_of(file, other, false));
  }
  if (own.form != Branch::Form::kElse) all.push_back(test_of(file, own, true));
  return all;
}

Truth evaluate_condition(std::string_view expression, Platform platform) {
  const Tokens tokens = lex(expression);
  const auto lookup = [platform](std::string_view name) {
    return platform_macro(name, platform, Side::kEither);
  };
  return evaluate(expression, std::span(tokens.list).first(tokens.list.size() - 1), lookup).truth();
}

}  // namespace hipwright::syntax::cuda
