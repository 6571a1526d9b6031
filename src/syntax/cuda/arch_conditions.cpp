// SPDX-License-Identifier: MIT
#include "syntax/cuda/arch_conditions.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "syntax/cuda/arch_statements.h"
#include "syntax/cuda/values.h"
#include "syntax/names.h"

namespace hipwright::syntax::cuda {

namespace {

const Name kArch("__CUDA_ARCH__");
const Name kOnDevice("__HIP_DEVICE_COMPILE__");

bool is_directive(const File& file, TokenIndex at) {
  return (file.tokens()[at].flags & kInDirective) != 0;
}

bool begins_directive(const File& file, TokenIndex at) {
  return file.is(at, "#") && (file.tokens()[at].flags & kFirstOnLine) != 0;
}

TokenIndex line_end(const File& file, TokenIndex hash) {
  TokenIndex at = hash + 1;
  while (at + 1 < file.tokens().size() && is_directive(file, at) && !begins_directive(file, at))
    ++at;
  return at;
}

// Code with an effect: it stores or returns a value. Traps and hints do not count.
bool does_something(const File& file, TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (is_directive(file, at)) continue;
    if (is_punctuator(file, at, {"=", "+=", "-=", "*=", "|=", "&=", "^=", "++", "--"})) return true;
    if (!is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (word == "return" && !file.is(at + 1, ";")) return true;
    // iterator first{span.begin()};
    if (file.is(at + 1, "{") && file.partner(at + 1) != kNoToken && at > range.begin &&
        (is_name(file, at - 1) || file.is(at - 1, ">")) && file.is(file.partner(at + 1) + 1, ";"))
      return true;
    if (contains_word(word, "atomic") || contains_word(word, "store") ||
        contains_word(word, "kernel"))
      return true;
  }
  return false;
}

bool is_statement_start(const File& file, TokenIndex at) {
  return at == 0 || is_punctuator(file, at - 1, {";", "{", "}", ")"});
}

// a of a[i].b, at whose end `at` is; kNoToken for a->b, (*a).b and other expressions.
TokenIndex object_of(const File& file, TokenIndex at) {
  for (;;) {
    while (file.is(at, "]") && file.partner(at) != kNoToken && file.partner(at) > 0)
      at = file.partner(at) - 1;
    if (!is_name(file, at) || at == 0) return kNoToken;
    if (!file.is(at - 1, ".")) return file.is(at - 1, "->") ? kNoToken : at;
    at -= 2;
  }
}

// x = …, x[i] += …, ++x of a variable that lives as long as the function runs.
bool sets_local(const File& file, TokenRange body, TokenIndex operation) {
  const bool is_prefix = is_statement_start(file, operation) || file.is(operation - 1, "(");
  const TokenIndex object = object_of(file, is_prefix ? operation + 1 : operation - 1);
  if (object == kNoToken) return false;
  if (declared_at(file, object)) return true;
  const std::optional<Variable> variable = declaration_of(file, object);
  if (!variable || !body.contains(variable->name) || variable->is_reference) return false;
  return !file.is(object - 1, "*") && (!file.is(object + 1, "[") || variable->is_array);
}

// Functions whose calls order lanes or report, and have no other effect.
bool is_idle_call(std::string_view name) {
  return name.starts_with("__sync") || name == "assert" || name == "static_assert" ||
         name == "printf" || name == "__nanosleep" || name == "__trap";
}

// Statements around the branches that do more than prepare variables: they store, return a value,
// or call a function.
bool works_outside(const File& file, TokenRange body, TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (is_directive(file, at)) continue;
    if (is_punctuator(file, at,
                      {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>=", "++", "--"})) {
      if (!sets_local(file, body, at)) return true;
      continue;
    }
    if (!is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (word == "return" && !file.is(at + 1, ";")) return true;
    const bool is_call = is_statement_start(file, at) && file.is(at + 1, "(") && word != "if" &&
                         word != "for" && word != "while" && word != "switch" && word != "return";
    if (is_call && !is_idle_call(word)) return true;
    if (contains_word(word, "atomic") || contains_word(word, "store") ||
        contains_word(word, "kernel"))
      return true;
  }
  return false;
}

// asm("trap;"); other assembly works.
bool is_assembly(const File& file, TokenIndex at, bool traps) {
  const std::string_view word = file.text(at);
  if (word != "asm" && word != "__asm__" && word != "__asm") return false;
  TokenIndex open = at + 1;
  while (is_name(file, open)) ++open;  // volatile
  if (!file.is(open, "(") || file.partner(open) == kNoToken) return traps;
  return (file.text({open, file.partner(open)}).find("trap") != std::string_view::npos) == traps;
}
bool has_working_assembly(const File& file, TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at)
    if (is_name(file, at) && !is_directive(file, at) && is_assembly(file, at, false)) return true;
  return false;
}

bool is_stub(const File& file, TokenRange range) {
  bool traps = false;
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (is_directive(file, at) || !is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    traps |= word == "assert" || word == "__trap" || word == "trap" ||
             is_assembly(file, at, true) || word == "printf" || word == "__builtin_trap" ||
             word == "abort" || contains_word(word, "unreachable") ||
             contains_word(word, "not_implemented") || contains_word(word, "no_device_code") ||
             contains_word(word, "invalid");
  }
  return traps;
}

// return false; and nothing else: the branch for the host, which never calls it.
bool returns_constant(const File& file, TokenRange range) {
  TokenIndex at = range.begin;
  while (at < range.end && is_directive(file, at)) ++at;
  if (at + 2 >= range.end || file.text(at) != "return" || !file.is(at + 2, ";")) return false;
  const std::string_view value = file.text(at + 1);
  const bool is_constant = file.tokens()[at + 1].kind == Kind::kNumber || value == "false" ||
                           value == "true" || value == "nullptr";
  if (!is_constant) return false;
  for (at += 3; at < range.end; ++at)
    if (!is_directive(file, at)) return false;
  return true;
}

// More than constants: the result of the branch depends on something.
bool computes(const File& file, TokenRange range, const Function& function) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (is_directive(file, at) || !is_name(file, at)) continue;
    for (TokenIndex each = function.parameters.begin; each < function.parameters.end; ++each)
      if (is_name(file, each) && file.text(each) == file.text(at) &&
          is_punctuator(file, each + 1, {",", ")"}))
        return true;
  }
  return false;
}

// return; alone, or under `if constexpr (…) {`, with nothing after it.
bool leaves_at_once(const File& file, TokenRange branch) {
  TokenIndex at = branch.begin;
  while (at < branch.end && is_directive(file, at)) ++at;
  if (file.text(at) == "if") {
    at += file.text(at + 1) == "constexpr" ? 2 : 1;
    const TokenIndex close = file.is(at, "(") ? file.partner(at) : kNoToken;
    if (close == kNoToken || close >= branch.end) return false;
    at = close + 1;
  }
  if (file.is(at, "{")) ++at;
  return at + 1 < branch.end && file.text(at) == "return" && file.is(at + 1, ";");
}

struct Branch {
  TokenRange body;
  Truth on_amd;
};

std::vector<Branch> branches_of(const File& file, const ConditionGroup& group) {
  std::vector<Branch> branches;
  for (const TokenRange& body : group.branches)
    if (!body.empty()) branches.push_back({body, file.compiled(body.begin, Platform::kAmd)});
  return branches;
}

// #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800 … return; … #endif: the kernel ends there on
// AMD.
bool ends_kernel(const File& file, const Function& function, TokenRange whole,
                 const std::vector<Branch>& branches) {
  return function.is_device() && branches.size() == 1 && branches[0].on_amd == Truth::kYes &&
         leaves_at_once(file, branches[0].body) &&
         does_something(file, {whole.end, function.body.end});
}

// What the function does on AMD, if its branches for NVIDIA do more.
std::optional<HiddenCode::Effect> effect_of(const File& file, const Function& function,
                                            TokenRange whole, const std::vector<Branch>& branches) {
  using enum HiddenCode::Effect;
  if (ends_kernel(file, function, whole, branches)) return kReturns;
  bool hides = false, traps = false, computing = false, constant_only = false;
  for (const auto& [branch, on_amd] : branches) {
    if (on_amd == Truth::kNo) {
      hides |= does_something(file, branch);
      computing |= computes(file, branch, function);
    } else if (function.is_device() && returns_constant(file, branch)) {
      constant_only = true;
    } else if (!is_stub(file, branch) &&
               (does_something(file, branch) || has_working_assembly(file, branch))) {
      return std::nullopt;
    } else {
      traps |= is_stub(file, branch);
    }
  }
  if (!hides || (constant_only && !computing)) return std::nullopt;
  // Outside the branches the function does nothing.
  if (works_outside(file, function.body, {function.body.begin, whole.begin}) ||
      works_outside(file, function.body, {whole.end, function.body.end}))
    return std::nullopt;
  return traps ? kTraps : constant_only ? kConstant : kNothing;
}

// __HIP_DEVICE_COMPILE__ * 700
bool is_number_of_amd(const File& file, TokenIndex at) {
  return file.is(at, kOnDevice) && file.is(at + 1, "*") && literal(file, at + 2).has_value();
}

}  // namespace

std::optional<ConditionGroup> group_of(const File& file, TokenIndex token) {
  TokenIndex hash = token;
  while (hash > 0 && is_directive(file, hash) && !begins_directive(file, hash)) --hash;
  const std::string_view word = file.text(hash + 1);
  if (!file.is(hash, "#") || (word != "if" && word != "ifdef")) return std::nullopt;
  ConditionGroup group{.lines = {hash, hash}, .branches = {}};
  TokenIndex body = line_end(file, hash);
  int depth = 0;
  for (TokenIndex at = body; at + 1 < file.tokens().size(); ++at) {
    if (!file.is(at, "#") || !is_directive(file, at)) continue;
    const std::string_view kind = file.text(at + 1);
    if (kind.starts_with("if")) {
      ++depth;
    } else if (kind == "endif" && depth-- == 0) {
      group.branches.push_back({body, at});
      group.lines.end = line_end(file, at);
      return group;
    } else if (depth == 0 && (kind == "else" || kind.starts_with("elif"))) {
      group.branches.push_back({body, at});
      body = line_end(file, at);
    }
  }
  return std::nullopt;
}

bool counts_amd(const File& file, const ConditionGroup& group) {
  for (TokenIndex at = group.lines.begin; at < group.lines.end; ++at)
    if (is_directive(file, at) && is_number_of_amd(file, at)) return true;
  return false;
}

bool names_amd(const File& file, const ConditionGroup& group) {
  const bool is_ported = counts_amd(file, group);
  for (TokenIndex at = group.lines.begin; at < group.lines.end; ++at) {
    if (!is_directive(file, at) || !is_name(file, at)) continue;
    if (is_ported && file.is(at, kOnDevice)) continue;
    const std::string_view word = file.text(at);
    if (contains_word(word, "rocm") || contains_word(word, "hip") || contains_word(word, "amd"))
      return true;
  }
  return false;
}

bool is_for_hopper(const File& file, const ConditionGroup& group) {
  for (TokenIndex at = group.lines.begin; at < group.lines.end && is_directive(file, at); ++at)
    if (const auto number = literal(file, at); number && number->value >= 900) return true;
  return false;
}

std::string_view to_string(HiddenCode::Effect effect) {
  switch (effect) {
    case HiddenCode::Effect::kNothing:
      return "does nothing";
    case HiddenCode::Effect::kTraps:
      return "only traps";
    case HiddenCode::Effect::kConstant:
      return "returns a constant";
    case HiddenCode::Effect::kMissing:
      return "is not compiled";
    case HiddenCode::Effect::kReturns:
      break;
  }
  return "returns here";
}

std::set<std::string_view> architecture_macros(const File& file) {
  std::set<std::string_view> derived;
  const auto is_test = [&](TokenIndex at) {
    return file.is(at, kArch) || is_number_of_amd(file, at) ||
           (is_name(file, at) && derived.contains(file.text(at)));
  };
  const auto depends = [&](const Macro& macro) {
    for (TokenIndex at = macro.body.begin; at < macro.body.end; ++at)
      if (is_test(at)) return true;
    // #if __CUDA_ARCH__ >= 800, #define HAS_ASYNC_COPY
    return std::ranges::any_of(file.conditions(macro.name), [&](std::string_view condition) {
      if (condition.find("__HIP_DEVICE_COMPILE__ *") != std::string_view::npos) return true;
      const Tokens words = lex(condition);
      return std::ranges::any_of(words.list, [&](const Token& word) {
        const std::string_view text = condition.substr(word.begin, word.end - word.begin);
        return text == "__CUDA_ARCH__" || derived.contains(text);
      });
    });
  };
  if (!file.has(kArch) && !file.has(kOnDevice)) return derived;
  for (const Macro& macro : file.macros())
    if (!file.is(macro.name, kArch) && !macro.is_function && depends(macro))
      derived.insert(file.text(macro.name));
  return derived;
}

namespace {

struct Chosen {
  ConditionGroup group;
  std::vector<Branch> branches;
};

std::optional<Chosen> chosen_by_lines(const File& file, TokenIndex at) {
  const auto group = group_of(file, at);
  if (!group || names_amd(file, *group)) return std::nullopt;
  return Chosen{*group, branches_of(file, *group)};
}

std::optional<Chosen> chosen_by_statement(const File& file, TokenIndex at,
                                          const Function& function) {
  if (!function.is_device()) return std::nullopt;
  const auto statement = arch_statement_at(file, at);
  if (!statement) return std::nullopt;
  Chosen chosen{{statement->whole, {statement->taken, statement->skipped}}, {}};
  if (!statement->taken.empty()) chosen.branches.push_back({statement->taken, Truth::kYes});
  if (!statement->skipped.empty()) chosen.branches.push_back({statement->skipped, Truth::kNo});
  return chosen;
}

// Where the architecture number, or a macro that depends on it, is tested.
std::vector<TokenIndex> tests_of(const File& file, const std::set<std::string_view>& macros) {
  std::vector<TokenIndex> tests(file.occurrences(kArch).begin(), file.occurrences(kArch).end());
  for (const TokenIndex at : file.occurrences(kOnDevice))
    if (is_number_of_amd(file, at)) tests.push_back(at);
  for (const std::string_view macro : macros)
    for (const TokenIndex at : places_of(file, macro)) tests.push_back(at);
  std::ranges::sort(tests);
  return tests;
}

bool is_kernel(const Function& function) {
  return (function.qualifiers & kGlobal) != 0 && !function.body.empty() &&
         function.name != kNoToken;
}

// Only these branches define it, or others that AMD does not compile.
bool is_missing(const File& file, const Function& kernel) {
  return std::ranges::none_of(file.functions(), [&](const Function& other) {
    return is_kernel(other) && file.text(other.name) == file.text(kernel.name) &&
           file.compiled(other.name, Platform::kAmd) != Truth::kNo;
  });
}

}  // namespace

std::vector<HiddenCode> kernels_hidden_from_amd(const File& file,
                                                const std::set<std::string_view>& macros) {
  std::vector<HiddenCode> all;
  TokenIndex last = kNoToken;
  for (const TokenIndex at : tests_of(file, macros)) {
    if (file.function_at(at) != nullptr || !is_directive(file, at)) continue;
    std::optional<Chosen> chosen = chosen_by_lines(file, at);
    if (!chosen || std::exchange(last, chosen->group.lines.begin) == chosen->group.lines.begin)
      continue;
    const auto hidden = std::ranges::find_if(file.functions(), [&](const Function& function) {
      return is_kernel(function) &&
             std::ranges::any_of(chosen->branches,
                                 [&](const Branch& branch) {
                                   return branch.on_amd == Truth::kNo &&
                                          branch.body.contains(function.name);
                                 }) &&
             is_missing(file, function);
    });
    if (hidden == file.functions().end()) continue;
    const bool is_empty = std::ranges::any_of(file.functions(), [&](const Function& other) {
      return (other.qualifiers & kGlobal) != 0 && other.name != kNoToken &&
             file.is(other.body.end, "}") && file.text(other.name) == file.text(hidden->name) &&
             file.compiled(other.name, Platform::kAmd) != Truth::kNo;
    });
    all.push_back({std::move(chosen->group), &*hidden,
                   is_empty ? HiddenCode::Effect::kNothing : HiddenCode::Effect::kMissing});
  }
  return all;
}

std::vector<HiddenCode> code_hidden_from_amd(const File& file,
                                             const std::set<std::string_view>& macros) {
  std::vector<HiddenCode> all;
  TokenIndex last = kNoToken;
  for (const TokenIndex at : tests_of(file, macros)) {
    const Function* function = file.function_at(at);
    if (function == nullptr || !function->body.contains(at)) continue;
    std::optional<Chosen> chosen = is_directive(file, at)
                                       ? chosen_by_lines(file, at)
                                       : chosen_by_statement(file, at, *function);
    if (!chosen || std::exchange(last, chosen->group.lines.begin) == chosen->group.lines.begin)
      continue;
    if (const auto effect = effect_of(file, *function, chosen->group.lines, chosen->branches))
      all.push_back({std::move(chosen->group), function, *effect});
  }
  return all;
}

}  // namespace hipwright::syntax::cuda
