// SPDX-License-Identifier: MIT
// One CUDA or HIP source: tokens, brackets, preprocessor conditions, functions. A light tree with
// structure but without semantics. Reading never fails.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "syntax/cuda/token.h"
#include "syntax/effort.h"

namespace hipwright::syntax::cuda {

// The platform for which conditions are evaluated. Macros that neither defines are unknown.
enum class Platform { kAmd, kNvidia };

enum Qualifier : unsigned { kGlobal = 1, kDevice = 2, kHost = 4 };

struct TokenRange {
  TokenIndex begin = 0, end = 0;  // half-open
  bool contains(TokenIndex token) const { return begin <= token && token < end; }
  bool empty() const { return begin >= end; }
};

struct Function {
  TokenIndex name = kNoToken;
  unsigned qualifiers = 0;  // Qualifier; 0 for host code and plain functions of a header
  TokenRange head;          // from the first token of the declaration to the body
  TokenRange parameters;    // between the parentheses
  TokenRange body;          // between the braces; empty for a declaration
  TokenRange template_parameters;
  bool is_device() const { return (qualifiers & (kGlobal | kDevice)) != 0; }
};

struct Include {
  std::string_view path;  // as written
  bool is_system = false;
  TokenIndex hash = 0;
};

struct Macro {
  TokenIndex name = 0;
  TokenRange parameters;  // also empty if it has none
  TokenRange body;
  bool is_function = false;
};

// A project has many macros, and their texts do not stay in memory: this number identifies them.
using MacroKey = std::uint64_t;
MacroKey macro_key(std::string_view name);

// What the rest of a project knows about a macro.
struct MacroKnowledge {
  // Defined somewhere, but not in code that this platform compiles.
  std::unordered_set<MacroKey> undefined_on_amd, undefined_on_nvidia;
};

class File {
 public:
  // `text` must outlive it.
  explicit File(std::string_view text);
  ~File();
  File(File&&) noexcept;

  std::string_view text() const;
  std::span<const Token> tokens() const;
  std::span<const Comment> comments() const;
  std::span<const Problem> problems() const;
  std::string_view text(TokenIndex token) const;  // its bytes, unchanged
  std::string_view text(TokenRange range) const;
  std::string spelling(TokenIndex token) const;  // without line splices
  Span span(TokenIndex token) const;
  Span span(TokenRange range) const;
  bool is(TokenIndex token, const Name& name) const;
  bool is(TokenIndex token, const char* punctuator) const;  // exact, of any length

  std::span<const TokenIndex> occurrences(const Name& name) const;  // names; in text order
  bool has(const Name& name) const { return !occurrences(name).empty(); }
  std::span<const TokenIndex> named() const;  // all registered names, in source order

  // --- computed on first use; not thread-safe ---
  // Evaluates conditions with this from now on. `knowledge` must outlive the file;
  // `redefined_on_amd` (sorted): NVIDIA macros that headers of this file also define for AMD.
  void know(const MacroKnowledge& knowledge, std::span<const MacroKey> redefined_on_amd) const;
  // The partner of a bracket ( [ { } ] ), of <<< and >>>; kNoToken if it has none. Brackets match
  // within a directive or outside all directives, and across #else branches.
  TokenIndex partner(TokenIndex bracket) const;
  // The innermost pair of brackets around a token: its opening one, or kNoToken.
  TokenIndex enclosing(TokenIndex token) const;
  // The statement (or the part between two ; { }) around a token.
  TokenRange statement(TokenIndex token) const;
  // Arguments of a call: the ranges between the commas in the brackets that `open` opens.
  std::vector<TokenRange> arguments(TokenIndex open) const;

  std::span<const Function> functions() const;
  const Function* function_at(TokenIndex token) const;  // whose body or head contains it
  std::span<const Include> includes() const;
  std::span<const Macro> macros() const;
  const Macro* macro_named(std::string_view name) const;  // the last definition in the file

  // Does `platform` compile this token? By the #if lines around it alone.
  Truth compiled(TokenIndex token, Platform platform) const;
  // The conditions that hold at this token, as the text of #if conditions ("USE_ROCM",
  // "!defined(X)") for messages; outermost first.
  std::vector<std::string> conditions(TokenIndex token) const;

  // For queries over all tokens.
  Effort& effort() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The value of a condition after #if, #elif on a platform.
Truth evaluate_condition(std::string_view expression, Platform platform);

}  // namespace hipwright::syntax::cuda
