// SPDX-License-Identifier: MIT
// An AMD GPU's version is compared with NVIDIA compute capabilities.
//
// ## What it finds
//
// `torch.cuda.get_device_capability()`, other functions with "capability" in their names,
// `has_device_capability(90)`, `get_device_properties(…).major` and similar expressions compared
// with a number, without a platform check around them. Comparisons with 8.9 and 9.x go wrong on MI
// GPUs, those with 10 to 12 on Radeon; others are reported with low confidence. So are
// `capability < 9` as a condition for leaving, each step of `if capability < 8: … elif
// capability < 9: …`, of which an AMD GPU takes the last, and a parameter named `sm` or `cc` that
// is compared with such a number; membership in a list and values computed from a capability
// count likewise. In code for ROCm: a major number that is compared with 9, as if a
// larger number meant more features. In C++: `properties->major >= 9`, and with low confidence
// other numbers.
//
// ## Why it matters
//
// On ROCm the capability is the number of the gfx target: gfx90a returns (9, 0), gfx942 (9, 4),
// gfx1100 (11, 0), gfx1201 (12, 0). `>= (9, 0)` mistakes an MI300X for a Hopper GPU, and a Radeon
// for a Blackwell: the program selects kernels, formats or tile sizes that the GPU does not
// support.
//
// ## Example
//
// ```python
// if torch.cuda.get_device_capability()[0] >= 9:
//     return flash_attention_3(q, k, v)
// ```
//
// ## Use instead
//
// ```python
// if torch.version.hip is None and torch.cuda.get_device_capability()[0] >= 9:
//     return flash_attention_3(q, k, v)
// ```
//
// ## When it is not a bug
//
// - The platform is checked before, or the code is for NVIDIA only.
// - AMD's numbers are meant: `>= (9, 4)` next to a ROCm library.
// - A lower bound that every AMD GPU meets, for a feature that every AMD GPU has.
#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

// Return a capability that the caller compares.
const std::array kAnswers = {Name("get_device_sm"), Name("get_sm_version")};
constexpr std::string_view kCapability = "capability";  // in a function's name: likewise
// Compare it with their argument: has_device_capability(90), has_cuda_capability(8, 9).
bool is_comparison(std::string_view function) {
  return (function.starts_with("has_") || function.starts_with("is_")) &&
         (function.ends_with("capability") || function.ends_with("capability_family"));
}
const Name kProperties("get_device_properties");
const Name kMajor("major");
// Parameters that hold one.
const std::array kShortNames = {Name("sm"), Name("cc"), Name("sm_version"), Name("compute_cap")};
// Parameters that hold the first number of one.
const std::array kMajorNames = {Name("sm_major"), Name("cc_major"), Name("arch_major"),
                                Name("cap_major"), Name("compute_major")};

// NVIDIA's libraries and instructions: code that tests for them has checked the platform.
constexpr std::array<std::string_view, 17> kNvidiaWords = {
    "flashinfer", "cutlass", "deep_gemm", "deepgemm",  "trtllm", "marlin",
    "nvfp4",      "cutedsl", "nvidia",    "_tma",      "sm90",   "sm100",
    "machete",    "fa3",     "hopper",    "blackwell", "sm_90"};

// A capability in tenths: 9, 9.0, (9, 0) and 90 are 90. 0 if it is not a number.
int capability(const File& file, TokenRange value) {
  const auto number = [&](TokenIndex at) {
    const std::string_view text = file.text(at);
    int parsed = 0;
    // 8.9
    if (text.size() == 3 && text[1] == '.' && text[0] >= '5' && text[0] <= '9' && text[2] >= '0' &&
        text[2] <= '9')
      return (text[0] - '0') * 10 + (text[2] - '0');
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    return error == std::errc() && end == text.data() + text.size() ? parsed : -1;
  };
  int found = 0;
  if (value.size() == 1) {
    found = number(value.begin);
    if (found > 0 && found <= 12) found *= 10;
  } else if (value.size() == 5 && file.is(value.begin, "(") && file.is(value.begin + 2, ",")) {
    found = number(value.begin + 1) * 10 + number(value.begin + 3);
  }
  return found >= 50 && found <= 129 ? found : 0;
}

struct Comparison {
  TokenRange whole;
  std::string_view op;
  int with = 0;
};

// capability in [(9, 0), (10, 0)]: the number among them that most AMD GPUs return.
Comparison membership(const File& file, TokenIndex begin, TokenIndex in) {
  const TokenIndex open = in + 1;
  const bool is_list = file.is(open, "[") || file.is(open, "(") || file.is(open, "{");
  if (!is_list || file.partner(open) == kNoToken) return {};
  int with = 0;
  for (const TokenRange& each : file.arguments(open)) {
    const int number = capability(file, each);
    if (number >= 89 && (with == 0 || number == 90)) with = number;
  }
  return with == 0 ? Comparison{} : Comparison{{begin, file.partner(open) + 1}, "==", with};
}

// The comparison after a capability: [0] >= 9, .major == 9, >= (9, 0), .to_int() < 90
Comparison comparison_after(const File& file, TokenIndex begin, TokenIndex end) {
  static constexpr std::array<std::string_view, 6> kOps = {"<", ">", "<=", ">=", "==", "!="};
  bool is_part = false;
  if (file.is(end, "[") && file.partner(end) == end + 2) {
    if (file.is(end + 1, "1")) return {};
    end += 3;
  }
  // (capability := get_device_capability()) >= (9, 0)
  if (file.is(end, ")") && file.partner(end) != kNoToken && file.partner(end) < begin &&
      file.is(file.partner(end) + 2, ":="))
    ++end;
  while (file.is(end, ".") && (file.is(end + 1, "major") || file.is(end + 1, "to_int") ||
                               file.is(end + 1, "as_version_str"))) {
    is_part = true;
    end += 2;
    if (file.is(end, "(") && file.partner(end) == end + 1) end += 2;
  }
  if (file.is(end, ".") && !is_part) return {};
  if (file.is(end, "in")) return membership(file, begin, end);
  if (!is_any(file.text(end), kOps)) return {};
  TokenRange value{end + 1, end + 2};
  if (file.is(end + 1, "(") && file.partner(end + 1) != kNoToken)
    value.end = file.partner(end + 1) + 1;
  // >= (major, minor): the parameters of has_cuda_capability(9, 0).
  const bool is_any_number = file.is(end, ">=") && file.is(value.begin, "(") &&
                             file.is(value.begin + 1, "major") && file.is(value.begin + 3, "minor");
  return {{begin, value.end}, file.text(end), is_any_number ? 90 : capability(file, value)};
}

// "_IS_GFX95", "on_rocm", "is_cuda_static": a platform check. is_cuda_alike() and
// is_cuda_available() do not distinguish the two platforms.
bool asks_for_platform(std::string_view name) {
  return name != "is_cuda_alike" && !contains_word(name, "cuda_available") &&
         (contains_word(name, "gfx") || contains_word(name, "rocm") ||
          contains_word(name, "is_cuda") || contains_word(name, "is_hip") ||
          contains_word(name, "aiter") || contains_word(name, "is_amd"));
}

bool names_nvidia(const File& file, TokenRange where) {
  return std::ranges::any_of(kNvidiaWords,
                             [&](std::string_view word) { return has_word(file, where, word); });
}

// Does this code run only where NVIDIA's libraries are present? By the condition itself, by what
// the function tests and imports, by its name. What it calls afterwards proves nothing: choosing
// Hopper's kernels on an MI300X is the bug.
bool is_for_nvidia_library(const File& file, StatementIndex index) {
  const auto all = file.statements();
  const auto header = [&](StatementIndex at) {
    TokenRange asked = all[at].tokens;
    // assert condition, "message"
    if (all[at].kind == StatementKind::kAssert)
      for (TokenIndex token = asked.begin; token < asked.end; token = file.skip(token))
        if (file.is(token, ",")) asked.end = token;
    return names_nvidia(file, asked);
  };
  if (header(index)) return true;
  for (StatementIndex at = all[index].parent; at != kNoStatement; at = all[at].parent)
    if (header(at)) return true;
  const StatementIndex function = file.enclosing_def(index);
  if (function == kNoStatement) return false;
  // @register_backend("fa3")
  if (std::ranges::any_of(file.decorators(function), header)) return true;
  for (StatementIndex at = function + 1; at < index; ++at) {
    TokenRange asked = all[at].tokens;
    if (all[at].kind == StatementKind::kFromImport) {
      // The module, not the names imported from it: `from utils import is_blackwell` tests nothing.
      while (asked.end > asked.begin && !file.is(asked.end - 1, "import")) --asked.end;
    } else if (all[at].kind != StatementKind::kIf && all[at].kind != StatementKind::kElif &&
               all[at].kind != StatementKind::kImport) {
      continue;
    }
    if (names_nvidia(file, asked)) return true;
  }
  return false;
}

// Only tests before this point count.
bool follows_platform_test(const File& file, StatementIndex index) {
  TokenRange where = function_around(file, index);
  where.end = std::min(where.end, file.statements()[index].tokens.end);
  for (TokenIndex at = where.begin; at < where.end; ++at) {
    if (file.tokens()[at].kind != Kind::kName) continue;
    if (asks_for_platform(file.text(at))) return true;
    if (file.is(at, "version") && file.is(at + 1, ".") && file.is(at + 2, "cuda")) return true;
  }
  return is_for_nvidia_library(file, index);
}

// def is_marlin_supported(): return capability >= 75. Called on all platforms, true on every AMD
// GPU.
bool answers_for_all(const File& file, StatementIndex index) {
  const StatementIndex function = file.enclosing_def(index);
  if (function == kNoStatement || file.name_of(function) == kNoToken) return false;
  const std::string_view name = file.text(file.name_of(function));
  if (!contains_word(name, "support") && !contains_word(name, "available")) return false;
  // In a class, only the methods that are called before it is chosen.
  if (file.enclosing_class(function) != kNoStatement && !name.ends_with("is_supported") &&
      !name.ends_with("is_available") && !contains_word(name, "current_device"))
    return false;
  const TokenRange where = function_around(file, index);
  for (TokenIndex at = where.begin; at < where.end; ++at)
    if (file.tokens()[at].kind == Kind::kName && file.text(at) != name &&
        (asks_for_platform(file.text(at)) || file.text(at).starts_with("has_flash") ||
         file.text(at).starts_with("has_deep") || contains_word(file.text(at), "version") ||
         (contains_word(file.text(at), "available") && file.is(at + 1, "(") &&
          !(at > 1 && file.is(at - 2, "cuda")))))
      return false;
  return true;
}

// By name, up to the end of the statement; anywhere outside functions.
bool was_asked(const File& file, StatementIndex index) {
  const FunctionScope scope(file, index);
  const TokenIndex end = file.statements()[index].tokens.end;
  return std::ranges::any_of(platform_questions(), [&](const Name& name) {
    return std::ranges::any_of(file.occurrences(name), [&](TokenIndex at) {
      return scope.contains(at) && (at < end || !scope.is_function());
    });
  });
}

// One of several steps: if capability < 8: … elif capability < 9: …
bool is_step(const File& file, StatementIndex index) {
  const auto all = file.statements();
  if (all[index].kind == StatementKind::kElif) return true;
  return all[index].kind == StatementKind::kIf && all[index].block_end < all.size() &&
         all[all[index].block_end].kind == StatementKind::kElif &&
         all[all[index].block_end].parent == all[index].parent;
}

// `most`: of a function that may have asked for the platform itself, low.
void report(PythonCheck& check, const Comparison& found, std::set<TokenIndex>& seen,
            Confidence most = Confidence::kHigh) {
  const File& file = check.file;
  const TokenIndex at = found.whole.begin;
  const StatementIndex index = file.statement_at(at);
  if (found.with == 0 || index == kNoStatement || !seen.insert(at).second) return;
  const Truth runs = file.token_runs_on_rocm(at);
  if (runs == Truth::kNo || was_asked(file, index)) return;
  // NVIDIA has no 9.1 to 9.9: AMD's (9, 4) and (9, 5) are meant.
  if (found.with > 90 && found.with < 100) return;
  const bool for_all = answers_for_all(file, index);
  if (!for_all && (is_for_others(check) || follows_platform_test(file, index))) return;
  const bool is_lower = found.op == "<" || found.op == "<=";
  // No AMD GPU has such a small number: all take the branch of NVIDIA's newest GPUs.
  if (is_lower && found.with <= 90) {
    if (check.facts.is_test || (found.with < 89 && !is_step(file, index))) return;
    return check.report(
        file.span(found.whole), Confidence::kLow,
        "no AMD GPU has a smaller number, so all take the branch for NVIDIA's newest GPUs");
  }
  if (found.with < 89) {
    // One NVIDIA generation, whose number no AMD GPU has.
    if (check.facts.is_test || found.op == "==" || found.op == "!=") return;
    // assert capability >= 7: every AMD GPU meets it.
    if (file.statements()[index].kind == StatementKind::kAssert) return;
    const bool is_method = file.enclosing_class(file.enclosing_def(index)) != kNoStatement;
    return check.report(file.span(found.whole),
                        for_all && !is_method ? Confidence::kMedium : Confidence::kLow,
                        "every AMD GPU has a larger number here; check the platform first");
  }
  if (found.with < 100) {
    const bool meant = runs == Truth::kYes && file.enclosing_def(index) != kNoStatement;
    return check.report(
        file.span(found.whole),
        check.facts.is_test ? Confidence::kLow
                            : std::min(most, meant ? Confidence::kHigh : Confidence::kMedium),
        "gfx90a returns (9, 0) and gfx942 (9, 4); check the platform before the capability");
  }
  // gfx103x is the only (10, x), and such code never means it.
  const bool is_met = found.op.starts_with(">") || (found.op == "==" && found.with >= 110);
  if (is_met && !check.facts.is_test)
    check.report(file.span(found.whole), Confidence::kLow,
                 "Radeon GPUs return (10, 3) to (12, 0); check the platform before the capability",
                 {}, Relevance::kWave32);
}

// Variables that hold a capability, and variables computed from them.
void follow(PythonCheck& check, StatementIndex index, TokenRange call, bool is_properties,
            unsigned steps, std::set<TokenIndex>& seen) {
  const File& file = check.file;
  const Statement& statement = file.statements()[index];
  if (statement.kind != StatementKind::kSimple || steps > 2) return;
  for (TokenIndex at = statement.tokens.begin; at < call.begin; at = file.skip(at)) {
    if (file.tokens()[at].kind != Kind::kName || file.is(at + 1, ".") || file.is(at + 1, "["))
      continue;
    if (file.is(at, "minor") || file.is(at, "_") || file.is(at, "self")) continue;
    const Variable variable = variable_at(file, at);
    const std::vector<TokenIndex> places = uses(file, variable);
    if (std::ranges::find(places, at) == places.end()) continue;
    for (const TokenIndex place : places) {
      if (place <= call.begin && !variable.is_attribute) continue;
      if (is_properties && !(file.is(place + 1, ".") && file.is(place + 2, "major"))) continue;
      const TokenIndex begin = variable.is_attribute ? place - 2 : place;
      const Comparison found = comparison_after(file, begin, place + 1);
      if (!found.whole.empty()) {
        report(check, found, seen);
      } else if (const StatementIndex other = file.statement_at(place);
                 !is_properties && other != kNoStatement && other != index &&
                 (file.is(place + 1, "*") || file.is(place + 1, "["))) {
        follow(check, other, {place, place + 1}, false, steps + 1, seen);
      }
    }
  }
}

// capability = call, or the number computed from one: major = call[0], cc = given or call
bool is_assigned(const File& file, StatementIndex index, TokenRange call, bool is_properties) {
  const TokenRange tokens = file.statements()[index].tokens;
  if (call.begin > 0 && file.is(call.begin - 1, "=")) return true;
  if (is_properties || file.statements()[index].kind != StatementKind::kSimple) return false;
  static constexpr std::array<std::string_view, 4> kParts = {"+", "*", "or", "="};
  TokenIndex equals = kNoToken;
  for (TokenIndex at = tokens.begin; at < call.begin; at = file.skip(at)) {
    if (file.is(at, "=") && equals == kNoToken) equals = at;
    if (equals != kNoToken && file.tokens()[at].kind == Kind::kOp && !file.is(at, ".") &&
        !is_any(file.text(at), kParts))
      return false;
    if (file.is(at, "if") || file.is(at, "and") || file.is(at, "not")) return false;
  }
  return equals != kNoToken;
}

void look_at_answer(PythonCheck& check, TokenIndex at, bool is_properties,
                    std::set<TokenIndex>& seen) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  const TokenIndex close = file.is(at + 1, "(") ? file.partner(at + 1) : kNoToken;
  if (close == kNoToken || index == kNoStatement) return;
  const TokenRange call{file.dotted(at).begin, close + 1};
  if (!is_properties || file.is(call.end, ".")) {
    if (const Comparison found = comparison_after(file, call.begin, call.end); !found.whole.empty())
      return report(check, found, seen);
  }
  if (file.enclosing(at) == kNoToken && is_assigned(file, index, call, is_properties))
    follow(check, index, call, is_properties, 0, seen);
}

// The function of this name in the file; kNoStatement if it is another file's.
StatementIndex definition_of(const File& file, std::string_view name) {
  const auto all = file.statements();
  for (StatementIndex at = 0; at < all.size(); ++at)
    if (all[at].kind == StatementKind::kDef && file.name_of(at) != kNoToken &&
        file.text(file.name_of(at)) == name)
      return at;
  return kNoStatement;
}

// def has_cuda_capability(major, minor): return torch.version.hip is None and …
bool asks_itself(const File& file, StatementIndex definition) {
  const TokenRange body = function_around(file, definition + 1);
  return has_word(file, body, "hip") || has_word(file, body, "rocm");
}

// has_device_capability(90), is_device_capability((9, 0)), has_cuda_capability(8, 9)
void look_at_comparison(PythonCheck& check, TokenIndex at, std::set<TokenIndex>& seen) {
  const File& file = check.file;
  if (file.partner(at + 1) == kNoToken) return;
  const std::vector<TokenRange> given = file.arguments(at + 1);
  if (given.empty() || given.front().empty()) return;
  int with = capability(file, given.front());
  if (given.size() == 2 && given.front().size() == 1 && given.back().size() == 1 && with % 10 == 0)
    if (const std::string_view minor = file.text(given.back().begin);
        minor.size() == 1 && minor[0] >= '0' && minor[0] <= '9')
      with += with == 0 ? 0 : minor[0] - '0';
  const StatementIndex definition = definition_of(file, file.text(at));
  if (definition != kNoStatement && asks_itself(file, definition)) return;
  // has_cuda_capability(9, 0), from another file, may do so.
  const bool may_ask = definition == kNoStatement && contains_word(file.text(at), "cuda");
  report(check,
         {{file.dotted(at).begin, file.partner(at + 1) + 1},
          file.text(at).starts_with("has_") ? ">=" : "==",
          with},
         seen, may_ask ? Confidence::kLow : Confidence::kHigh);
}

// def pick(capability): if capability >= 90, capability = props.major, props.minor: an AMD GPU's
// number, too.
void look_at_parameter(PythonCheck& check, TokenIndex at, std::set<TokenIndex>& seen) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  if (index == kNoStatement || in_function_header(file, index)) return;
  const bool is_own = at >= 2 && file.is(at - 1, ".") && file.is(at - 2, "self");
  if (file.is(at - 1, ".") && !is_own) return;
  const std::vector<Binding> all = bindings(file, variable_at(file, at));
  const bool is_of_device = std::ranges::any_of(all, [&](const Binding& each) {
    return each.kind == BindingKind::kParameter || has_word(file, each.value, "major") ||
           (is_own && has_word(file, each.value, kCapability));
  });
  if (!is_of_device) return;
  const TokenIndex begin = is_own ? at - 2 : at;
  if (const Comparison found = comparison_after(file, begin, at + 1); !found.whole.empty())
    report(check, found, seen);
}

// def tile(sm): 128 if sm >= 90 else 64. Two digits or more: with one it may be anything.
void look_at_short_name(PythonCheck& check, TokenIndex at, std::set<TokenIndex>& seen) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  if (check.facts.is_test || index == kNoStatement || in_function_header(file, index) ||
      (at > 0 && file.is(at - 1, ".")))
    return;
  const std::vector<Binding> all = bindings(file, variable_at(file, at));
  const bool is_given = !all.empty() && std::ranges::all_of(all, [](const Binding& each) {
    return each.kind == BindingKind::kParameter;
  });
  const Comparison found = comparison_after(file, at, at + 1);
  if (!is_given || found.whole.empty() || found.with < 89 ||
      file.text(found.whole.end - 1).size() < 2 || was_asked(file, index) || is_for_others(check) ||
      follows_platform_test(file, index) || file.token_runs_on_rocm(at) == Truth::kNo ||
      !seen.insert(at).second)
    return;
  check.report(file.span(found.whole), Confidence::kLow,
               "AMD GPUs have such numbers, too: gfx90a is 90, gfx942 is 94, gfx1100 is 110");
}

// elif device == "rocm" and major < 9: the numbers of Radeon are 10 to 12.
void look_at_major_on_rocm(PythonCheck& check, TokenIndex at, std::set<TokenIndex>& seen) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  if (index == kNoStatement) return;
  const Comparison found = comparison_after(file, at, at + 1);
  const bool is_ordered = found.op == "<" || found.op == ">=";
  if (!is_ordered || found.with != 90) return;
  const TokenRange asked = file.statements()[index].tokens;
  bool is_for_rocm = false;
  for (TokenIndex token = asked.begin; token < asked.end; ++token)
    is_for_rocm |= file.tokens()[token].kind == Kind::kString && token > 0 &&
                   file.is(token - 1, "==") && is_any(file.string_value(token), {"rocm", "hip"});
  if (!is_for_rocm || has_word(file, asked, "gfx") || !seen.insert(at).second) return;
  check.report(file.span(found.whole), Confidence::kMedium,
               "Radeon GPUs have larger numbers (10 to 12) than MI300X (9), but not its features",
               {}, Relevance::kWave32);
}

void find(PythonCheck& check) {
  const File& file = check.file;
  const std::string_view path = check.facts.path;
  if (check.facts.is_rocm_specific || check.facts.built_on_amd == Truth::kNo ||
      path.ends_with("/cuda.py") || contains_word(path, "nvidia"))
    return;
  std::set<TokenIndex> seen;
  for (const TokenIndex at : file.occurrences(kMajor)) look_at_major_on_rocm(check, at, seen);
  for (const Name& name : kShortNames)
    for (const TokenIndex at : file.occurrences(name)) look_at_short_name(check, at, seen);
  for (const Name& name : kMajorNames)
    for (const TokenIndex at : file.occurrences(name))
      if (at > 0) look_at_parameter(check, at, seen);
  for (const Name& name : kAnswers)
    for (const TokenIndex at : file.occurrences(name)) look_at_answer(check, at, false, seen);
  for (TokenIndex at = 1; at + 1 < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kName) continue;
    if (!file.is(at + 1, "(") && file.text(at).ends_with(kCapability))
      look_at_parameter(check, at, seen);
    if (!file.is(at + 1, "(") || file.is(at - 1, "def")) continue;
    if (is_comparison(file.text(at)))
      look_at_comparison(check, at, seen);
    else if (file.text(at).ends_with(kCapability))
      look_at_answer(check, at, false, seen);
  }
  for (const TokenIndex at : file.occurrences(kProperties)) look_at_answer(check, at, true, seen);
}

// --- C++: properties->major >= 9 ---

// The number that `.major` is compared with; 0 if it is not.
int compared_with(const cu::File& source, cu::TokenIndex major) {
  if (!is_punctuator(source, major - 1, {".", "->"}) ||
      !is_punctuator(source, major + 1, {">=", ">", "=="}))
    return 0;
  const auto number = literal(source, major + 2);
  return number && number->value >= 5 && number->value <= 12 ? static_cast<int>(number->value) : 0;
}

// prop.major, getCurrentDeviceProperties()->major: of a GPU, not of a version.
bool is_of_properties(const cu::File& source, cu::TokenIndex major) {
  cu::TokenIndex owner = major - 2;
  if (source.is(owner, ")") && source.partner(owner) != cu::kNoToken)
    owner = source.partner(owner) - 1;
  return is_name(source, owner) && contains_word(source.text(owner), "prop");
}

void find_in_cuda(CudaCheck& check) {
  const cu::File& source = check.file;
  if (check.facts.is_test || check.facts.is_rocm_specific || is_bound_to_nvidia(check)) return;
  for (const cu::TokenIndex at : source.occurrences(kMajor)) {
    const int with = at > 2 ? compared_with(source, at) : 0;
    const cu::Function* function = source.function_at(at);
    if (with == 0 || function == nullptr || !is_of_properties(source, at) ||
        check.on_amd(at) == Truth::kNo)
      continue;
    // The function has a branch for AMD, or asks for the target's name.
    const std::string_view code = source.text(function->body);
    if (contains_word(code, "rocm") || contains_word(code, "hip") || contains_word(code, "gcnarch"))
      continue;
    check.report(source.span(cu::TokenRange{at, at + 3}),
                 sure(check, at, with == 9 ? Confidence::kMedium : Confidence::kLow),
                 "on AMD this is 9 for gfx9 and 10 to 12 for Radeon; check the platform first");
  }
}

}  // namespace

Rule capability_check() {
  std::vector<Name> triggers(kAnswers.begin(), kAnswers.end());
  triggers.push_back(kProperties);
  triggers.push_back(kMajor);
  triggers.insert(triggers.end(), kShortNames.begin(), kShortNames.end());
  triggers.insert(triggers.end(), kMajorNames.begin(), kMajorNames.end());
  return {.code = "HW505",
          .name = "capability-check",
          .summary = "AMD GPU version compared with NVIDIA compute capabilities",
          .triggers = std::move(triggers),
          .words = {kCapability},
          .cuda = find_in_cuda,
          .python = find};
}

}  // namespace hipwright::lint::rules
