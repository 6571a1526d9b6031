// SPDX-License-Identifier: MIT
// A handler for every exception swallows the one that would have said what is wrong.
//
// ## What it finds
//
// `except Exception:` and a bare `except:` whose block neither raises nor reports, around code
// that asks whether a feature is there: an import, a library, a device query, an operator.
// High confidence is for imports of other packages and for questions that are then answered with
// False, with nothing said about why everything is caught; other questions to the machine have
// medium confidence, and other code that works with tensors or a GPU low.
//
// ## Why it matters
//
// Such a probe is how a program chooses its ROCm path. When it fails for another reason than the
// expected one (a typo, a broken library, no memory), the program silently takes the slow path or
// the wrong one, and nobody hears of it.
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
// - One value is turned into another: `json.loads(text)`, `int(text)`.
// - It is a boundary that must not let anything through: main, a server's or worker's loop, a
//   destructor, cleaning up, a test.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kExcept("except");

// What a probe asks with.
const std::array kProbes = {Name("import_module"),
                            Name("find_spec"),
                            Name("CDLL"),
                            Name("get_device_properties"),
                            Name("get_device_name"),
                            Name("get_device_capability"),
                            Name("device_count"),
                            Name("gcnArchName"),
                            Name("amdsmi"),
                            Name("amdsmi_init"),
                            Name("nvmlInit"),
                            Name("pynvml"),
                            Name("rocminfo"),
                            Name("load_library"),
                            Name("__import__"),
                            Name("mem_get_info"),
                            Name("get_arch_list"),
                            Name("hip")};
const Name kOps("ops");
const Name kTorch("torch");

// Modules whose absence says nothing about a GPU's features.
constexpr std::array<std::string_view, 22> kCommonModules = {
    "torch",          "transformers", "numpy",      "os",       "sys",     "json",    "typing",
    "importlib",      "packaging",    "subprocess", "logging",  "pathlib", "re",      "time",
    "socket",         "PIL",          "tqdm",       "requests", "math",    "inspect", "pandas",
    "huggingface_hub"};

// Who must not let anything through: functions with one of these words in their names.
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

template <class Found>
bool any_token(const File& file, StatementIndex first, StatementIndex end, Found found) {
  for (StatementIndex at = first; at < end; ++at) {
    const TokenRange tokens = file.statements()[at].tokens;
    for (TokenIndex token = tokens.begin; token < tokens.end; ++token)
      if (found(token)) return true;
  }
  return false;
}

enum class Told { kNothing, kSomething, kTheReason };

// What the handler tells anybody: raising, logging, printing, warning, keeping the exception.
Told tells(const File& file, StatementIndex handler, std::string_view exception) {
  const Statement& statement = file.statements()[handler];
  for (StatementIndex at = handler + 1; at < statement.block_end; ++at)
    if (file.statements()[at].kind == StatementKind::kRaise) return Told::kTheReason;
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
    // In a field of an f-string, most likely.
    if (file.tokens()[token].kind == Kind::kString)
      return !exception.empty() && text.find(exception) != std::string_view::npos;
    return (!exception.empty() && text == exception) || is_called(token, kReasons);
  };
  if (any_token(file, handler + 1, statement.block_end, gives_reason)) return Told::kTheReason;
  return any_token(file, handler + 1, statement.block_end,
                   [&](TokenIndex token) { return is_called(token, kWords); })
             ? Told::kSomething
             : Told::kNothing;
}

// "serve_forever" has the word "serve", "observe" has not.
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

// The try that a handler belongs to: the nearest one before it on its level.
StatementIndex try_of(const File& file, StatementIndex handler) {
  const Statement& statement = file.statements()[handler];
  for (StatementIndex at = handler; at-- > 0;) {
    const Statement& before = file.statements()[at];
    if (before.parent == statement.parent && before.kind == StatementKind::kTry) return at;
  }
  return kNoStatement;
}

// import aiter, from flash_attn import f; not what every program has. Of this project's own modules
// those that are about platforms and kernels.
bool imports_a_feature(const PythonCheck& check, const Statement& statement) {
  const File& file = check.file;
  if (statement.kind != StatementKind::kImport && statement.kind != StatementKind::kFromImport)
    return false;
  const TokenIndex module = statement.tokens.begin + 1;
  if (file.tokens()[module].kind != Kind::kName) return false;  // from . import x
  const std::string_view name = file.text(module);
  const std::string path = "/" + check.facts.path;
  if (path.find(fmt::format("/{}/", name)) != std::string::npos)
    return std::ranges::any_of(
        std::array<std::string_view, 5>{"rocm", "hip", "aiter", "kernel", "platform"},
        [&](std::string_view word) { return has_word(file, statement.tokens, word); });
  return std::ranges::find(kCommonModules, name) == kCommonModules.end();
}

// Of another package: what is in the path of this file is the project's own.
bool imports_another_package(const PythonCheck& check, const Statement& statement) {
  if (!imports_a_feature(check, statement)) return false;
  const std::string_view name = check.file.text(statement.tokens.begin + 1);
  return ("/" + check.facts.path).find(fmt::format("/{}/", name)) == std::string::npos;
}

// Somebody said why, in a comment of its own line.
bool is_explained(const File& file, StatementIndex handler) {
  const std::size_t header = file.span(file.statements()[handler].tokens).end;
  const std::size_t begin = file.text().find('\n', header);
  const StatementIndex last = file.statements()[handler].block_end - 1;
  const std::size_t end = file.span(file.statements()[last].tokens).end;
  return std::ranges::any_of(file.comments(), [&](const Comment& comment) {
    const std::string_view text =
        file.text().substr(comment.span.begin, comment.span.end - comment.span.begin);
    return comment.span.begin > begin && comment.span.begin < end && !text.starts_with("# noqa") &&
           !text.starts_with("# type:") && !text.starts_with("# pylint");
  });
}

// has_it = False, return False.
bool answers_no(const File& file, StatementIndex handler) {
  const TokenRange last = file.statements()[file.children(handler).back()].tokens;
  return last.size() >= 2 && file.is(last.end - 1, "False");
}

// nvmlShutdown(): what fails while cleaning up is nobody's concern.
bool only_cleans_up(const File& file, StatementIndex attempt) {
  static constexpr std::array<std::string_view, 6> kWords = {"shutdown", "close",   "destroy",
                                                             "cleanup",  "release", "stop"};
  const StatementIndex end = file.statements()[attempt].block_end;
  if (end != attempt + 2) return false;
  return any_token(file, attempt + 1, end, [&](TokenIndex token) {
    return file.tokens()[token].kind == Kind::kName && file.is(token + 1, "(") &&
           std::ranges::any_of(
               kWords, [&](std::string_view word) { return holds(file.text(token), word); });
  });
}

// metadata("package"), importlib.metadata.version("package"): is it installed?
bool asks_for_package(const File& file, TokenIndex token) {
  if (token < 2 || (file.is(token - 1, ".") && !file.is(token - 2, "metadata"))) return false;
  return (file.is(token, "metadata") || file.is(token, "version")) && file.is(token + 1, "(") &&
         file.tokens()[token + 2].kind == Kind::kString && file.is(token + 3, ")");
}

// torch.ops.name(…), ops.name(…): is the kernel there?
bool asks_for_kernel(const File& file, TokenIndex token) {
  return file.is(token, kOps) && file.is(token + 1, ".") &&
         (token < 2 || !file.is(token - 1, ".") || file.is(token - 2, kTorch));
}

// What the handler leaves behind says "it is not there": a flag, None, a default; or nothing.
bool gives_up(const File& file, StatementIndex handler) {
  const std::vector<StatementIndex> body = file.children(handler);
  if (body.empty() || body.size() > 2) return false;
  return std::ranges::all_of(body, [&](StatementIndex at) {
    const Statement& statement = file.statements()[at];
    return statement.kind == StatementKind::kPass || statement.kind == StatementKind::kReturn ||
           statement.kind == StatementKind::kContinue || statement.kind == StatementKind::kImport ||
           statement.kind == StatementKind::kFromImport ||
           (statement.kind == StatementKind::kSimple && statement.tokens.size() >= 3 &&
            file.is(file.dotted(statement.tokens.begin).end, "="));
  });
}

// A few lines that ask for something; a long block does more than that.
bool is_probe(const PythonCheck& check, StatementIndex attempt) {
  const File& file = check.file;
  constexpr StatementIndex kLongest = 4;
  const StatementIndex end = file.statements()[attempt].block_end;
  if (end - attempt - 1 > kLongest) return false;
  for (StatementIndex at = attempt + 1; at < end; ++at)
    if (imports_a_feature(check, file.statements()[at])) return true;
  return any_token(file, attempt + 1, end, [&](TokenIndex token) {
    return asks_for_kernel(file, token) || asks_for_package(file, token) ||
           std::ranges::any_of(kProbes, [&](const Name& name) { return file.is(token, name); });
  });
}

// Words in the names of functions that ask what the machine has.
constexpr std::array<std::string_view, 18> kAsking = {
    "cuda", "hip",  "rocm", "gpu", "device", "driver",  "target",    "arch",   "capabilit",
    "nccl", "rccl", "nvml", "smi", "triton", "library", "signature", "kernel", "backend"};

bool asks_by_name(const File& file, TokenIndex token) {
  if (file.tokens()[token].kind != Kind::kName || !file.is(token + 1, "(")) return false;
  const TokenRange name = file.dotted(token);
  return std::ranges::any_of(kAsking,
                             [&](std::string_view word) { return has_word(file, name, word); });
}

// subprocess.check_output(["rocminfo"]): a program that knows the machine.
bool asks_a_program(const File& file, TokenIndex token) {
  static constexpr std::array<std::string_view, 7> kPrograms = {
      "rocm", "smi", "hipcc", "hipconfig", "nvcc", "numa", "nvidia"};
  if (file.tokens()[token].kind != Kind::kString) return false;
  TokenIndex open = file.enclosing(token);
  if (open != kNoToken && file.is(open, "[")) open = file.enclosing(open);
  if (open == kNoToken || open == 0 || !file.is(open, "(")) return false;
  static constexpr std::array<std::string_view, 7> kCalls = {
      "run", "check_output", "check_call", "call", "Popen", "getoutput", "popen"};
  return is_one_of(kCalls, file.text(open - 1)) &&
         std::ranges::any_of(kPrograms,
                             [&](std::string_view word) { return holds(file.text(token), word); });
}

// A few lines that import something, or ask the machine for it.
bool asks_for_something(const File& file, StatementIndex attempt) {
  constexpr StatementIndex kLongest = 8;
  const StatementIndex end = file.statements()[attempt].block_end;
  if (end - attempt > kLongest) return false;
  for (StatementIndex at = attempt + 1; at < end; ++at)
    if (const StatementKind kind = file.statements()[at].kind;
        kind == StatementKind::kImport || kind == StatementKind::kFromImport)
      return true;
  return any_token(file, attempt + 1, end, [&](TokenIndex token) {
    return asks_by_name(file, token) || asks_a_program(file, token);
  });
}

// One statement that only turns a value into another: what fails is the value.
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

// Does what fails have to do with a GPU? Elsewhere a broad handler is a matter of taste.
bool concerns_a_gpu(const File& file, StatementIndex attempt, StatementIndex handler) {
  static constexpr std::array<std::string_view, 11> kWords = {"torch",  "tensor", "cuda", "gpu",
                                                              "device", "triton", "hip",  "rocm",
                                                              "kernel", "dtype",  "numa"};
  const StatementIndex end = file.statements()[handler].block_end;
  return any_token(file, attempt + 1, end, [&](TokenIndex token) {
    return file.tokens()[token].kind == Kind::kName &&
           std::ranges::any_of(
               kWords, [&](std::string_view word) { return holds(file.text(token), word); });
  });
}

// Only imports, and a flag set: then the fix is known.
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
  const bool named = statement.tokens.size() == 4;
  const Told told =
      tells(file, handler, named ? file.text(statement.tokens.begin + 3) : std::string_view());
  // Even those that end the program: an interrupt is then reported as something else.
  const bool catches_all =
      statement.tokens.size() == 1 || file.is(statement.tokens.begin + 1, "BaseException");
  if (told == Told::kTheReason || (told == Told::kSomething && !catches_all)) return;
  const StatementIndex attempt = try_of(file, handler);
  if (attempt == kNoStatement || check.facts.is_test || at_a_boundary(file, handler) ||
      is_for_others(check) || only_converts(file, attempt) || only_cleans_up(file, attempt))
    return;
  const bool gives_up_silently = told == Told::kNothing && gives_up(file, handler);
  const bool probe = gives_up_silently && is_probe(check, attempt);
  const auto imports = [&](StatementIndex at) {
    return imports_another_package(check, file.statements()[at]);
  };
  const bool is_sure =
      probe && !is_explained(file, handler) &&
      (answers_no(file, handler) || std::ranges::any_of(file.children(attempt), imports));
  const bool may_be_probe = gives_up_silently && asks_for_something(file, attempt);
  // Not even the end of the program comes through, and nobody hears of it.
  const bool stops_all = catches_all && gives_up_silently && !is_tool(check);
  if (!probe && !may_be_probe && !stops_all && !concerns_a_gpu(file, attempt, handler)) return;
  std::vector<Fix> fixes;
  if (only_imports(file, attempt)) {
    const Span where = statement.tokens.size() == 1 ? Span{file.span(statement.tokens.begin).end,
                                                           file.span(statement.tokens.begin).end}
                                                    : file.span(statement.tokens.begin + 1);
    fixes.push_back(
        {.description = "catch what a missing module raises",
         .safe = false,
         .edits = {{where, statement.tokens.size() == 1 ? " ImportError" : "ImportError"}}});
  }
  check.report(file.span(statement.tokens),
               is_sure                 ? Confidence::kHigh
               : probe || may_be_probe ? Confidence::kMedium
                                       : Confidence::kLow,
               probe || may_be_probe
                   ? "this hides why the feature is missing: catch what its absence raises"
                   : "every exception is swallowed here, also those that nobody expected",
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
          .summary = "a handler for everything that hides why a feature is missing",
          .triggers = {kExcept},
          .python = find};
}

}  // namespace hipwright::lint::rules
