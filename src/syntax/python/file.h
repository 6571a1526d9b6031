// SPDX-License-Identifier: MIT
// One Python source: tokens, brackets, logical lines and blocks. It provides statements and their
// contents, reads code that Python rejects, and reports where it had to guess.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/effort.h"
#include "syntax/python/token.h"

namespace hipwright::syntax::python {

using StatementIndex = std::uint32_t;
constexpr StatementIndex kNoStatement = ~0U;

enum class StatementKind : std::uint8_t {
  kSimple,  // expression, assignment, …
  kImport,
  kFromImport,
  kReturn,
  kRaise,
  kAssert,
  kDel,
  kGlobal,  // nonlocal too
  kPass,
  kBreak,
  kContinue,
  kDef,
  kClass,
  kIf,
  kElif,
  kElse,  // of an if, a loop or a try
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
  bool is_async = false;
  bool has_block = false;                // its header ends with ':'
  TokenRange tokens;                     // up to the ':' of a block, or the end of the line
  StatementIndex parent = kNoStatement;  // the statement whose block contains it
  StatementIndex block_end = 0;          // its block has the statements from the next one to here
  std::uint32_t indent = 0;  // of its line, in columns; a tab goes to the next multiple of 8
};

class File {
 public:
  explicit File(std::string_view text);  // `text` must outlive it
  ~File();
  File(File&&) noexcept;

  std::string_view text() const;
  std::span<const Token> tokens() const;
  std::span<const Comment> comments() const;
  std::span<const Problem> problems() const;  // makes the statements
  std::string_view text(TokenIndex token) const;
  std::string_view text(TokenRange range) const;
  Span span(TokenIndex token) const;
  Span span(TokenRange range) const;
  bool is(TokenIndex token, const Name& name) const;
  bool is(TokenIndex token, std::string_view text) const;

  // Names that are tokens; those inside f-strings are not found.
  std::span<const TokenIndex> occurrences(const Name& name) const;
  bool has(const Name& name) const { return !occurrences(name).empty(); }

  // --- computed on first use; not thread-safe ---
  TokenIndex partner(TokenIndex bracket) const;
  TokenIndex enclosing(TokenIndex token) const;  // the innermost opening bracket around it
  // The next token at this level: past the partner of an opening bracket.
  TokenIndex skip(TokenIndex token) const;
  // Arguments of a call or items of a list, between the commas at its level. An unclosed bracket
  // extends to the end of its logical line.
  std::vector<TokenRange> arguments(TokenIndex open) const;
  // The value of `name=value` among the arguments of a call.
  std::optional<TokenRange> keyword_argument(TokenIndex open, std::string_view name) const;
  // Those that are not `name=value`; *args and **kwargs are among them.
  std::vector<TokenRange> positional_arguments(TokenIndex open) const;
  // The value of a string literal, without prefix, quotes and escapes; adjacent literals are not
  // joined. The fields of an f-string stay as written.
  std::string string_value(TokenIndex token) const;
  // "a.b.c": the whole dotted name around `token`. It begins with a dot if something other than a
  // name precedes it: ".shape" in `f(x).shape`.
  TokenRange dotted(TokenIndex token) const;
  // A range without the blanks, comments and line breaks between its tokens: "a.b.c".
  std::string compact(TokenRange range) const;

  std::span<const Statement> statements() const;
  // The statement of a token; a ':' ';' or line break belongs to the statement before it.
  StatementIndex statement_at(TokenIndex token) const;
  // The function or class around a statement; kNoStatement at the top.
  StatementIndex enclosing_def(StatementIndex statement) const;
  StatementIndex enclosing_class(StatementIndex statement) const;
  std::vector<StatementIndex> children(StatementIndex parent) const;  // kNoStatement: of the file
  // The decorators of a function or class, in text order.
  std::vector<StatementIndex> decorators(StatementIndex definition) const;
  // The name of a function or class; kNoToken if it is missing.
  TokenIndex name_of(StatementIndex definition) const;

  // Can this statement run on ROCm? By the conditions around it and by early returns and raises
  // before it: `if current_platform.is_cuda():`, `if not is_hip: return`, `torch.version.hip`…
  // kYes if a condition says so, or if it runs on import and no condition is unknown.
  Truth runs_on_rocm(StatementIndex statement) const;
  // The same for a part of a statement, with `a if c else b`, `and`, `or` and `for … if` around it.
  Truth token_runs_on_rocm(TokenIndex token) const;
  // Is it inside a try (or suppress()) whose handlers catch the named exception (or all)?
  bool guarded_by_try(StatementIndex statement, std::string_view exception) const;

  struct State;
  // For queries over all occurrences of a name.
  Effort& effort() const;

  const State& state() const { return *state_; }  // for this folder

 private:
  std::unique_ptr<State> state_;
};

// The value of a Python condition on ROCm.
Truth condition_on_rocm(const File& file, TokenRange condition);

}  // namespace hipwright::syntax::python
