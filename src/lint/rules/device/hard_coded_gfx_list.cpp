// SPDX-License-Identifier: MIT
// A list of gfx names ends before the current hardware.
//
// ## What it finds
//
// Lists that name several GPU generations, up to gfx942 or gfx11, but not the following one: in
// conditions of Python and C++, in `#if` lines, and in the targets of CMake and Docker builds. With
// low confidence:
//
// - outside Python, lists with two targets of a family (gfx1100 and gfx1101) but not the others;
// - in CMake, variables that select the build targets (`CMAKE_HIP_ARCHITECTURES`, `AMDGPU_TARGETS`)
//   and end with one older target, or have all but gfx1250;
// - lists of the targets that have fp8, or compute with its OCP types, without one of gfx950,
// gfx1200
//   and gfx1201: in functions and variables with `fp8` in their names that answer such a question;
// - in CMake, `MATCHES "gfx10"` where waves of 32 lanes are chosen, which gfx11 and gfx12 have,
// too;
// - in Python, lists of one target (`in ("gfx942")` is not even a list, but a part of a text),
// lists after which all other targets are rejected, a single
//   `--offload-arch` for a build, `arch.startswith("gfx12")` for RDNA, which also matches gfx1250,
//   and `"gfx942" in arch` in a file that names no later target.
//
// ## Why it matters
//
// A list of gfx90a and gfx942 means "CDNA 2 and later". gfx950 then takes the slow path, is
// rejected, or finds no code for itself: "invalid device function", "no kernel image is available".
//
// ## Example
//
// ```python
// supports_kernel = gcn_arch in ["gfx90a", "gfx942"]
// ```
//
// ## Use instead
//
// Test once for what the code needs: a platform function, a device property, a prefix. Or list the
// current targets.
//
// ```python
// supports_kernel = gcn_arch.startswith("gfx9")
// ```
//
// ## When it is not a bug
//
// - One generation is meant, and all of its targets are listed: gfx940, gfx941, gfx942 are those
//   with fnuz.
// - The kernels were measured or written for exactly these targets.
// - The names are keys of a table, or part of a message.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "arch/name_lists.h"
#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "lint/rule.h"
#include "syntax/build/cmake_commands.h"
#include "syntax/python/function_scope.h"

namespace hipwright::lint::rules {

namespace {

using arch::GfxNames;
using arch::is_gfx_letter;
using arch::only_gfx_names;
using syntax::Truth;

// `for_family`: how sure it is that all members of a family are meant.
void report(RuleContext& check, Span where, const GfxNames& names, Confidence confidence,
            bool says_all = false, Confidence for_family = Confidence::kLow) {
  if (const std::string missing = names.missing(says_all); !missing.empty())
    check.report(where, check.facts.is_test ? Confidence::kLow : confidence,
                 fmt::format("this list of targets ends before {}", missing));
  else if (const std::string siblings = names.missing_siblings(); !siblings.empty())
    check.report(
        where, for_family,
        fmt::format("this list of targets lacks {}, which belong to the same family", siblings));
}

constexpr std::array<std::string_view, 6> kFp8Answers = {"support", "avail", "arch",
                                                         "dtype",   "type",  "has_fp8"};

namespace in_cuda {

using namespace syntax::cuda;

// The name in "__gfx942__"; empty if it is not a gfx macro.
std::string_view of_macro(std::string_view text) {
  if (!text.starts_with("__gfx") || !text.ends_with("__") || text.size() > 12) return {};
  return text.substr(2, text.size() - 4);
}

// #if … followed by #define NAME: a name for the whole family.
bool defines_one_macro(const File& file, TokenIndex after, TokenIndex count) {
  return after + 1 < count && file.is(after, "#") && file.text(after + 1) == "define";
}

// defined(__gfx90a__) || defined(__gfx942__) of one #if line.
void check_directives(CudaCheck& check) {
  const File& file = check.file;
  const auto count = static_cast<TokenIndex>(file.tokens().size() - 1);
  const bool knows = file.text().find("__gfx95") != std::string_view::npos;
  const bool knows_cdna3 = file.text().find("__gfx94") != std::string_view::npos;
  for (TokenIndex at = 0; at < count; ++at) {
    if (!file.is(at, "#") || (file.tokens()[at].flags & kInDirective) == 0) continue;
    const std::string_view word = file.text(at + 1);
    if (word != "if" && word != "elif" && word != "define") continue;
    GfxNames names;
    TokenRange where{0, 0};
    TokenIndex end = at + 1;
    for (; end < count && (file.tokens()[end].flags & kFirstOnLine) == 0; ++end) {
      const std::string_view name = of_macro(file.text(end));
      if (name.empty() || (end >= 2 && (file.is(end - 2, "!") || file.is(end - 3, "!")))) continue;
      names.add(name);
      where = {where.empty() ? end : where.begin, end + 1};
    }
    if (!where.empty() && word == "if" && names.ends_at_cdna2() && !knows_cdna3)
      check.report(file.span(where), Confidence::kLow,
                   "this list of targets ends before gfx942 and gfx950");
    else if (!where.empty() && (!knows || names.missing().empty()))
      report(check, file.span(where), names, Confidence::kMedium, false,
             defines_one_macro(file, end, count) ? Confidence::kMedium : Confidence::kLow);
    at = end - 1;
  }
}

// const char* fp8_archs[] = {"gfx942", "gfx950"};
bool is_list_for_fp8(const File& file, TokenRange statement) {
  for (TokenIndex at = statement.begin; at + 1 < statement.end && !file.is(at, "{"); ++at)
    if (is_name(file, at) && contains_word(file.text(at), "fp8") &&
        is_punctuator(file, at + 1, {"[", "=", "{"}))
      return contains_word(file.text(at), "arch") || contains_word(file.text(at), "target");
  return false;
}

void check_strings(CudaCheck& check) {
  const File& file = check.file;
  TokenIndex done = 0;
  for (TokenIndex at = 0; at + 1 < file.tokens().size(); ++at) {
    if (at < done || file.tokens()[at].kind != Kind::kString) continue;
    if (file.text(at).find("gfx") == std::string_view::npos) continue;
    const TokenRange whole = file.statement(at);
    GfxNames names;
    TokenRange where{0, 0};
    for (TokenIndex part = at; part < whole.end; ++part) {
      if (file.tokens()[part].kind != Kind::kString) continue;
      std::string_view text = file.text(part);
      if (text.size() < 2) continue;
      const auto found = only_gfx_names(text.substr(1, text.size() - 2));
      for (const std::string_view name : found) names.add(name);
      if (!found.empty()) where = {where.empty() ? part : where.begin, part + 1};
    }
    done = std::max(whole.end, at + 1);
    if (where.empty() || check.on_amd(at) == Truth::kNo) continue;
    if (const std::string missing = names.missing_with_ocp_fp8();
        !missing.empty() && is_list_for_fp8(file, whole))
      check.report(file.span(where), Confidence::kLow,
                   fmt::format("{} compute with fp8, too, in its OCP types", missing));
    else
      report(check, file.span(where), names, Confidence::kMedium);
  }
}

void find(CudaCheck& check) {
  check_directives(check);
  check_strings(check);
}

}  // namespace in_cuda

namespace in_python {

using namespace syntax::python;

// A key of a table: {"gfx942": …}.
bool is_key(const File& file, TokenIndex string) {
  const TokenIndex open = file.enclosing(string);
  return open != kNoToken && file.is(open, "{") && file.is(string + 1, ":");
}

// supported_archs = ["gfx94"]
bool says_all(const File& file, const Statement& statement) {
  const TokenIndex target = file.dotted(statement.tokens.begin).end;
  return statement.kind == StatementKind::kSimple && file.is(target, "=") &&
         (file.is(target + 1, "[") || file.is(target + 1, "(") || file.is(target + 1, "{")) &&
         contains_word(file.text(target - 1), "supported");
}

// `arch in ("gfx950",)`, `arch in ["gfx942"]`: a list of one target, which may need others.
bool is_list_of_one(const File& file, TokenIndex string) {
  const TokenIndex open = file.enclosing(string);
  if (open == kNoToken || open < 3 || !file.is(open - 1, "in") || file.is(open - 3, "for"))
    return false;
  return open + 1 == string && file.arguments(open).size() == 1;
}

// A name that tells which targets have fp8: FP8_ARCHS, is_fp8_avail, get_fp8_dtypes.
bool answers_for_fp8(std::string_view name) {
  if (!contains_word(name, "fp8") && !contains_word(name, "float8")) return false;
  return std::ranges::any_of(kFp8Answers,
                             [&](std::string_view word) { return contains_word(name, word); });
}

// if arch in ["gfx942", "gfx950"]: SUPPORTS_FP8 = True
bool is_list_for_fp8(const File& file, StatementIndex index) {
  const auto all = file.statements();
  if (answers_for_fp8(function_name(file, index))) return true;
  if (all[index].kind == StatementKind::kSimple)
    return answers_for_fp8(file.text(all[index].tokens.begin));
  const StatementIndex first = index + 1;
  return all[index].kind == StatementKind::kIf && first < all[index].block_end &&
         all[first].kind == StatementKind::kSimple && file.is(all[first].tokens.begin + 1, "=") &&
         answers_for_fp8(file.text(all[first].tokens.begin));
}

// if arch not in ["gfx942", "gfx950"]: raise …: rejects all other targets.
bool refuses_others(const File& file, StatementIndex index, TokenIndex string) {
  const TokenIndex open = file.enclosing(string);
  const auto all = file.statements();
  if (all[index].kind != StatementKind::kIf || open == kNoToken || open < 2 ||
      !file.is(open - 1, "in") || !file.is(open - 2, "not"))
    return false;
  for (StatementIndex at = index + 1; at < all[index].block_end; ++at) {
    if (all[at].kind == StatementKind::kRaise) return true;
    if (has_word(file, all[at].tokens, "exit")) return true;
  }
  return false;
}

// "--offload-arch=gfx942" as one of the flags of a build.
bool is_target_flag(const File& file, TokenIndex string) {
  const std::string value = file.string_value(string);
  for (const std::string_view flag : {"--amdgpu-target=gfx", "--offload-arch=gfx"})
    if (value.starts_with(flag) && file.enclosing(string) != kNoToken &&
        file.is(file.enclosing(string), "["))
      return true;
  return false;
}

// arch.startswith("gfx12"): also matches gfx1250.
bool takes_gfx1250(const File& file, TokenIndex string) {
  const std::string value = file.string_value(string);
  if ((value != "gfx1" && value != "gfx12") || file.text().find("gfx125") != std::string_view::npos)
    return false;
  const TokenIndex open = file.enclosing(string);
  return open != kNoToken && open > 0 && file.is(open - 1, "startswith");
}

// `"gfx942" in arch`, `arch == "gfx90a"`: one target, in a file that names no later one. Tests for
// an fp8 type, and constants named after the target, mean exactly this target.
bool asks_for_one(const File& file, StatementIndex index, TokenIndex string) {
  const std::string value = file.string_value(string);
  const bool is_compared = file.is(string + 1, "in") || file.is(string - 1, "==");
  if (!is_compared || (value != "gfx942" && value != "gfx90a") ||
      file.text().find("gfx95") != std::string_view::npos)
    return false;
  const Statement& statement = file.statements()[index];
  TokenRange tokens = statement.tokens;
  // The statement with the code that it guards.
  if (statement.block_end > index + 1)
    tokens.end = file.statements()[statement.block_end - 1].tokens.end;
  for (const std::string_view word : {"fnuz", "fp8", "float8"})
    if (has_word(file, tokens, word) || contains_word(function_name(file, index), word))
      return false;
  return !contains_word(file.text(tokens.begin), "gfx") &&
         !contains_word(function_name(file, index), "gfx");
}

constexpr std::string_view kListOfOne = "list of a single target excludes its successors";

// The message for a test or flag that names a single target; empty if there is none.
std::string_view about_one(const File& file, StatementIndex index, TokenIndex string) {
  if (takes_gfx1250(file, string))
    return "this prefix also matches gfx1250, which is a CDNA target";
  if (is_target_flag(file, string)) return "this build has no code for any other target";
  if (only_gfx_names(file.string_value(string)).empty()) return {};
  if (refuses_others(file, index, string)) return "all other targets are rejected here";
  if (asks_for_one(file, index, string)) return "test for a single target excludes its successors";
  return is_list_of_one(file, string) ? kListOfOne : std::string_view();
}

void find(PythonCheck& check) {
  const File& file = check.file;
  // Tests name the targets they are about.
  if (check.facts.is_test) return;
  StatementIndex done = kNoStatement;
  for (TokenIndex at = 0; at + 1 < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kString) continue;
    if (file.text(at).find("gfx") == std::string_view::npos) continue;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || index == done) continue;
    done = index;
    const TokenRange whole = file.statements()[index].tokens;
    GfxNames names;
    TokenRange where{0, 0};
    for (TokenIndex part = at; part < whole.end; ++part) {
      if (file.tokens()[part].kind != Kind::kString || is_key(file, part)) continue;
      const std::string value = file.string_value(part);
      const auto found = only_gfx_names(value);
      for (const std::string_view name : found) names.add(name);
      if (!found.empty()) where = {where.empty() ? part : where.begin, part + 1};
    }
    // Python code tests for features of single targets; builds and #if lines mean families.
    const bool all = says_all(file, file.statements()[index]);
    if (file.token_runs_on_rocm(at) == Truth::kNo) continue;
    const std::string of_fp8 = names.missing_with_ocp_fp8();
    if (!where.empty() && !of_fp8.empty() && is_list_for_fp8(file, index)) {
      // get_fp8_dtype() answers for every target, with fnuz where the list ends.
      const bool is_answer = answers_for_fp8(function_name(file, index));
      check.report(file.span(where), is_answer ? Confidence::kMedium : Confidence::kLow,
                   fmt::format("{} compute with fp8, too, in its OCP types", of_fp8));
      continue;
    }
    if (where.empty() || names.missing(all).empty()) {
      for (TokenIndex part = at; part < whole.end; ++part) {
        if (file.tokens()[part].kind != Kind::kString) continue;
        const std::string_view message = about_one(file, index, part);
        if (message.empty()) continue;
        // in ("gfx942"): a part of a text, not an element of a list.
        const bool is_text =
            message == kListOfOne && file.is(file.enclosing(part), "(") && !file.is(part + 1, ",");
        check.report(file.span(part), is_text ? Confidence::kMedium : Confidence::kLow,
                     std::string(message));
        break;
      }
      continue;
    }
    const bool knows = file.text().find("gfx95") != std::string_view::npos;
    report(check, file.span(where), names,
           knows || names.missing().empty() ? Confidence::kLow : Confidence::kMedium, all);
  }
}

}  // namespace in_python

// CMAKE_HIP_ARCHITECTURES, AMDGPU_TARGETS, PROJECT_ROCM_ARCHS: the targets of a build.
bool names_targets(std::string_view variable) {
  const bool is_list = contains_word(variable, "arch") || contains_word(variable, "target");
  return is_list && (contains_word(variable, "hip") || contains_word(variable, "rocm") ||
                     contains_word(variable, "gpu") || contains_word(variable, "offload"));
}

// if(ARCH MATCHES "gfx10.*") set(WAVEFRONT_SIZE 32): so have gfx11 and gfx12.
void check_wave_size(TextCheck& check, const syntax::build::CMakeCommands& commands,
                     const syntax::build::CMakeCommand& condition) {
  if (condition.name != "if" && condition.name != "elseif") return;
  for (std::size_t at = 1; at < condition.arguments.size(); ++at) {
    const std::string_view pattern = condition.arguments[at].text;
    if (condition.arguments[at - 1].text != "MATCHES" || !pattern.starts_with("gfx10") ||
        contains_word(pattern, "gfx11") || contains_word(pattern, "gfx12"))
      continue;
    const auto next = static_cast<std::size_t>(&condition - commands.list.data()) + 1;
    const bool sets_size =
        next < commands.list.size() &&
        std::ranges::any_of(commands.list[next].arguments, [](const auto& argument) {
          return (contains_word(argument.text, "wave") || contains_word(argument.text, "warp")) &&
                 !contains_word(argument.text, "64");
        });
    if (sets_size)
      check.report(condition.arguments[at].span, Confidence::kLow,
                   "gfx11 and gfx12 have waves of 32 lanes, too");
  }
}

void check_cmake(TextCheck& check) {
  if (check.text.find("gfx") == std::string_view::npos) return;
  const syntax::build::CMakeCommands commands = syntax::build::read_cmake(check.text);
  for (const syntax::build::CMakeCommand& command : commands.list) {
    if (command.name == "message") continue;
    check_wave_size(check, commands, command);
    GfxNames names;
    Span where;
    for (const syntax::build::CMakeArgument& argument : command.arguments) {
      const auto found = only_gfx_names(argument.text);
      for (const std::string_view name : found) names.add(name);
      if (found.empty()) continue;
      if (where.size() == 0) where = argument.span;
      where.end = argument.span.end;
    }
    if (where.size() == 0) continue;
    const std::string missing =
        command.name == "set" && names_targets(command.text(0)) && names.missing().empty()
            ? names.missing_in_build()
            : std::string();
    // list(FILTER archs INCLUDE REGEX …) states what a library has code for.
    const bool is_filter = command.name == "list" && command.text(0) == "FILTER";
    if (missing.empty())
      report(check, where, names, is_filter ? Confidence::kLow : Confidence::kMedium);
    else
      check.report(where, Confidence::kLow, fmt::format("this build has no code for {}", missing));
  }
}

// NAME=gfx90a;gfx942, NAME="gfx90a;gfx942", on one line.
void check_lines(TextCheck& check) {
  std::size_t begin = 0;
  while (begin < check.text.size()) {
    const std::size_t end = std::min(check.text.find('\n', begin), check.text.size());
    std::string_view line = check.text.substr(begin, end - begin);
    const std::size_t first = line.find("gfx");
    if (first != std::string_view::npos && line.find('#') > first) {
      std::size_t last = first;
      while (last < line.size() &&
             (is_gfx_letter(line[last]) || line[last] == ';' || line[last] == ',' ||
              line[last] == ':' || line[last] == '+' || line[last] == '-' || line[last] == '\\'))
        ++last;
      GfxNames names;
      for (const std::string_view name : only_gfx_names(line.substr(first, last - first)))
        names.add(name);
      report(check, {begin + first, begin + last}, names, Confidence::kMedium);
    }
    begin = end + 1;
  }
}

void find_in_text(TextCheck& check) {
  const std::string_view path = check.facts.path;
  const bool is_cmake = path.ends_with("CMakeLists.txt") || path.ends_with(".cmake");
  is_cmake ? check_cmake(check) : check_lines(check);
}

}  // namespace

Rule hard_coded_gfx_list() {
  return {.code = "HW503",
          .name = "hard-coded-gfx-list",
          .summary = "list of gfx names that ends before the current hardware",
          .words = {"gfx"},
          .cuda = in_cuda::find,
          .python = in_python::find,
          .text = find_in_text,
          .text_files = {"CMakeLists.txt", "*.cmake", "Dockerfile*", "*.dockerfile"}};
}

}  // namespace hipwright::lint::rules
