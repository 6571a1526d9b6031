// SPDX-License-Identifier: MIT
#include "lint/python/platform_choice.h"

#include <algorithm>
#include <array>

#include "arch/mentions.h"
#include "base/words.h"

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

bool is_for_others(const PythonCheck& check) {
  if (check.facts.is_nvidia_specific || check.facts.built_on_amd == syntax::Truth::kNo) return true;
  const std::string_view path = check.facts.path;
  for (const std::string_view part : {"flash_mla", "cute_dsl"})
    if (path.find(part) != std::string_view::npos) return true;
  // A folder named after the library; a single file of that name may also be a workaround.
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

namespace {

enum class Asked { kNothing, kRocm, kNarrower };

Asked asked(const File& file, TokenRange condition) {
  Asked found = Asked::kNothing;
  for (TokenIndex at = condition.begin; at < condition.end; ++at) {
    if (file.tokens()[at].kind != Kind::kName) continue;
    const std::string_view name = file.text(at);
    if (contains_word(name, "fnuz") || contains_word(name, "gfx") || contains_word(name, "mi3") ||
        contains_word(name, "aiter"))
      return Asked::kNarrower;
    if (name == "is_rocm" || name == "is_hip" || name == "_is_hip" || name == "_is_rocm" ||
        name == "is_hip_" || name == "IS_ROCM" || name == "hip")
      found = file.is(at > 1 && file.is(at - 1, ".") ? at - 3 : at - 1, "not") ? Asked::kNothing
                                                                               : Asked::kRocm;
  }
  return found;
}

// if torch.version.cuda: … else: …, with nothing between the two
bool is_else_of_cuda(const File& file, StatementIndex otherwise) {
  const auto all = file.statements();
  for (StatementIndex at = otherwise; at-- > 0;) {
    if (all[at].parent != all[otherwise].parent || all[at].block_end != otherwise) continue;
    return all[at].kind == StatementKind::kIf && asked(file, all[at].tokens) == Asked::kNothing &&
           condition_on_rocm(file, {all[at].tokens.begin + 1, all[at].tokens.end}) ==
               syntax::Truth::kNo;
  }
  return false;
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
    if (all[at].kind == StatementKind::kElse) found |= is_else_of_cuda(file, at);
    if (all[at].kind != StatementKind::kIf && all[at].kind != StatementKind::kElif) continue;
    const Asked what = asked(file, all[at].tokens);
    if (what == Asked::kNarrower) return false;
    found |= what == Asked::kRocm && !all[at].tokens.contains(token);
  }
  return found;
}

std::span<const Name> platform_questions() {
  return kPlatformQuestions;
}

bool chooses_fp8_format(const File& file, const FunctionScope& scope) {
  constexpr std::size_t kLongest = 40;  // longer strings are prose
  const TokenRange tokens = scope.tokens();
  for (TokenIndex at = tokens.begin; at < tokens.end; ++at) {
    const Kind kind = file.tokens()[at].kind;
    if (kind != Kind::kName && (kind != Kind::kString || file.text(at).size() > kLongest)) continue;
    const std::string_view text = file.text(at);
    const bool says_so = contains_word(text, "fnuz") || contains_word(text, "float8e4b8") ||
                         arch::mentions_cdna_fp8(text);
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
    return contains_word(check.facts.path, word) || contains_word(function, word);
  };
  return std::ranges::any_of(kFormats, is_said);
}

}  // namespace hipwright::lint
