// SPDX-License-Identifier: MIT
#include "syntax/cuda/file.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "syntax/cuda/state.h"

namespace hipwright::syntax::cuda {

// A counting sort: the names keep the order of the text.
void File::State::index_names() {
  first.assign(name_count() + 1, 0);
  for (const TokenIndex at : tokens.named) ++first[tokens.list[at].id];
  std::uint32_t total = 0;
  for (std::uint32_t& count : first) total += std::exchange(count, total);
  occurrences.resize(tokens.named.size());
  std::vector<std::uint32_t> next = first;
  for (const TokenIndex at : tokens.named) occurrences[next[tokens.list[at].id]++] = at;
}

File::File(std::string_view text) : state_(std::make_unique<State>()) {
  state_->text = text;
  state_->tokens = lex(text);
  state_->index_names();
}

File::~File() = default;
File::File(File&&) noexcept = default;

std::string_view File::text() const {
  return state_->text;
}

std::span<const Token> File::tokens() const {
  return state_->tokens.list;
}

std::span<const Comment> File::comments() const {
  return state_->tokens.comments;
}

// Code that is never compiled may be prose.
Effort& File::effort() const {
  return state_->effort;
}

std::span<const Problem> File::problems() const {
  if (state_->problems) return *state_->problems;
  const Directives& directives = state_->get_directives(*this);
  std::vector<Problem> all = directives.problems;
  const std::vector<Problem>& others = state_->get_brackets(*this).problems;
  all.insert(all.end(), others.begin(), others.end());
  std::vector<Span> dead;
  for (const Branch& branch : directives.branches) {
    const Span body = span(branch.body);
    const bool is_inside = !dead.empty() && dead.back().contains(body.begin);
    if (is_never(*this, branch) && !is_inside) dead.push_back(body);
  }
  auto next = dead.begin();
  for (const Problem& problem : state_->tokens.problems) {
    while (next != dead.end() && next->end <= problem.span.begin) ++next;
    if (next == dead.end() || !next->contains(problem.span.begin)) all.push_back(problem);
  }
  std::ranges::sort(all, {}, [](const Problem& problem) { return problem.span.begin; });
  return state_->problems.emplace(std::move(all));
}

std::string_view File::text(TokenIndex token) const {
  return text({token, token + 1});
}

std::string_view File::text(TokenRange range) const {
  const Span bytes = span(range);
  return state_->text.substr(bytes.begin, bytes.size());
}

std::string File::spelling(TokenIndex token) const {
  const std::string_view written = text(token);
  if (token >= tokens().size() || (tokens()[token].flags & kSpliced) == 0)
    return std::string(written);
  std::string joined;
  for (std::size_t at = 0; at < written.size(); ++at) {
    if (written[at] == '\\') {
      const std::size_t after = written.find_first_not_of(" \t\r\v\f", at + 1);
      if (after != std::string_view::npos && written[after] == '\n') {
        at = after;
        continue;
      }
    }
    joined.push_back(written[at]);
  }
  return joined;
}

Span File::span(TokenIndex token) const {
  return span({token, token + 1});
}

Span File::span(TokenRange range) const {
  const std::span<const Token> list = tokens();
  if (range.begin >= list.size() || range.end > list.size()) return {text().size(), text().size()};
  if (range.empty()) return {list[range.begin].begin, list[range.begin].begin};
  return {list[range.begin].begin, list[range.end - 1].end};
}

bool File::is(TokenIndex token, const Name& name) const {
  if (token >= tokens().size()) return false;
  const Token& at = tokens()[token];
  return at.kind == Kind::kName && at.id == name.id();
}

bool File::is(TokenIndex token, const char* punctuator) const {
  if (token >= tokens().size()) return false;
  const Token& at = tokens()[token];
  if (at.kind != Kind::kPunct || at.id != punct(punctuator)) return false;
  const std::string_view written = text(token);
  if (written == punctuator) return true;
  if (written[0] != punctuator[0]) return true;  // a digraph: only these have another's id
  return (at.flags & kSpliced) != 0 && spelling(token) == punctuator;
}

std::span<const TokenIndex> File::occurrences(const Name& name) const {
  HW_ASSERT(name.id() + 1U < state_->first.size());  // made before the file: names are global
  const std::uint32_t* first = state_->first.data() + name.id();
  return std::span(state_->occurrences).subspan(first[0], first[1] - first[0]);
}

std::span<const TokenIndex> File::named() const {
  return state_->tokens.named;
}

MacroKey macro_key(std::string_view name) {
  return std::hash<std::string_view>()(name);
}

void File::know(const MacroKnowledge& knowledge, std::span<const MacroKey> redefined_on_amd) const {
  state_->knowledge = &knowledge;
  state_->redefined_on_amd = redefined_on_amd;
  state_->conditions.reset();
}

const Directives& File::State::get_directives(const File& file) {
  if (!directives) directives = read_directives(file, tokens.directives);
  return *directives;
}

const Brackets& File::State::get_brackets(const File& file) {
  if (!brackets) brackets = match_brackets(file, tokens.directives, get_directives(file));
  return *brackets;
}

const Conditions& File::State::get_conditions(const File& file) {
  if (!conditions)
    conditions = evaluate_conditions(file, tokens.directives, get_directives(file),
                                     {knowledge, redefined_on_amd});
  return *conditions;
}

TokenIndex File::partner(TokenIndex bracket) const {
  return bracket < tokens().size() ? state_->get_brackets(*this).partner[bracket] : kNoToken;
}

TokenIndex File::enclosing(TokenIndex token) const {
  return token < tokens().size() ? state_->get_brackets(*this).enclosing[token] : kNoToken;
}

std::span<const Include> File::includes() const {
  return state_->get_directives(*this).includes;
}

std::span<const Macro> File::macros() const {
  return state_->get_directives(*this).macros;
}

const Macro* File::macro_named(std::string_view name) const {
  if (!state_->macros_by_name) {
    state_->macros_by_name.emplace();
    for (const Macro& macro : macros()) (*state_->macros_by_name)[text(macro.name)] = &macro;
  }
  const auto found = state_->macros_by_name->find(name);
  return found == state_->macros_by_name->end() ? nullptr : found->second;
}

Truth File::compiled(TokenIndex token, Platform platform) const {
  const std::uint32_t branch = state_->get_directives(*this).branch_at(token);
  if (branch == kNoBranch) return Truth::kYes;
  return state_->get_conditions(*this).compiled[branch][platform == Platform::kAmd ? 0 : 1];
}

std::vector<std::string> File::conditions(TokenIndex token) const {
  const Directives& directives = state_->get_directives(*this);
  std::vector<std::uint32_t> around;
  for (std::uint32_t at = directives.branch_at(token); at != kNoBranch;
       at = directives.branches[at].parent)
    around.push_back(at);
  std::vector<std::string> all;
  for (auto branch = around.rbegin(); branch != around.rend(); ++branch) {
    for (std::string& each : describe_branch(*this, directives, *branch))
      all.push_back(std::move(each));
  }
  return all;
}

}  // namespace hipwright::syntax::cuda
