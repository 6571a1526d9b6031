// SPDX-License-Identifier: MIT
#include "lint/python/around.h"

#include <algorithm>
#include <array>

namespace hipwright::lint {

using namespace syntax::python;
using syntax::Name;

namespace {

const std::array kPlatformQuestions = {
    Name("is_rocm"),  Name("is_hip"),      Name("_is_hip"), Name("IS_ROCM"),  Name("is_cuda"),
    Name("_is_cuda"), Name("is_amd"),      Name("on_gfx9"), Name("on_mi3xx"), Name("hip"),
    Name("USE_ROCM"), Name("HIP_VERSION"), Name("is_navi"), Name("on_gfx1x"), Name("ROCM_HOME")};
const Name kFp8Dtype("fp8_dtype");

}  // namespace

bool holds(std::string_view text, std::string_view lower_case_word) {
  return std::ranges::search(text, lower_case_word, [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         }).begin() != text.end();
}

bool is_for_others(const PythonCheck& check) {
  if (check.facts.is_nvidia_specific || check.facts.built_on_amd == syntax::Truth::kNo) return true;
  const std::string_view path = check.facts.path;
  for (const std::string_view part : {"flash_mla", "cute_dsl"})
    if (path.find(part) != std::string_view::npos) return true;
  // A folder around the library; a single file of that name is often a way around it, too.
  if (path.substr(0, path.rfind('/') + 1).find("deep_gemm") != std::string_view::npos) return true;
  if (path != "cuda.py" && !path.ends_with("/cuda.py")) return false;
  return !has_word(check.file, {0, static_cast<TokenIndex>(check.file.tokens().size())}, "rocm") &&
         !has_word(check.file, {0, static_cast<TokenIndex>(check.file.tokens().size())}, "hip");
}

bool is_tool(const PythonCheck& check) {
  const std::string path = "/" + check.facts.path;
  for (const std::string_view part : {"/tools/", "/scripts/", "/playground/", "/convert", "/tool_"})
    if (path.find(part) != std::string::npos) return true;
  return false;
}

TokenRange function_around(const File& file, StatementIndex statement) {
  const auto all = file.statements();
  const StatementIndex function =
      all[statement].kind == StatementKind::kDef ? statement : file.enclosing_def(statement);
  if (function == kNoStatement) return all[statement].tokens;
  return {all[function].tokens.begin, all[all[function].block_end - 1].tokens.end};
}

Scope::Scope(const File& file, StatementIndex statement) : file_(file) {
  const StatementIndex around = file.enclosing_def(statement);
  if (around == kNoStatement) return;
  const Statement& definition = file.statements()[around];
  const TokenIndex end = definition.block_end > around + 1
                             ? file.statements()[definition.block_end - 1].tokens.end
                             : definition.tokens.end;
  function_ = {definition.tokens.begin, end};
}

bool Scope::contains(TokenIndex token) const {
  if (!function_.empty()) return function_.contains(token);
  const StatementIndex statement = file_.statement_at(token);
  return statement != kNoStatement && file_.enclosing_def(statement) == kNoStatement &&
         file_.statements()[statement].kind != StatementKind::kDef;
}

TokenRange Scope::tokens() const {
  return is_function() ? function_ : TokenRange{0, static_cast<TokenIndex>(file_.tokens().size())};
}

bool mentions(const File& file, const Scope& scope, std::span<const Name> names) {
  return std::ranges::any_of(names, [&](const Name& name) {
    return std::ranges::any_of(file.occurrences(name),
                               [&](TokenIndex at) { return scope.contains(at); });
  });
}

bool has_word(const File& file, TokenRange where, std::string_view lower_case_word) {
  for (TokenIndex at = where.begin; at < where.end; ++at)
    if (const Kind kind = file.tokens()[at].kind; kind == Kind::kName || kind == Kind::kString)
      if (holds(file.text(at), lower_case_word)) return true;
  return false;
}

namespace {

enum class Asked { kNothing, kRocm, kNarrower };

Asked asked(const File& file, TokenRange condition) {
  Asked found = Asked::kNothing;
  for (TokenIndex at = condition.begin; at < condition.end; ++at) {
    if (file.tokens()[at].kind != Kind::kName) continue;
    const std::string_view name = file.text(at);
    if (holds(name, "fnuz") || holds(name, "gfx") || holds(name, "mi3") || holds(name, "aiter"))
      return Asked::kNarrower;
    if (name == "is_rocm" || name == "is_hip" || name == "_is_hip" || name == "_is_rocm" ||
        name == "is_hip_" || name == "IS_ROCM" || name == "hip")
      found = file.is(at > 1 && file.is(at - 1, ".") ? at - 3 : at - 1, "not") ? Asked::kNothing
                                                                               : Asked::kRocm;
  }
  return found;
}

// The condition of the `a if condition else b` whose `a` begins or ends at the token.
TokenRange condition_behind(const File& file, TokenIndex token) {
  TokenIndex at = file.dotted(token).end;
  if (!file.is(at, "if")) return {};
  const TokenIndex begin = ++at;
  while (at < file.tokens().size() && file.tokens()[at].kind != Kind::kNewline &&
         !file.is(at, "else"))
    at = file.skip(at);
  return {begin, at};
}

}  // namespace

bool is_for_all_of_rocm(const File& file, TokenIndex token) {
  if (const TokenRange condition = condition_behind(file, token); !condition.empty())
    return asked(file, condition) == Asked::kRocm;
  bool found = false;
  const auto all = file.statements();
  for (StatementIndex at = file.statement_at(token); at != kNoStatement; at = all[at].parent) {
    if (all[at].kind != StatementKind::kIf && all[at].kind != StatementKind::kElif) continue;
    const Asked what = asked(file, all[at].tokens);
    if (what == Asked::kNarrower) return false;
    found |= what == Asked::kRocm && !all[at].tokens.contains(token);
  }
  return found;
}

bool in_function_header(const File& file, StatementIndex statement) {
  return file.statements()[statement].kind == StatementKind::kDef;
}

std::span<const Name> platform_questions() {
  return kPlatformQuestions;
}

bool chooses_fp8_format(const File& file, const Scope& scope) {
  constexpr std::size_t kLongest = 40;  // of a string; longer ones explain
  const TokenRange tokens = scope.tokens();
  for (TokenIndex at = tokens.begin; at < tokens.end; ++at) {
    const Kind kind = file.tokens()[at].kind;
    if (kind != Kind::kName && (kind != Kind::kString || file.text(at).size() > kLongest)) continue;
    const std::string_view text = file.text(at);
    const bool says_so = holds(text, "fnuz") || holds(text, "float8e4b8") || holds(text, "gfx95") ||
                         holds(text, "gfx94");
    if ((says_so || (file.is(at, kFp8Dtype) && file.is(at + 1, "("))) && scope.contains(at))
      return true;
  }
  return false;
}

bool is_ocp_by_definition(const PythonCheck& check, StatementIndex statement) {
  static constexpr std::array<std::string_view, 5> kFormats = {"mxfp", "fp4", "e2m1", "mx_format",
                                                               "rceil"};
  const auto all = check.file.statements();
  const std::string_view function = function_name(check.file, statement);
  const auto is_said = [&](std::string_view word) {
    // if precision == "nvfp4": …
    for (StatementIndex at = statement; at != kNoStatement; at = all[at].parent)
      if ((at == statement || all[at].kind == StatementKind::kIf ||
           all[at].kind == StatementKind::kElif) &&
          has_word(check.file, all[at].tokens, word))
        return true;
    return holds(check.facts.path, word) || holds(function, word);
  };
  return std::ranges::any_of(kFormats, is_said);
}

std::string_view function_name(const File& file, StatementIndex statement) {
  const StatementIndex around = file.statements()[statement].kind == StatementKind::kDef
                                    ? statement
                                    : file.enclosing_def(statement);
  if (around == kNoStatement) return {};
  const TokenIndex name = file.name_of(around);
  return name == kNoToken ? std::string_view() : file.text(name);
}

}  // namespace hipwright::lint
