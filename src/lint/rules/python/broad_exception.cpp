// SPDX-License-Identifier: MIT
// A broad exception handler hides why a feature is missing.
//
// ## What it finds
//
// `except Exception:` and a bare `except:` whose block neither raises nor reports the cause, around
// code that probes for a feature: an import, a library, a device query, an operator. Probes that
// decide about a GPU have medium confidence. Probes of something else, handlers with a comment that
// gives a reason, a result that is silently replaced by a fallback, other code that works with
// tensors or a GPU, and `pass` alone have low confidence: they are a matter of style.
//
// ## Why it matters
//
// Such a probe selects a program's ROCm path. When it fails for an unexpected reason (a typo, a
// broken library, no memory), the program silently takes the slow path or the wrong one.
//
// ## Example
//
// ```python
// try:
//     import aiter
//     has_aiter = True
// except Exception:
//     has_aiter = False
// ```
//
// ## Use instead
//
// ```python
// try:
//     import aiter
//     has_aiter = True
// except ImportError:
//     has_aiter = False
// ```
//
// ## When it is not a bug
//
// - The handler raises, or reports the exception with its text.
// - The line has `# noqa: BLE001`: the project has accepted the handler for other linters.
// - It is not around a probe, and a comment says why everything is caught.
// - It converts one value to another: `json.loads(text)`, `int(text)`.
// - It is a boundary that must not let anything through: main, a server's or worker's loop, a
//   destructor, cleanup, a test.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/python/probe.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kExcept("except");

// Functions that must not let anything through have one of these words in their names.
constexpr std::array<std::string_view, 19> kBoundaries = {
    "main",    "run",      "serve",  "loop", "worker",  "shutdown", "close",
    "cleanup", "del",      "exit",   "stop", "atexit",  "destroy",  "teardown",
    "handler", "callback", "thread", "repr", "finalize"};

bool is_broad(const File& file, TokenRange header) {
  if (header.size() == 1) return true;
  const std::string_view type = file.text(header.begin + 1);
  return (type == "Exception" || type == "BaseException") &&
         (header.size() == 2 || file.is(header.begin + 2, "as"));
}

enum class Disclosed { kNothing, kSomething, kReason };

// What a handler reports: it may raise, log, print, warn or store the exception.
Disclosed disclosed_by(const File& file, StatementIndex handler, std::string_view exception) {
  const Statement& statement = file.statements()[handler];
  for (StatementIndex at = handler + 1; at < statement.block_end; ++at)
    if (file.statements()[at].kind == StatementKind::kRaise) return Disclosed::kReason;
  const auto is_called = [&](TokenIndex token, std::span<const std::string_view> words) {
    return file.tokens()[token].kind == Kind::kName &&
           std::ranges::find(words, file.text(token)) != words.end() &&
           (file.is(token + 1, "(") || file.is(token + 1, "="));
  };
  static constexpr std::array<std::string_view, 9> kReasons = {
      "exception", "print_exc", "exc_info", "format_exc",   "fail",
      "skip",      "exit",      "_exit",    "set_exception"};
  static constexpr std::array<std::string_view, 7> kWords = {
      "error", "warning", "warn", "critical", "print", "warn_once", "warning_once"};
  const auto gives_reason = [&](TokenIndex token) {
    const std::string_view text = file.text(token);
    // Most likely in a field of an f-string.
    if (file.tokens()[token].kind == Kind::kString)
      return !exception.empty() && text.find(exception) != std::string_view::npos;
    return (!exception.empty() && text == exception) || is_called(token, kReasons);
  };
  if (any_token(file, handler + 1, statement.block_end, gives_reason)) return Disclosed::kReason;
  return any_token(file, handler + 1, statement.block_end,
                   [&](TokenIndex token) { return is_called(token, kWords); })
             ? Disclosed::kSomething
             : Disclosed::kNothing;
}

// "serve_forever" contains the word "serve", "observe" does not.
bool has_boundary_word(std::string_view name) {
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('_', begin), name.size());
    if (std::ranges::find(kBoundaries, name.substr(begin, end - begin)) != kBoundaries.end())
      return true;
    begin = end + 1;
  }
  return false;
}

bool at_a_boundary(const File& file, StatementIndex handler) {
  for (StatementIndex at = file.enclosing_def(handler); at != kNoStatement;
       at = file.enclosing_def(at))
    if (const TokenIndex name = file.name_of(at);
        name != kNoToken && has_boundary_word(file.text(name)))
      return true;
  return false;
}

// The try of a handler: the nearest one before it at its level.
StatementIndex try_of(const File& file, StatementIndex handler) {
  const Statement& statement = file.statements()[handler];
  for (StatementIndex at = handler; at-- > 0;) {
    const Statement& before = file.statements()[at];
    if (before.parent == statement.parent && before.kind == StatementKind::kTry) return at;
  }
  return kNoStatement;
}

// "# noqa: BLE001 -- no torch: go on without it" gives a reason, "# noqa: BLE001" does not.
bool gives_reason(std::string_view comment, bool is_beside) {
  for (const std::string_view begin : {"# noqa", "# type:", "# pylint"})
    if (comment.starts_with(begin))
      return std::min({comment.find(" - "), comment.find(" -- "), comment.find("\u2014")}) !=
             std::string_view::npos;
  return !is_beside;
}

// A reason is given: in a comment on its own line, or after a directive for another tool.
bool is_explained(const File& file, StatementIndex handler) {
  const std::size_t begin = file.span(file.statements()[handler].tokens).end;
  const std::size_t line_end = file.text().find('\n', begin);
  const StatementIndex last = file.statements()[handler].block_end - 1;
  const std::size_t end = file.span(file.statements()[last].tokens).end;
  return std::ranges::any_of(file.comments(), [&](const Comment& comment) {
    const std::string_view text =
        file.text().substr(comment.span.begin, comment.span.end - comment.span.begin);
    return comment.span.begin > begin && comment.span.begin < end &&
           gives_reason(text, comment.span.begin < line_end);
  });
}

// nvmlShutdown(): failures during cleanup do not matter.
bool only_cleans_up(const File& file, StatementIndex attempt) {
  static constexpr std::array<std::string_view, 6> kWords = {"shutdown", "close",   "destroy",
                                                             "cleanup",  "release", "stop"};
  const StatementIndex end = file.statements()[attempt].block_end;
  if (end != attempt + 2) return false;
  return any_token(file, attempt + 1, end, [&](TokenIndex token) {
    return file.tokens()[token].kind == Kind::kName && file.is(token + 1, "(") &&
           std::ranges::any_of(kWords, [&](std::string_view word) {
             return contains_word(file.text(token), word);
           });
  });
}

// The handler records that the feature is missing: a flag, None, a default; or does nothing.
bool gives_up(const File& file, StatementIndex handler) {
  const std::vector<StatementIndex> body = file.children(handler);
  constexpr std::size_t kMost = 4;
  if (body.empty() || body.size() > kMost) return false;
  return std::ranges::all_of(body, [&](StatementIndex at) {
    const Statement& statement = file.statements()[at];
    return statement.kind == StatementKind::kPass || statement.kind == StatementKind::kReturn ||
           statement.kind == StatementKind::kContinue || statement.kind == StatementKind::kImport ||
           statement.kind == StatementKind::kFromImport ||
           (statement.kind == StatementKind::kSimple && statement.tokens.size() >= 3 &&
            file.is(file.dotted(statement.tokens.begin).end, "="));
  });
}

// pass, in a library: the program continues as if nothing had been tried.
bool only_passes(const PythonCheck& check, StatementIndex handler) {
  const std::vector<StatementIndex> body = check.file.children(handler);
  return !is_tool(check) && std::ranges::all_of(body, [&](StatementIndex at) {
    return check.file.statements()[at].kind == StatementKind::kPass;
  });
}

// One statement that only converts a value: the value is what fails.
bool only_converts(const File& file, StatementIndex attempt) {
  static constexpr std::array<std::string_view, 17> kConversions = {"loads",
                                                                    "dumps",
                                                                    "int",
                                                                    "float",
                                                                    "str",
                                                                    "bool",
                                                                    "literal_eval",
                                                                    "getattr",
                                                                    "parse",
                                                                    "decode",
                                                                    "encode",
                                                                    "repr",
                                                                    "hasattr",
                                                                    "b64decode",
                                                                    "strptime",
                                                                    "fromisoformat",
                                                                    "safe_literal_eval"};
  const StatementIndex end = file.statements()[attempt].block_end;
  if (end != attempt + 2) return false;
  bool converts = false;
  const bool does_more = any_token(file, attempt + 1, end, [&](TokenIndex token) {
    if (file.tokens()[token].kind != Kind::kName || !file.is(token + 1, "(") ||
        is_keyword(file.text(token)))
      return false;
    converts = true;
    return std::ranges::find(kConversions, file.text(token)) == kConversions.end();
  });
  return converts && !does_more;
}

// result = f(x), and result = fallback in the handler: a failed call looks like another value.
bool replaces_result(const File& file, StatementIndex attempt, StatementIndex handler) {
  const std::vector<StatementIndex> tried = file.children(attempt), caught = file.children(handler);
  if (tried.size() != 1 || caught.size() != 1) return false;
  const auto target = [&](StatementIndex at) {
    const TokenRange tokens = file.statements()[at].tokens;
    const TokenRange name = file.dotted(tokens.begin);
    const bool is_assigned = file.statements()[at].kind == StatementKind::kSimple &&
                             name.end + 1 < tokens.end && file.is(name.end, "=");
    return is_assigned ? name : TokenRange{};
  };
  const TokenRange first = target(tried.front()), second = target(caught.front());
  const TokenRange statement = file.statements()[tried.front()].tokens;
  return !first.empty() && file.compact(first) == file.compact(second) &&
         file.is(statement.end - 1, ")") && file.tokens()[first.end + 1].kind == Kind::kName;
}

// The result selects a path for a GPU: elsewhere a broad handler is a matter of style.
bool decides_gpu_path(const File& file, StatementIndex attempt, StatementIndex handler) {
  static constexpr std::array<std::string_view, 19> kWords = {"aiter",
                                                              "flash_attn",
                                                              "xformers",
                                                              "amdsmi",
                                                              "nvml",
                                                              "nccl",
                                                              "rccl",
                                                              "apex",
                                                              "deep_gemm",
                                                              "hipblas",
                                                              "gfx",
                                                              "cuda",
                                                              "gpu",
                                                              "hip",
                                                              "rocm",
                                                              "triton",
                                                              "capabilit",
                                                              "gemm",
                                                              "transformer_engine"};
  return any_token(file, attempt + 1, file.statements()[handler].block_end,
                   [&](TokenIndex token) {
                     return std::ranges::any_of(kWords, [&](std::string_view word) {
                       return contains_word(file.text(token), word);
                     });
                   }) ||
         any_token(file, attempt + 1, file.statements()[handler].block_end, [&](TokenIndex token) {
           return file.is(token, "ops") && file.is(token + 1, ".") &&
                  (file.is(token - 1, ".") ? file.is(token - 2, "torch") : true);
         });
}

// "# noqa", "# noqa: BLE001": the project has accepted this handler for other linters.
bool is_accepted(const File& file, StatementIndex handler) {
  const std::size_t begin = file.span(file.statements()[handler].tokens).begin;
  const std::size_t line_end = file.text().find('\n', begin);
  return std::ranges::any_of(file.comments(), [&](const Comment& comment) {
    if (comment.span.begin < begin || comment.span.begin > line_end) return false;
    const std::string_view text =
        file.text().substr(comment.span.begin, comment.span.end - comment.span.begin);
    const std::size_t noqa = text.find("noqa");
    return noqa != std::string_view::npos && (text.find(':', noqa) != noqa + 4 ||
                                              text.find("BLE001", noqa) != std::string_view::npos ||
                                              text.find("E722", noqa) != std::string_view::npos);
  });
}

// Only imports and a flag: the fix is known.
bool only_imports(const File& file, StatementIndex attempt) {
  const std::vector<StatementIndex> body = file.children(attempt);
  return !body.empty() && std::ranges::all_of(body, [&](StatementIndex at) {
    const Statement& statement = file.statements()[at];
    if (statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport)
      return true;
    return statement.kind == StatementKind::kSimple && statement.tokens.size() == 3 &&
           file.is(statement.tokens.begin + 1, "=");
  });
}

void look_at(PythonCheck& check, StatementIndex handler) {
  const File& file = check.file;
  const Statement& statement = file.statements()[handler];
  if (!is_broad(file, statement.tokens) || file.runs_on_rocm(handler) == Truth::kNo) return;
  if (is_accepted(file, handler)) return;
  const bool named = statement.tokens.size() == 4;
  const Disclosed disclosed = disclosed_by(
      file, handler, named ? file.text(statement.tokens.begin + 3) : std::string_view());
  // Catches even exceptions that end the program: an interrupt is reported as something else.
  const bool catches_all =
      statement.tokens.size() == 1 || file.is(statement.tokens.begin + 1, "BaseException");
  if (disclosed == Disclosed::kReason) return;
  const StatementIndex attempt = try_of(file, handler);
  if (attempt == kNoStatement || check.facts.is_test || at_a_boundary(file, handler) ||
      is_for_others(check) || only_converts(file, attempt) || only_cleans_up(file, attempt))
    return;
  // "the library is not available": reports the fact, not the cause.
  if (disclosed == Disclosed::kSomething && !catches_all && !is_probe(check, attempt)) return;
  const bool gives_up_silently = disclosed == Disclosed::kNothing && gives_up(file, handler);
  const bool probe = gives_up_silently && is_probe(check, attempt);
  const bool explained = is_explained(file, handler);
  const bool may_be_probe = gives_up_silently && asks_for_something(file, attempt);
  // A probe of a model's files or of the project itself is not about the machine.
  const bool is_of_machine =
      may_be_probe && (only_imports(file, attempt) || asks_the_machine(file, attempt) ||
                       concerns_a_gpu(file, attempt, handler));
  // Silently catches even the exceptions that end the program.
  const bool stops_all = catches_all && gives_up_silently && !is_tool(check);
  const bool says_no_reason =
      disclosed == Disclosed::kSomething && !explained && is_probe(check, attempt);
  const bool replaces = !explained && disclosed == Disclosed::kNothing && !is_tool(check) &&
                        replaces_result(file, attempt, handler);
  if (!probe && !may_be_probe && !stops_all && !says_no_reason && !replaces &&
      (explained || (!only_passes(check, handler) && !concerns_a_gpu(file, attempt, handler))))
    return;
  std::vector<Fix> fixes;
  if (only_imports(file, attempt)) {
    const Span where = statement.tokens.size() == 1 ? Span{file.span(statement.tokens.begin).end,
                                                           file.span(statement.tokens.begin).end}
                                                    : file.span(statement.tokens.begin + 1);
    fixes.push_back(
        {.description = "catch ImportError only",
         .safe = false,
         .edits = {{where, statement.tokens.size() == 1 ? " ImportError" : "ImportError"}}});
  }
  check.report(
      file.span(statement.tokens),
      (probe || is_of_machine) && !explained && decides_gpu_path(file, attempt, handler)
          ? Confidence::kMedium
          : Confidence::kLow,
      probe || may_be_probe || says_no_reason
          ? "hides why the feature is missing; catch only the exception that its absence raises"
          : "swallows every exception, including unexpected ones",
      std::move(fixes));
}

void find(PythonCheck& check) {
  for (const TokenIndex at : check.file.occurrences(kExcept)) {
    const StatementIndex index = check.file.statement_at(at);
    if (index != kNoStatement && check.file.statements()[index].kind == StatementKind::kExcept)
      look_at(check, index);
  }
}

}  // namespace

Rule broad_exception() {
  return {.code = "HW901",
          .name = "broad-exception",
          .summary = "broad exception handler that hides why a feature is missing",
          .triggers = {kExcept},
          .python = find};
}

}  // namespace hipwright::lint::rules
