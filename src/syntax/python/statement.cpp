// SPDX-License-Identifier: MIT
// Groups logical lines into statements and blocks. One pass, no recursion; lines that Python would
// reject join the block with the closest indentation.
#include "syntax/python/state.h"

namespace hipwright::syntax::python {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostProblems = 64;

StatementKind kind_of(std::string_view word) {
  using enum StatementKind;
  switch (word.size()) {
    case 2:
      if (word == "if"sv) return kIf;
      break;
    case 3:
      if (word == "for"sv) return kFor;
      if (word == "def"sv) return kDef;
      if (word == "try"sv) return kTry;
      if (word == "del"sv) return kDel;
      break;
    case 4:
      if (word == "else"sv) return kElse;
      if (word == "elif"sv) return kElif;
      if (word == "with"sv) return kWith;
      if (word == "from"sv) return kFromImport;
      if (word == "pass"sv) return kPass;
      if (word == "case"sv) return kCase;
      break;
    case 5:
      if (word == "while"sv) return kWhile;
      if (word == "class"sv) return kClass;
      if (word == "raise"sv) return kRaise;
      if (word == "match"sv) return kMatch;
      if (word == "break"sv) return kBreak;
      break;
    case 6:
      if (word == "return"sv) return kReturn;
      if (word == "import"sv) return kImport;
      if (word == "assert"sv) return kAssert;
      if (word == "except"sv) return kExcept;
      if (word == "global"sv) return kGlobal;
      break;
    case 7:
      if (word == "finally"sv) return kFinally;
      break;
    case 8:
      if (word == "continue"sv) return kContinue;
      if (word == "nonlocal"sv) return kGlobal;
      break;
    default:
      break;
  }
  return kSimple;
}

bool opens_block(StatementKind kind) {
  return kind >= StatementKind::kDef && kind <= StatementKind::kCase;
}

class Builder {
 public:
  Builder(std::string_view text, const Tokens& tokens) : text_(text), tokens_(tokens) {
    levels_.push_back({0, kNoStatement});
  }

  StatementTree run() {
    out_.statements.reserve(tokens_.lines.size() + tokens_.semicolons.size() + 8);
    TokenIndex at = 0;
    for (const TokenIndex end : tokens_.lines) {
      line(at, end);
      at = end + 1;
    }
    forget_empty_block();
    while (levels_.size() > 1) pop();
    return std::move(out_);
  }

 private:
  struct Level {
    std::uint32_t indent;
    StatementIndex owner;
    bool is_extra = false;  // deeper for no reason: same block
  };

  const Token& list(TokenIndex at) const { return tokens_.list[at]; }
  std::string_view word(TokenIndex at) const {
    const Token& token = list(at);
    return text_.substr(token.begin, token.end - token.begin);
  }
  bool is_op(TokenIndex at, std::uint16_t id) const {
    return list(at).kind == Kind::kOp && list(at).id == id;
  }
  StatementIndex count() const { return static_cast<StatementIndex>(out_.statements.size()); }

  void problem(TokenIndex at, const char* what) {
    if (out_.problems.size() < kMostProblems)
      out_.problems.push_back({{list(at).begin, list(at).end}, what});
  }

  std::uint32_t indent_of(TokenIndex first) const {
    const std::size_t token = list(first).begin;
    std::size_t from = token;
    while (from > 0 && (text_[from - 1] == ' ' || text_[from - 1] == '\t')) --from;
    std::uint32_t column = 0;
    for (; from < token; ++from) column = text_[from] == '\t' ? (column | 7) + 1 : column + 1;
    return column;
  }

  void pop() {
    const Level& top = levels_.back();
    if (!top.is_extra) out_.statements[top.owner].block_end = count();
    levels_.pop_back();
  }

  void forget_empty_block() {
    if (waiting_ == kNoStatement) return;
    problem(out_.statements[waiting_].tokens.begin, "expected an indented block");
    waiting_ = kNoStatement;
  }

  void indent(TokenIndex first, std::uint32_t column) {
    if (waiting_ != kNoStatement && column > out_.statements[waiting_].indent) {
      levels_.push_back({column, waiting_});
      waiting_ = kNoStatement;
      return;
    }
    forget_empty_block();
    if (column > levels_.back().indent) {
      problem(first, "unexpected indent");
      levels_.push_back({column, levels_.back().owner, true});
      return;
    }
    while (column < levels_.back().indent) {
      const std::uint32_t outer = levels_[levels_.size() - 2].indent;
      if (column > outer) {
        problem(first, "unindent does not match any outer indentation level");
        if (levels_.back().indent - column < column - outer) return;
      }
      pop();
      if (column > outer) return;
    }
  }

  // One logical line with its kNewline at `end`.
  void line(TokenIndex first, TokenIndex end) {
    while (semicolon_ < tokens_.semicolons.size() && tokens_.semicolons[semicolon_] < first)
      ++semicolon_;
    is_plain_ = semicolon_ == tokens_.semicolons.size() || tokens_.semicolons[semicolon_] > end;
    line_end_ = end;
    const std::uint32_t column = indent_of(first);
    indent(first, column);
    StatementIndex owner = levels_.back().owner;
    StatementIndex header = kNoStatement;
    TokenIndex at = first;
    while (at < end) {
      if (is_op(at, op(";"))) {
        ++at;
        continue;
      }
      at = statement(at, owner, column, at == first);
      const StatementIndex last = count() - 1;
      if (header == kNoStatement && out_.statements[last].has_block) header = owner = last;
    }
    if (header != kNoStatement) {
      if (count() == header + 1) {
        waiting_ = header;
      } else {
        out_.statements[header].block_end = count();
      }
    }
  }

  // One statement, up to its ':' (passed), ';' or the end of the line.
  TokenIndex statement(TokenIndex first, StatementIndex owner, std::uint32_t column,
                       bool may_open) {
    Statement made;
    made.parent = owner;
    made.indent = column;
    made.tokens.begin = first;
    if (list(first).kind == Kind::kName) {
      made.kind = kind_of(word(first));
      if (made.kind == StatementKind::kSimple && word(first) == "async"sv) {
        const StatementKind after = kind_of(word(first + 1));
        made.is_async = after == StatementKind::kDef || after == StatementKind::kFor ||
                        after == StatementKind::kWith;
        if (made.is_async) made.kind = after;
      }
      if (is_soft(made.kind) && !is_statement(made.kind, first, owner))
        made.kind = StatementKind::kSimple;
      if (opens_block(made.kind) && !may_open) {
        problem(first, "expected a simple statement");
        made.kind = StatementKind::kSimple;
      }
    } else if (is_op(first, op("@"))) {
      made.kind = StatementKind::kDecorator;
    }
    const bool block = opens_block(made.kind);
    TokenIndex at = statement_end(first, block);
    made.tokens.end = at;
    made.has_block = block && is_op(at, op(":"));
    made.block_end = count() + 1;
    if (block && !made.has_block) problem(first, "expected ':'");
    if (made.kind == StatementKind::kImport || made.kind == StatementKind::kFromImport)
      check_import(made.tokens);
    out_.statements.push_back(made);
    return made.has_block ? at + 1 : at;
  }

  void check_import(TokenRange tokens) {
    for (TokenIndex at = tokens.begin; at < tokens.end; ++at) {
      if (list(at).kind == Kind::kName || is_op(at, op(".")) || is_op(at, op("..")) ||
          is_op(at, op(",")) || is_op(at, op("*")) || is_op(at, op("(")) || is_op(at, op(")")))
        continue;
      problem(at, "expected a name to import");
      return;
    }
  }

  TokenIndex statement_end(TokenIndex at, bool stop_at_colon) const {
    if (is_plain_ && !stop_at_colon) return line_end_;
    // Of a line whose brackets are not closed, the last ':' counts.
    const bool has_last_colon = is_plain_ && stop_at_colon && is_op(line_end_ - 1, op(":"));
    std::uint32_t depth = 0;
    std::uint32_t lambdas = 0;
    for (;; ++at) {
      const Token& token = list(at);
      if (token.kind == Kind::kNewline) return has_last_colon ? at - 1 : at;
      if (token.kind == Kind::kName) {
        if (stop_at_colon && depth == 0 && token.end - token.begin == 6 && word(at) == "lambda"sv)
          ++lambdas;
        continue;
      }
      if (token.kind != Kind::kOp) continue;
      switch (token.id) {
        case op("("):
        case op("["):
        case op("{"):
          ++depth;
          break;
        case op(")"):
        case op("]"):
        case op("}"):
          if (depth > 0) --depth;
          break;
        case op(";"):
          if (depth == 0) return at;
          break;
        case op(":"):
          if (depth != 0 || !stop_at_colon) break;
          if (lambdas == 0) return at;
          --lambdas;
          break;
        default:
          break;
      }
    }
  }

  static bool is_soft(StatementKind kind) {
    return kind == StatementKind::kMatch || kind == StatementKind::kCase;
  }

  // `match` and `case` are names too.
  bool is_statement(StatementKind kind, TokenIndex first, StatementIndex owner) const {
    const Token& next = list(first + 1);
    if (next.kind == Kind::kNewline) return false;
    if (next.kind == Kind::kOp) switch (next.id) {
        case op("("):
        case op("["):
        case op("{"):
        case op("-"):
        case op("*"):
        case op("~"):
        case op("+"):
        case op(".."):
          break;
        default:
          return false;
      }
    if (kind == StatementKind::kCase)
      return owner != kNoStatement && out_.statements[owner].kind == StatementKind::kMatch;
    const TokenIndex colon = statement_end(first, true);
    return is_op(colon, op(":")) && list(colon + 1).kind == Kind::kNewline;
  }

  std::string_view text_;
  const Tokens& tokens_;
  StatementTree out_;
  std::vector<Level> levels_;
  TokenIndex line_end_ = 0;
  bool is_plain_ = true;  // the line has no semicolons: it ends with its statement
  std::size_t semicolon_ = 0;
  StatementIndex waiting_ = kNoStatement;  // a header whose block is yet to come
};

}  // namespace

StatementTree build_statements(std::string_view text, const Tokens& tokens) {
  return Builder(text, tokens).run();
}

}  // namespace hipwright::syntax::python
