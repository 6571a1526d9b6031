// SPDX-License-Identifier: MIT
#include "syntax/python/file.h"

#include <algorithm>

#include "base/error.h"
#include "syntax/python/state.h"

namespace hipwright::syntax::python {

namespace {

// Positions by name, so that one name's are together.
void index_hits(File::State& state) {
  const std::vector<Hit>& hits = state.tokens.hits;
  if (hits.empty()) return;
  std::vector<std::uint32_t>& first = state.first_hit;
  first.assign(name_count() + 1, 0);
  for (const Hit& hit : hits) ++first[hit.name + 1U];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  state.hits.resize(hits.size());
  for (const Hit& hit : hits) state.hits[first[hit.name]++] = hit.token;
  // Each entry now says where its name ends, which is where the next one begins.
  for (std::size_t i = first.size() - 1; i > 0; --i) first[i] = first[i - 1];
  first[0] = 0;
}

bool is_op(const Token& token, std::uint16_t id) {
  return token.kind == Kind::kOp && token.id == id;
}

bool closes(const Token& token) {
  return is_op(token, op(")")) || is_op(token, op("]")) || is_op(token, op("}"));
}

const Bracket* bracket_at(const std::vector<Bracket>& all, TokenIndex token) {
  const auto found = std::ranges::lower_bound(all, token, {}, &Bracket::token);
  return found == all.end() || found->token != token ? nullptr : &*found;
}

}  // namespace

File::File(std::string_view text) : state_(std::make_unique<State>()) {
  state_->text = text;
  state_->tokens = lex(text);
  index_hits(*state_);
}

File::~File() = default;

File::File(File&& other) noexcept : state_(std::move(other.state_)) {
  // It refers to the file that it was created for, which has moved.
  if (state_) state_->condition_reader.reset();
}

std::string_view File::text() const {
  return state_->text;
}

std::span<const Token> File::tokens() const {
  return state_->tokens.list;
}

std::span<const Comment> File::comments() const {
  return state_->tokens.comments;
}

Effort& File::effort() const {
  return state_->effort;
}

std::span<const Problem> File::problems() const {
  statements();
  return state_->tokens.problems;
}

std::string_view File::text(TokenIndex token) const {
  const Token& at = state_->tokens.list[token];
  return state_->text.substr(at.begin, at.end - at.begin);
}

std::string_view File::text(TokenRange range) const {
  const Span at = span(range);
  return state_->text.substr(at.begin, at.size());
}

Span File::span(TokenIndex token) const {
  return {state_->tokens.list[token].begin, state_->tokens.list[token].end};
}

Span File::span(TokenRange range) const {
  if (range.empty()) return {span(range.begin).begin, span(range.begin).begin};
  return {span(range.begin).begin, span(range.end - 1).end};
}

bool File::is(TokenIndex token, const Name& name) const {
  if (token >= tokens().size()) return false;
  const Token& at = state_->tokens.list[token];
  return at.kind == Kind::kName && at.id == name.id();
}

bool File::is(TokenIndex token, std::string_view expected) const {
  return token < tokens().size() && text(token) == expected;
}

std::span<const TokenIndex> File::occurrences(const Name& name) const {
  if (state_->first_hit.empty()) return {};
  HW_ASSERT(name.id() + 1U < state_->first_hit.size());  // made before the file: names are global
  const std::uint32_t from = state_->first_hit[name.id()];
  const std::uint32_t to = state_->first_hit[name.id() + 1U];
  return std::span(state_->hits).subspan(from, to - from);
}

TokenIndex File::partner(TokenIndex bracket) const {
  const Bracket* found = bracket_at(state_->tokens.brackets, bracket);
  return found == nullptr ? kNoToken : found->partner;
}

TokenIndex File::enclosing(TokenIndex token) const {
  const std::vector<Bracket>& all = state_->tokens.brackets;
  const auto after = std::ranges::lower_bound(all, token, {}, &Bracket::token);
  TokenIndex around = kNoToken;
  if (after != all.end() && after->token == token) {
    around = after->around;
  } else if (after != all.begin()) {
    const Bracket& before = *std::prev(after);
    const bool opens = before.partner != kNoToken && before.partner > before.token;
    around = opens ? before.token : before.around;
  }
  // What an unclosed bracket holds is held by the pair around it.
  const Bracket* found = around == kNoToken ? nullptr : bracket_at(all, around);
  return found == nullptr || found->partner != kNoToken ? around : found->around;
}

TokenIndex File::skip(TokenIndex token) const {
  const Token& at = state_->tokens.list[token];
  if (is_op(at, op("(")) || is_op(at, op("[")) || is_op(at, op("{"))) {
    const TokenIndex close = partner(token);
    if (close != kNoToken) return close + 1;
  }
  return token + 1;
}

std::vector<TokenRange> File::arguments(TokenIndex open) const {
  std::vector<TokenRange> found;
  const TokenIndex close = partner(open);
  TokenIndex from = open + 1;
  for (TokenIndex at = from;; at = skip(at)) {
    const Token& token = state_->tokens.list[at];
    const bool ends = at == close || token.kind == Kind::kNewline || token.kind == Kind::kEnd ||
                      (closes(token) && partner(at) < open);
    if (!ends && !is_op(token, op(","))) continue;
    if (at > from || !ends) found.push_back({from, at});
    if (ends) return found;
    from = at + 1;
  }
}

std::optional<TokenRange> File::keyword_argument(TokenIndex open, std::string_view name) const {
  for (const TokenRange& argument : arguments(open))
    if (argument.size() >= 2 && is_op(state_->tokens.list[argument.begin + 1], op("=")) &&
        is(argument.begin, name))
      return TokenRange{argument.begin + 2, argument.end};
  return std::nullopt;
}

std::vector<TokenRange> File::positional_arguments(TokenIndex open) const {
  std::vector<TokenRange> found = arguments(open);
  std::erase_if(found, [&](const TokenRange& argument) {
    return argument.size() >= 2 && is_op(state_->tokens.list[argument.begin + 1], op("="));
  });
  return found;
}

TokenRange File::dotted(TokenIndex token) const {
  const std::vector<Token>& list = state_->tokens.list;
  const auto is_plain_name = [&](TokenIndex at) {
    return list[at].kind == Kind::kName && !is_keyword(text(at));
  };
  TokenRange range{token, token + 1};
  while (range.begin >= 1 && is_op(list[range.begin - 1], op("."))) {
    --range.begin;
    if (range.begin == 0 || !is_plain_name(range.begin - 1)) break;
    --range.begin;
  }
  // A '.' of a relative import belongs to nothing on its left either: `from .a import b`.
  while (is_op(list[range.end], op(".")) && list[range.end + 1].kind == Kind::kName) range.end += 2;
  return range;
}

std::string File::compact(TokenRange range) const {
  std::string joined;
  bool was_word = false;
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    const bool is_word = state_->tokens.list[at].kind != Kind::kOp;
    if (is_word && was_word) joined += ' ';
    joined += text(at);
    was_word = is_word;
  }
  return joined;
}

}  // namespace hipwright::syntax::python
