// SPDX-License-Identifier: MIT
#include "syntax/cuda/file.h"

#include <utility>

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

std::span<const Problem> File::problems() const {
  return state_->tokens.problems;
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
  const std::uint32_t* first = state_->first.data() + name.id();
  return std::span(state_->occurrences).subspan(first[0], first[1] - first[0]);
}

}  // namespace hipwright::syntax::cuda
