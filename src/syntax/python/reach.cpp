// SPDX-License-Identifier: MIT
#include "syntax/python/reach.h"

#include <algorithm>

#include "syntax/python/platform_facts.h"
#include "syntax/python/state.h"

namespace hipwright::syntax::python {

namespace {

using namespace std::string_view_literals;

class Walk {
 public:
  Walk(const File& file, ConditionReader& conditions)
      : file_(file), all_(file.statements()), conditions_(conditions), reach_(all_.size()) {}

  std::vector<Reach> run() {
    const auto count = static_cast<StatementIndex>(all_.size());
    blocks_.push_back({.end = count + 1, .entered = Reach::kOpen, .now = Reach::kOpen});
    find_marks();
    for (StatementIndex at = 0; at < count; ++at) {
      while (blocks_.back().end <= at) leave();
      visit(at);
    }
    while (blocks_.size() > 1) leave();
    kill_what_only_dead_code_uses();
    return std::move(reach_);
  }

 private:
  // A block being read, and its current chain of if/elif/else or try/except.
  struct Block {
    StatementIndex owner = kNoStatement;
    StatementIndex end = 0;
    Reach entered = Reach::kNever;
    Reach now = Reach::kNever;
    bool ends_early = false;  // return, raise… on every path
    bool has_chain = false;
    StatementKind chain = StatementKind::kIf;
    Reach before = Reach::kNever;  // the chain
    Reach rest = Reach::kNever;    // where no branch so far was taken
    Reach after = Reach::kNever;   // the best of the branches that continue
    bool leaves = false;           // some branch does not continue
    bool all_leave = true;
    bool is_complete = false;  // one branch is always taken
  };

  TokenRange condition_of(const Statement& made) const {
    return {made.tokens.begin + 1, made.tokens.end};
  }

  Value value_of(StatementIndex at) {
    const Statement& made = all_[at];
    const TokenRange range = condition_of(made);
    const bool is_constant =
        range.size() == 1 && (file_.is(range.begin, "True") || file_.is(range.begin, "1"));
    return is_constant || conditions_.concerns(at) ? conditions_.read(range) : Value{};
  }

  void start_chain(Block& block, StatementKind kind, Reach rest) {
    block.has_chain = true;
    block.chain = kind;
    block.before = block.now;
    block.rest = rest;
    block.after = Reach::kNever;
    block.leaves = false;
    block.all_leave = true;
    block.is_complete = kind == StatementKind::kTry;
  }

  void end_chain(Block& block) {
    if (!block.has_chain) return;
    block.has_chain = false;
    if (block.chain == StatementKind::kFor) return;
    if (!block.is_complete) {
      block.after = std::max(block.after, block.rest);
      block.all_leave = false;
    }
    block.now = block.leaves ? block.after : block.before;
    block.ends_early |= block.all_leave;
  }

  void enter(StatementIndex at, Reach reach) {
    blocks_.push_back({.owner = at, .end = all_[at].block_end, .entered = reach, .now = reach});
  }

  void leave() {
    Block done = blocks_.back();
    end_chain(done);
    blocks_.pop_back();
    Block& block = blocks_.back();
    switch (all_[done.owner].kind) {
      case StatementKind::kFinally:
        if (done.ends_early) block.now = block.before = block.after = Reach::kNever;
        return;
      case StatementKind::kElse:
        if (!block.has_chain || block.chain == StatementKind::kFor) return;
        break;
      case StatementKind::kIf:
      case StatementKind::kElif:
      case StatementKind::kTry:
      case StatementKind::kExcept:
        if (!block.has_chain) return;
        break;
      default:
        return;
    }
    const bool is_dead = done.ends_early || done.now == Reach::kNever;
    block.leaves |= done.ends_early || (is_dead && done.entered != Reach::kNever);
    block.all_leave &= done.ends_early;
    if (!is_dead) block.after = std::max(block.after, done.now);
  }

  void visit(StatementIndex at) {
    const Statement& made = all_[at];
    {
      Block& block = blocks_.back();
      const bool goes_on = made.kind == StatementKind::kElif || made.kind == StatementKind::kElse ||
                           made.kind == StatementKind::kExcept ||
                           made.kind == StatementKind::kFinally;
      if (!goes_on) end_chain(block);
      reach_[at] = block.now;
    }
    Block& block = blocks_.back();
    switch (made.kind) {
      case StatementKind::kIf:
        start_chain(block, StatementKind::kIf, block.now);
        branch(at);
        break;
      case StatementKind::kElif:
        if (!block.has_chain) start_chain(block, StatementKind::kIf, block.now);
        reach_[at] = block.rest;
        branch(at);
        break;
      case StatementKind::kElse:
        else_branch(at);
        break;
      case StatementKind::kFor:
        start_chain(block, StatementKind::kFor, block.now);
        enter(at, block.now);
        break;
      case StatementKind::kWhile:
        start_chain(block, StatementKind::kFor, block.now);
        enter(at, refine(block.now, value_of(at), true));
        break;
      case StatementKind::kTry:
        start_chain(block, StatementKind::kTry, Reach::kNever);
        enter(at, block.now);
        break;
      case StatementKind::kExcept:
        reach_[at] = refine(block.now, {}, true);
        enter(at, reach_[at]);
        break;
      case StatementKind::kCase:
        enter(at, refine(block.now, {}, true));
        break;
      case StatementKind::kDef:
      case StatementKind::kClass:
        enter(at, definition(at, block.now));
        break;
      case StatementKind::kFinally:
      case StatementKind::kWith:
      case StatementKind::kMatch:
        enter(at, block.now);
        break;
      case StatementKind::kAssert:
        block.now = refine(block.now, asserted(at), true);
        break;
      default:
        if (!leaves_block(made)) break;
        block.now = Reach::kNever;
        block.ends_early = true;
        break;
    }
  }

  void branch(StatementIndex at) {
    Block& block = blocks_.back();
    const Value value = value_of(at);
    const Reach inside = refine(block.rest, value, true);
    block.rest = refine(block.rest, value, false);
    enter(at, inside);
  }

  void else_branch(StatementIndex at) {
    Block& block = blocks_.back();
    if (block.has_chain && block.chain == StatementKind::kIf) {
      reach_[at] = block.rest;
      block.is_complete = true;
      const Reach inside = block.rest;
      block.rest = Reach::kNever;
      enter(at, inside);
      return;
    }
    enter(at, block.now);
  }

  Value asserted(StatementIndex at) {
    if (!conditions_.concerns(at)) {
      // An assertion about anything else does not affect reachability.
      return {.truth = Truth::kYes};
    }
    TokenRange range = condition_of(all_[at]);
    for (TokenIndex token = range.begin; token < range.end; token = file_.skip(token))
      if (file_.is(token, ",")) range.end = token;
    return conditions_.read(range);
  }

  bool leaves_block(const Statement& made) const {
    switch (made.kind) {
      case StatementKind::kReturn:
      case StatementKind::kRaise:
      case StatementKind::kBreak:
      case StatementKind::kContinue:
        return true;
      case StatementKind::kSimple:
        return leaves_by_call(made.tokens);
      default:
        return false;
    }
  }

  bool leaves_by_call(TokenRange range) const {
    if (range.size() < 3 || file_.tokens()[range.end - 1].id != op(")")) return false;
    const std::string_view first = file_.text(range.begin);
    if (first != "sys"sv && first != "exit"sv && first != "quit"sv && first != "os"sv &&
        first != "pytest"sv && first != "self"sv)
      return false;
    const TokenRange dotted = file_.dotted(range.begin);
    if (!file_.is(dotted.end, "(") || file_.partner(dotted.end) != range.end - 1) return false;
    const std::string name = file_.compact(dotted);
    static constexpr std::string_view kCalls[] = {"sys.exit",    "exit",         "quit",
                                                  "os._exit",    "pytest.skip",  "pytest.fail",
                                                  "pytest.exit", "self.skipTest"};
    return std::ranges::find(kCalls, name) != std::end(kCalls);
  }

  // --- functions and classes ---

  Reach definition(StatementIndex at, Reach now) {
    const bool is_function = all_[at].kind == StatementKind::kDef;
    Reach inside = is_function && now == Reach::kOpen ? Reach::kUnknown : now;
    for (const StatementIndex decorator : file_.decorators(at)) {
      const TokenRange range = all_[decorator].tokens;
      inside = marked(inside, {range.begin + 1, range.end}, 0);
    }
    const TokenIndex name = file_.name_of(at);
    const bool is_test =
        name != kNoToken && all_[at].parent == kNoStatement &&
        (file_.text(name).starts_with("test") || file_.text(name).starts_with("Test"));
    if (is_test)
      for (const TokenRange& mark : test_marks_) inside = marked(inside, mark, 0);
    return inside;
  }

  // Under `pytest.mark.skipif(…)` and similar marks, also under another name.
  Reach marked(Reach from, TokenRange mark, int depth) {
    if (mark.empty() || file_.tokens()[mark.begin].kind != Kind::kName) return from;
    const TokenRange dotted = file_.dotted(mark.begin);
    const std::string name = file_.compact(dotted);
    const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
    if (skips_on_rocm(last) || name == "pytest.mark.skip" || name == "unittest.skip")
      return Reach::kNever;
    const bool is_if = last == "skipif" || last == "skipIf";
    if ((is_if || last == "skipUnless") && dotted.end < mark.end && file_.is(dotted.end, "(")) {
      const auto named = file_.keyword_argument(dotted.end, "condition");
      const std::vector<TokenRange> given = file_.positional_arguments(dotted.end);
      if (!named && given.empty()) return from;
      const TokenRange condition = named ? *named : given[0];
      if (file_.tokens()[condition.begin].kind == Kind::kString) return refine(from, {}, true);
      return refine(from, conditions_.read(condition), !is_if);
    }
    if (dotted.size() != 1 || dotted.end != mark.end || depth > 3) return from;
    const std::vector<Binding> made =
        bindings(file_, {file_.text(mark.begin), kNoStatement, false});
    if (made.size() != 1 || made[0].kind != BindingKind::kAssign) return from;
    return marked(from, made[0].value, depth + 1);
  }

  // `pytestmark = …` applies to all tests of the file.
  void find_marks() {
    static const Name& kMark = test_mark_name();
    for (const TokenIndex at : file_.occurrences(kMark)) {
      const StatementIndex statement = file_.statement_at(at);
      if (statement == kNoStatement) continue;
      const Statement& made = all_[statement];
      if (made.parent != kNoStatement || made.tokens.begin != at || !file_.is(at + 1, "="))
        continue;
      if (file_.is(at + 2, "[") || file_.is(at + 2, "(")) {
        for (const TokenRange& mark : file_.arguments(at + 2)) test_marks_.push_back(mark);
      } else {
        test_marks_.push_back({at + 2, made.tokens.end});
      }
    }
  }

  // A private function that only dead code names is dead too.
  void kill_what_only_dead_code_uses() {
    if (std::ranges::find(reach_, Reach::kNever) == reach_.end()) return;
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
      bool changed = false;
      for (StatementIndex at = 0; at < all_.size(); ++at)
        if (is_private(at) && reach_[at] != Reach::kNever && is_used_by_dead_code_only(at)) {
          std::fill(reach_.begin() + at, reach_.begin() + all_[at].block_end, Reach::kNever);
          changed = true;
        }
      if (!changed) return;
    }
  }

  bool is_private(StatementIndex at) const {
    if (all_[at].kind != StatementKind::kDef && all_[at].kind != StatementKind::kClass)
      return false;
    const TokenIndex name = file_.name_of(at);
    return all_[at].parent == kNoStatement && name != kNoToken &&
           file_.text(name).starts_with("_") && !file_.text(name).starts_with("__") &&
           file_.decorators(at).empty();
  }

  bool is_used_by_dead_code_only(StatementIndex definition) const {
    const NameIndex& names = file_.state().names();
    const TokenIndex own = file_.name_of(definition);
    bool is_used = false;
    for (TokenIndex at = names.first(file_.text(own)); at != kNoToken; at = names.next(at)) {
      const StatementIndex statement = file_.statement_at(at);
      if (statement >= definition && statement < all_[definition].block_end) continue;
      if (reach_[statement] != Reach::kNever) return false;
      is_used = true;
    }
    return is_used;
  }

  const File& file_;
  std::span<const Statement> all_;
  ConditionReader& conditions_;
  std::vector<Reach> reach_;
  std::vector<Block> blocks_;
  std::vector<TokenRange> test_marks_;
};

}  // namespace

Reach refine(Reach from, const Value& condition, bool is_true) {
  const Truth truth = is_true ? condition.truth : !condition.truth;
  if (from == Reach::kNever || truth == Truth::kNo) return Reach::kNever;
  if (is_true ? condition.meant_if_true : condition.meant_if_false) return Reach::kMeant;
  return truth == Truth::kMaybe && from == Reach::kOpen ? Reach::kUnknown : from;
}

std::vector<Reach> reach_of_statements(const File& file, ConditionReader& conditions) {
  return Walk(file, conditions).run();
}

namespace {

Truth truth_of(Reach reach) {
  return reach == Reach::kNever     ? Truth::kNo
         : reach == Reach::kUnknown ? Truth::kMaybe
                                    : Truth::kYes;
}

}  // namespace

Truth File::runs_on_rocm(StatementIndex statement) const {
  return truth_of(state_->reach(*this)[statement]);
}

Truth File::token_runs_on_rocm(TokenIndex token) const {
  const StatementIndex statement = statement_at(token);
  if (statement == kNoStatement) return Truth::kYes;
  const Reach around = state_->reach(*this)[statement];
  return truth_of(reach_of_token(*this, state_->conditions(*this), token, around));
}

}  // namespace hipwright::syntax::python
