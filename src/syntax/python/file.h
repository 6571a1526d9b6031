// SPDX-License-Identifier: MIT
// One Python source: tokens, brackets, logical lines and blocks. It knows statements and what they
// contain, reads what no Python accepts, and says where it had to guess.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/names.h"
#include "syntax/problem.h"

namespace hipwright::syntax::python {

using TokenIndex = std::uint32_t;
constexpr TokenIndex kNoToken = ~0U;
using StatementIndex = std::uint32_t;
constexpr StatementIndex kNoStatement = ~0U;

enum class Kind : std::uint8_t {
  kName,  // identifiers and keywords alike
  kNumber,
  kString,   // one literal with prefix and quotes, f-strings whole
  kOp,       // operators, brackets, ':' ',' '@' ':=' '->' '…'
  kNewline,  // the end of a logical line
  kEnd,
};

struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Kind kind = Kind::kEnd;
  std::uint8_t flags = 0;
  std::uint16_t id = 0;  // of a name: its number; of an operator: its first two characters
};

struct TokenRange {
  TokenIndex begin = 0, end = 0;  // half-open
  bool contains(TokenIndex token) const { return begin <= token && token < end; }
  bool empty() const { return begin >= end; }
};

struct Comment {
  Span span;  // '#' included
  TokenIndex next;
};

enum class StatementKind : std::uint8_t {
  kSimple,  // expression, assignment, pass, …
  kImport,
  kFromImport,
  kReturn,
  kRaise,
  kAssert,
  kDel,
  kGlobal,
  kDef,
  kClass,
  kIf,
  kElif,
  kElse,
  kFor,
  kWhile,
  kTry,
  kExcept,
  kFinally,
  kWith,
  kMatch,
  kCase,
  kDecorator,
};

// One logical line (or one part of it between semicolons), with the block below it.
struct Statement {
  StatementKind kind = StatementKind::kSimple;
  TokenRange tokens;                     // up to the ':' of a block, or the end of the line
  StatementIndex parent = kNoStatement;  // the statement whose block holds it
  StatementIndex block_end = 0;          // children are the statements from the next one to here
  std::uint32_t indent = 0;
  bool is_async = false;
};

class File {
 public:
  explicit File(std::string_view text);  // `text` must outlive it
  ~File();
  File(File&&) noexcept;

  std::string_view text() const;
  std::span<const Token> tokens() const;
  std::span<const Comment> comments() const;
  std::span<const Problem> problems() const;
  std::string_view text(TokenIndex token) const;
  std::string_view text(TokenRange range) const;
  Span span(TokenIndex token) const;
  Span span(TokenRange range) const;
  bool is(TokenIndex token, const Name& name) const;
  bool is(TokenIndex token, const char* text) const;

  // Names that are tokens; those inside f-strings are not found.
  std::span<const TokenIndex> occurrences(const Name& name) const;
  bool has(const Name& name) const { return !occurrences(name).empty(); }

  // --- made when first asked for; not thread-safe ---
  TokenIndex partner(TokenIndex bracket) const;
  TokenIndex enclosing(TokenIndex token) const;  // the innermost opening bracket around it
  // Arguments of a call or items of a list, between the commas at its level.
  std::vector<TokenRange> arguments(TokenIndex open) const;
  // The value of a string literal: prefix, quotes and escapes gone; adjacent ones not joined.
  std::string string_value(TokenIndex token) const;
  // "a.b.c" that ends at `token`, dots included: the whole dotted name around it.
  TokenRange dotted(TokenIndex token) const;

  std::span<const Statement> statements() const;
  StatementIndex statement_at(TokenIndex token) const;
  // The function or class around a statement; kNoStatement at the top.
  StatementIndex enclosing_def(StatementIndex statement) const;
  StatementIndex enclosing_class(StatementIndex statement) const;

  // Can this statement run on ROCm? By the conditions around it and by early returns and raises
  // before it: `if current_platform.is_cuda():`, `if not is_hip: return`, `torch.version.hip`…
  Truth runs_on_rocm(StatementIndex statement) const;
  // Is it inside a try whose handlers catch the named exception (or all)?
  bool guarded_by_try(StatementIndex statement, std::string_view exception) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The value of a Python condition on ROCm.
Truth condition_on_rocm(const File& file, TokenRange condition);

}  // namespace hipwright::syntax::python
