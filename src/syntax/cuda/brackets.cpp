// SPDX-License-Identifier: MIT
#include "syntax/cuda/brackets.h"

namespace hipwright::syntax::cuda {

namespace {

constexpr std::size_t kMostProblems = 100;

// How far a closing bracket searches for its partner, past unclosed ones.
constexpr int kReach = 256;

char closing_of(char opening) {
  switch (opening) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    default:
      return '>';
  }
}

// '<' and '>' stand for <<< and >>>; 0 if it is not a bracket.
char bracket_kind(const File& file, const Token& token, TokenIndex at) {
  if (token.kind != Kind::kPunct) return 0;
  switch (token.id) {
    case punct("("):
    case punct(")"):
    case punct("["):
    case punct("]"):
    case punct("{"):
    case punct("}"):
      return static_cast<char>(token.id);
    case punct("<<"):
      return token.end - token.begin > 2 && file.is(at, "<<<") ? '<' : '\0';
    case punct(">>"):
      return token.end - token.begin > 2 && file.is(at, ">>>") ? '>' : '\0';
    default:
      return 0;
  }
}

// The open brackets form a chain: each refers to the enclosing one (`enclosing`). Returning to the
// state at an #if means restoring its top.
class Matcher {
 public:
  Matcher(const File& file, std::span<const TokenIndex> hashes, const Directives& directives)
      : file_(file), tokens_(file.tokens()), hashes_(hashes), directives_(directives) {
    out_.partner.assign(file.tokens().size(), kNoToken);
    out_.enclosing.assign(file.tokens().size(), kNoToken);
  }

  Brackets run() {
    const auto end = static_cast<TokenIndex>(tokens_.size());
    TokenIndex at = 0;
    for (const TokenIndex hash : hashes_) {
      for (; at < hash; ++at) step(at);
      at = directive(hash);
    }
    for (; at < end; ++at) step(at);
    for (const auto& [other, chosen] : alike_) {
      if (out_.partner[other] == kNoToken) out_.partner[other] = out_.partner[chosen];
    }
    report_open();
    return std::move(out_);
  }

 private:
  struct Group {
    TokenIndex at_if = kNoToken;   // the top where the #if stands
    TokenIndex behind = kNoToken;  // the top behind the #endif
    bool is_chosen = false;        // `behind` is of a branch that can be compiled
    bool is_never = false;         // in an #if 0
    bool is_guard = false;
    TokenIndex begin = 0;  // of the branch
  };

  void step(TokenIndex at) {
    out_.enclosing[at] = top_;
    const char kind = bracket_kind(file_, tokens_[at], at);
    if (kind == 0) return;
    if (kind == '(' || kind == '[' || kind == '{' || kind == '<') {
      top_ = at;
    } else {
      close(at, kind);
    }
  }

  void close(TokenIndex at, char kind) {
    TokenIndex open = top_;
    for (int steps = 0; open != kNoToken; ++steps) {
      const char opening = bracket_kind(file_, tokens_[open], open);
      if (closing_of(opening) == kind) break;
      // A parenthesis never closes past an open brace.
      if (opening == '{' || steps == kReach) open = kNoToken;
      if (open != kNoToken) open = out_.enclosing[open];
    }
    if (open == kNoToken) return problem(at, "unmatched closing bracket");
    for (TokenIndex lost = top_; lost != open; lost = out_.enclosing[lost])
      problem(lost, "unclosed bracket");
    const bool is_foreign =
        !groups_.empty() && groups_.back().is_never && open < groups_.back().begin;
    if (out_.partner[open] == kNoToken && !is_foreign) out_.partner[open] = at;
    out_.partner[at] = open;
    out_.enclosing[at] = top_ = out_.enclosing[open];
  }

  // Its brackets are separate; then it may change the conditions.
  TokenIndex directive(TokenIndex hash) {
    const TokenIndex end = directive_end(file_, hash);
    const TokenIndex outside = top_;
    top_ = kNoToken;
    in_directive_ = true;
    for (TokenIndex at = hash; at < end; ++at) step(at);
    in_directive_ = false;
    top_ = outside;
    const std::string_view word = hash + 1 < end ? file_.text(hash + 1) : std::string_view();
    if (word.starts_with("if")) {
      groups_.push_back({.at_if = top_, .behind = top_});
      begin_branch(end);
    } else if (word.starts_with("el") && !groups_.empty()) {
      end_branch();
      top_ = groups_.back().at_if;
      begin_branch(end);
    } else if (word == "endif" && !groups_.empty()) {
      end_branch();
      top_ = groups_.back().behind;
      groups_.pop_back();
    }
    return end;
  }

  void begin_branch(TokenIndex begin) {
    while (next_branch_ < directives_.branches.size() &&
           directives_.branches[next_branch_].body.begin < begin)
      ++next_branch_;
    Group& group = groups_.back();
    group.begin = begin;
    group.is_never = group.is_guard = false;
    if (next_branch_ == directives_.branches.size()) return;
    const Branch& branch = directives_.branches[next_branch_];
    if (branch.body.begin != begin) return;
    group.is_never = is_never(file_, branch);
    group.is_guard = branch.is_guard;
  }

  void end_branch() {
    Group& group = groups_.back();
    if (group.is_never) return;
    if (group.is_chosen) return pair_up(top_, group.behind, group.at_if);
    group.is_chosen = true;
    group.behind = top_;
  }

  // Both branches left the same brackets open: what closes one closes the other.
  void pair_up(TokenIndex other, TokenIndex chosen, TokenIndex base) {
    for (int steps = 0; steps < kReach && other != base && chosen != base; ++steps) {
      if (other == kNoToken || chosen == kNoToken || other == chosen) return;
      if (bracket_kind(file_, tokens_[other], other) !=
          bracket_kind(file_, tokens_[chosen], chosen))
        return;
      alike_.push_back({other, chosen});
      other = out_.enclosing[other];
      chosen = out_.enclosing[chosen];
    }
  }

  void report_open() {
    for (TokenIndex at = top_; at != kNoToken; at = out_.enclosing[at])
      problem(at, "unclosed bracket");
  }

  // Macros and branches may be unbalanced by themselves.
  void problem(TokenIndex at, const char* what) {
    if (in_directive_ || out_.problems.size() == kMostProblems) return;
    const std::uint32_t branch = directives_.branch_at(at);
    const bool is_plain = branch == kNoBranch || directives_.branches[branch].is_guard;
    if (!is_plain || (!groups_.empty() && !groups_.back().is_guard)) return;
    out_.problems.push_back({file_.span(at), what});
  }

  struct Alike {
    TokenIndex other, chosen;
  };

  const File& file_;
  std::span<const Token> tokens_;
  std::span<const TokenIndex> hashes_;
  const Directives& directives_;
  Brackets out_;
  TokenIndex top_ = kNoToken;
  bool in_directive_ = false;
  std::size_t next_branch_ = 0;
  std::vector<Group> groups_;
  std::vector<Alike> alike_;
};

}  // namespace

Brackets match_brackets(const File& file, std::span<const TokenIndex> hashes,
                        const Directives& directives) {
  return Matcher(file, hashes, directives).run();
}

}  // namespace hipwright::syntax::cuda
