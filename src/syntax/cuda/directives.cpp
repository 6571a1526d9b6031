// SPDX-License-Identifier: MIT
#include "syntax/cuda/directives.h"

#include <algorithm>

namespace hipwright::syntax::cuda {

namespace {

class Reader {
 public:
  Reader(const File& file, std::span<const TokenIndex> hashes) : file_(file), hashes_(hashes) {}

  Directives run() {
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      const TokenRange line{hashes_[i] + 1, directive_end(file_, hashes_[i])};
      if (!line.empty()) read(i, line);
    }
    const auto end = static_cast<TokenIndex>(file_.tokens().size() - 1);
    while (current_ != kNoBranch) {
      problem(hash_of_group(), "unterminated conditional directive");
      close(end);
    }
    return std::move(out_);
  }

 private:
  void read(std::size_t index, TokenRange line);
  void open(std::size_t index, TokenRange line, Branch::Form form);
  void alternative(TokenIndex hash, TokenRange line, Branch::Form form);
  void include(TokenIndex hash, TokenRange line);
  void define(TokenRange line);
  bool guards_header(std::size_t index, TokenRange line, Branch::Form form) const;
  bool defines(std::size_t index, std::string_view name) const;

  // Ends the innermost branch before `hash`.
  void close(TokenIndex hash) {
    Branch& branch = out_.branches[current_];
    branch.body.end = hash;
    current_ = branch.parent;
    out_.changes.push_back({hash, current_});
  }
  TokenIndex hash_of_group() const {
    return out_.branches[out_.branches[current_].first].expression.begin - 2;
  }
  void begin(Branch branch) {
    current_ = static_cast<std::uint32_t>(out_.branches.size());
    out_.changes.push_back({branch.body.begin, current_});
    out_.branches.push_back(branch);
  }
  void problem(TokenIndex token, const char* what) {
    out_.problems.push_back({file_.span(token), what});
  }

  const File& file_;
  std::span<const TokenIndex> hashes_;
  Directives out_;
  std::uint32_t current_ = kNoBranch;
};

void Reader::read(std::size_t index, TokenRange line) {
  using enum Branch::Form;
  const TokenIndex hash = hashes_[index];
  const std::string_view word = file_.text(line.begin);
  if (word == "if") return open(index, line, kIf);
  if (word == "ifdef") return open(index, line, kIfdef);
  if (word == "ifndef") return open(index, line, kIfndef);
  if (word == "elif") return alternative(hash, line, kIf);
  if (word == "elifdef") return alternative(hash, line, kIfdef);
  if (word == "elifndef") return alternative(hash, line, kIfndef);
  if (word == "else") return alternative(hash, line, kElse);
  if (word == "endif") {
    if (current_ == kNoBranch) return problem(line.begin, "#endif without #if");
    // An include guard extends to the end of the file.
    if (line.end + 1 < file_.tokens().size()) out_.branches[current_].is_guard = false;
    return close(hash);
  }
  if (word == "include" || word == "include_next" || word == "import") return include(hash, line);
  if (word == "define") return define(line);
  if (word == "error" && current_ != kNoBranch) out_.branches[current_].has_error = true;
}

void Reader::open(std::size_t index, TokenRange line, Branch::Form form) {
  Branch branch;
  branch.form = form;
  branch.parent = current_;
  branch.first = static_cast<std::uint32_t>(out_.branches.size());
  branch.expression = {line.begin + 1, line.end};
  branch.body = {line.end, line.end};
  branch.is_guard = guards_header(index, line, form);
  begin(branch);
}

void Reader::alternative(TokenIndex hash, TokenRange line, Branch::Form form) {
  if (current_ == kNoBranch) return problem(line.begin, "#else or #elif without #if");
  const std::uint32_t first = out_.branches[current_].first;
  if (out_.branches[current_].form == Branch::Form::kElse)
    problem(line.begin, "#else or #elif after #else");
  close(hash);
  out_.branches[first].is_guard = false;
  Branch branch;
  branch.form = form;
  branch.parent = current_;
  branch.first = first;
  branch.expression = {line.begin + 1, line.end};
  branch.body = {line.end, line.end};
  begin(branch);
}

void Reader::include(TokenIndex hash, TokenRange line) {
  if (line.begin + 1 >= line.end) return;
  const std::string_view written = file_.text(line.begin + 1);
  if (file_.tokens()[line.begin + 1].kind != Kind::kString || written.size() < 2) return;
  const bool is_closed = written.back() == '>' || (written.back() == '"' && written.size() > 2);
  out_.includes.push_back(
      {written.substr(1, written.size() - (is_closed ? 2 : 1)), written.front() == '<', hash});
}

void Reader::define(TokenRange line) {
  if (line.begin + 1 >= line.end) return;
  Macro macro;
  macro.name = line.begin + 1;
  const std::span<const Token> tokens = file_.tokens();
  TokenIndex body = macro.name + 1;
  while (body < line.end && (tokens[body].flags & kInMacroBody) == 0) ++body;
  macro.is_function = body > macro.name + 1 || (body == line.end && body > macro.name + 1);
  if (macro.is_function) {
    const bool is_closed = file_.is(body - 1, ")");
    macro.parameters = {macro.name + 2, body - (is_closed ? 1 : 0)};
  }
  macro.body = {body, line.end};
  out_.macros.push_back(macro);
}

// The first line of a file that has tokens, and the next one defines what it tests.
bool Reader::guards_header(std::size_t index, TokenRange line, Branch::Form form) const {
  if (current_ != kNoBranch || index + 1 >= hashes_.size()) return false;
  TokenIndex first = 0;  // "#pragma once" may stand before it
  for (std::size_t before = 0; before < index; ++before) {
    if (hashes_[before] != first || file_.text(first + 1) != "pragma") return false;
    first = directive_end(file_, first);
  }
  if (hashes_[index] != first) return false;
  if (form == Branch::Form::kIfndef) return defines(index + 1, file_.text(line.begin + 1));
  if (form != Branch::Form::kIf || !file_.is(line.begin + 1, "!")) return false;
  if (file_.text(line.begin + 2) != "defined") return false;
  const TokenIndex name = line.begin + (file_.is(line.begin + 3, "(") ? 4 : 3);
  return line.end - name <= 2 && defines(index + 1, file_.text(name));
}

bool Reader::defines(std::size_t index, std::string_view name) const {
  const TokenIndex word = hashes_[index] + 1;
  return file_.text(word) == "define" && file_.text(word + 1) == name;
}

}  // namespace

TokenIndex directive_end(const File& file, TokenIndex hash) {
  const std::span<const Token> tokens = file.tokens();
  TokenIndex at = hash + 1;
  while (at + 1 < tokens.size() && (tokens[at].flags & kInDirective) != 0 &&
         (tokens[at].flags & kFirstOnLine) == 0)
    ++at;
  return at;
}

bool is_never(const File& file, const Branch& branch) {
  if (branch.form != Branch::Form::kIf || branch.expression.end != branch.expression.begin + 1)
    return false;
  const std::string_view word = file.text(branch.expression.begin);
  return word == "0" || word == "false";
}

std::uint32_t Directives::branch_at(TokenIndex token) const {
  const auto after =
      std::upper_bound(changes.begin(), changes.end(), token,
                       [](TokenIndex at, const Change& change) { return at < change.from; });
  return after == changes.begin() ? kNoBranch : std::prev(after)->branch;
}

Directives read_directives(const File& file, std::span<const TokenIndex> hashes) {
  return Reader(file, hashes).run();
}

}  // namespace hipwright::syntax::cuda
