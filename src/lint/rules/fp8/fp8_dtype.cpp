// SPDX-License-Identifier: MIT
// The OCP fp8 type is used where a GPU may compute with fnuz.
//
// ## What it finds
//
// `torch.float8_e4m3fn`, `torch.float8_e5m2` or Triton's `tl.float8e4nv` as the type of a tensor
// that is created, converted or viewed (`x.to(T)`, `to_fp8(x, T)`), as the value of a variable or a
// parameter of a quantising function, and `finfo` of it, where nothing checks which fp8 format the
// platform uses. A comparison with the OCP types alone is reported with low confidence in files
// known to run on ROCm, and so is the type in tests that use a GPU in a project with code for AMD,
// a comparison with fnuz alone in code for AMD, and fnuz in tests that know no other type. Tests
// that ask for the platform count as other code. In TileLang and TVM kernels also the type's name
// as a string (`FP8 = "float8_e4m3"`). Also the reverse: `float8_e4m3fnuz` for all of ROCm. In C++:
// a tensor's type compared with `kFloat8_e4m3fn` alone, and `c10::Float8_e4m3fn` as an element's
// type in a file that never names fnuz, in code that AMD builds include.
//
// ## Why it matters
//
// gfx942 (MI300X) computes with `float8_e4m3fnuz`: another exponent bias, other special values. Its
// matrix kernels reject a tensor of the OCP type, or read its values as half of what they are.
// gfx950 and gfx12 use OCP, so one answer does not fit all AMD GPUs either.
//
// ## Example
//
// ```python
// q = (x / scale).to(torch.float8_e4m3fn)
// ```
//
// ## Use instead
//
// ```python
// q = (x / scale).to(current_platform.fp8_dtype())
// ```
//
// ## When it is not a bug
//
// - The type is listed in a table, or is the storage format of a checkpoint, or the format of the
//   scales of fp4 blocks, which is OCP everywhere.
// - The function chooses between the formats, or is for gfx950.
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "arch/arch.h"
#include "arch/mentions.h"
#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "project/path.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

// The types as torch and Triton name them.
const std::array kOcpTypes = {Name("float8_e4m3fn"), Name("float8_e5m2"), Name("float8e4nv")};
const std::array kFnuzTypes = {Name("float8_e4m3fnuz"), Name("float8_e5m2fnuz"),
                               Name("float8e4b8")};
const Name kTriton("triton");

enum class Use {
  kOther,
  kMade,      // the type of a tensor: f(dtype=T), x.to(T), x.view(T)
  kChosen,    // name = T, name = T if … else …
  kDefault,   // def f(dtype=T)
  kLimit,     // finfo(T)
  kCompared,  // x.dtype == T, x.dtype in (T, …)
  kListed,    // DTYPES = [T, …]: what a test runs with
};

// The last name before the '=' at `equals`: of f(out_dtype=T) and of "dtype: torch.dtype = T".
bool is_dtype_keyword(const File& file, TokenIndex equals, TokenIndex open) {
  TokenIndex first = equals;
  while (first > open + 1 && !file.is(first - 1, ",")) --first;
  const std::string_view name = file.text(first);
  return name.starts_with("dtype") || name.ends_with("dtype") || name == "data_type";
}

// A function that converts its first argument to fp8, by its name.
bool makes_fp8(std::string_view callee) {
  const bool says_fp8 = contains_word(callee, "fp8") || contains_word(callee, "float8");
  return (says_fp8 && (contains_word(callee, "to_") || contains_word(callee, "cast") ||
                       contains_word(callee, "scale") || contains_word(callee, "rowwise"))) ||
         contains_word(callee, "quant") || callee.ends_with("to_scale");
}

// How the call uses the argument that begins at `type`.
Use use_as_argument(const File& file, TokenIndex open, TokenRange type) {
  if (file.is(type.begin - 1, "="))
    return is_dtype_keyword(file, type.begin - 1, open) ? Use::kMade : Use::kOther;
  if (open == 0) return Use::kOther;
  // Alone, or one of two: to(T if … else …).
  const bool is_whole =
      (type.begin == open + 1 || is_any(file.text(type.begin - 1), {",", "else"})) &&
      is_any(file.text(type.end), {",", ")", "if"});
  if (!is_whole) return Use::kOther;
  const std::string_view callee = file.text(open - 1);
  if (callee == "finfo") return Use::kLimit;
  // to_fp8(x, T), quantize_rows(x, T), QuantConfig.make(T, …): positional.
  if (type.begin > open + 1 && makes_fp8(callee)) return Use::kMade;
  if (type.begin == open + 1 && file.is(type.end, ",") && file.is(open - 2, ".") &&
      contains_word(file.compact(file.dotted(open - 1)), "quantconfig."))
    return Use::kMade;
  const bool converts = is_any(callee, {"to", "view", "type", "astype"});
  return converts && file.is(open - 2, ".") ? Use::kMade : Use::kOther;
}

// "name = … T …" outside all brackets except those around the whole value.
bool is_chosen(const File& file, const Statement& statement, TokenRange type) {
  if (statement.kind != StatementKind::kSimple) return false;
  for (TokenIndex open = file.enclosing(type.begin); open != kNoToken; open = file.enclosing(open))
    if (!file.is(open, "(") || !file.is(open - 1, "=")) return false;
  const std::string_view before = file.text(type.begin - 1);
  const std::string_view after = file.text(type.end);
  const bool is_last = file.tokens()[type.end].kind == Kind::kNewline;
  const bool is_value =
      is_any(before, {"=", "(", "else"}) && (is_any(after, {"if", ")"}) || is_last);
  // x = T, self.x = T, x: torch.dtype = T; not table["x"] = T.
  const TokenIndex first = statement.tokens.begin;
  const TokenIndex target = file.dotted(first).end;
  if (file.tokens()[first].kind != Kind::kName) return false;
  // a, b = T, T
  if (file.is(target, ",") && is_any(before, {"=", ","}) && (is_last || after == ","))
    return file.text({first, type.begin}).find('=') != std::string_view::npos;
  return is_value && (file.is(target, "=") || file.is(target, ":"));
}

// QUANT_DTYPES = [T, torch.int8]
bool is_list_of_types(const File& file, const Statement& statement, TokenIndex open) {
  return statement.kind == StatementKind::kSimple && file.is(open, "[") && file.is(open - 1, "=") &&
         file.enclosing(open) == kNoToken &&
         contains_word(file.text(statement.tokens.begin), "dtypes");
}

Use use_of(const File& file, StatementIndex index, TokenRange type) {
  const Statement& statement = file.statements()[index];
  if (type.begin == 0 || type.begin == statement.tokens.begin) return Use::kOther;
  // Code that rejects the other types is aware of them.
  if (file.is(type.begin - 1, "!=") || file.is(type.end, "!=")) return Use::kOther;
  if (file.is(type.begin - 1, "==") || file.is(type.end, "==") || file.is(type.begin - 1, "is"))
    return Use::kCompared;
  const TokenIndex open = file.enclosing(type.begin);
  // Three or more are a list of all types that a function accepts.
  if (open != kNoToken && open > 0 && file.is(open - 1, "in"))
    return file.arguments(open).size() < 3 ? Use::kCompared : Use::kOther;
  if (open != kNoToken && open > 0 && is_list_of_types(file, statement, open)) return Use::kListed;
  if (statement.kind == StatementKind::kDef)
    return open != kNoToken && file.is(type.begin - 1, "=") &&
                   is_dtype_keyword(file, type.begin - 1, open)
               ? Use::kDefault
               : Use::kOther;
  const bool in_call = open != kNoToken && open > 0 && file.is(open, "(") &&
                       (file.tokens()[open - 1].kind == Kind::kName || file.is(open - 1, ")"));
  if (in_call && !is_keyword(file.text(open - 1))) return use_as_argument(file, open, type);
  // return T if … else …, return (T if … else …)
  if (statement.kind == StatementKind::kReturn && file.is(type.end, "if") &&
      (type.begin == statement.tokens.begin + 1 ||
       (type.begin == statement.tokens.begin + 2 && file.is(type.begin - 1, "("))))
    return Use::kChosen;
  // def quant_dtype(…): return T
  if (statement.kind == StatementKind::kReturn && type.begin == statement.tokens.begin + 1 &&
      type.end == statement.tokens.end)
    return contains_word(function_name(file, index), "quant") ? Use::kChosen : Use::kOther;
  return is_chosen(file, statement, type) ? Use::kChosen : Use::kOther;
}

bool is_comparison(const File& file, TokenRange tokens) {
  for (TokenIndex at = tokens.begin; at < tokens.end; ++at)
    if (is_any(file.text(at), {"<", ">", "<=", ">="})) return true;
  return false;
}

// Formats built on OCP types, and NVIDIA libraries.
bool is_ocps(const PythonCheck& check, StatementIndex index) {
  static constexpr std::array<std::string_view, 4> kLibraries = {"cutlass", "deep_gemm",
                                                                 "flashinfer", "trtllm"};
  const File& file = check.file;
  const TokenRange statement = file.statements()[index].tokens;
  const StatementIndex definition = file.enclosing_def(index);
  return is_ocp_by_definition(check, index) ||
         std::ranges::any_of(kLibraries, [&](std::string_view word) {
           return has_word(file, statement, word) ||
                  (definition != kNoStatement &&
                   has_word(file, file.statements()[definition].tokens, word));
         });
}

// attention/flash_attn.py: the backend of a library whose kernels take NVIDIA's type; ROCm has a
// backend of its own.
bool is_a_librarys_backend(std::string_view path) {
  const std::string_view name = project::name_of(path);
  return name.starts_with("flash_attn") || name.find("deep_gemm") != std::string_view::npos ||
         name.find("flashinfer") != std::string_view::npos ||
         name.find("cutlass") != std::string_view::npos;
}

// Parameter(torch.empty(…, dtype=T)), and functions that allocate weights: the format of a
// checkpoint, converted on loading.
bool is_storage(const File& file, StatementIndex index, TokenIndex at) {
  const TokenRange function = function_around(file, index);
  const std::string_view name = function_name(file, index);
  const bool makes = contains_word(name, "create") || contains_word(name, "register") ||
                     contains_word(name, "alloc");
  if (makes && (contains_word(name, "weight") || contains_word(name, "param"))) return true;
  for (TokenIndex open = file.enclosing(at); open != kNoToken; open = file.enclosing(open))
    if (open > 0 && file.is(open, "(") && file.text(open - 1).ends_with("Parameter")) return true;
  return has_word(file, function, "cuda only");
}

// if out.dtype == T: x.to(T): the data has the type already.
bool follows_from_the_data(const File& file, StatementIndex index, const Name& type) {
  const auto all = file.statements();
  for (StatementIndex at = all[index].parent; at != kNoStatement; at = all[at].parent) {
    if (all[at].kind != StatementKind::kIf && all[at].kind != StatementKind::kElif) continue;
    for (TokenIndex token = all[at].tokens.begin; token < all[at].tokens.end; ++token)
      if (file.is(token, type)) return true;
  }
  return false;
}

// Block scales are OCP everywhere: block_scale.view(T), block_scale.to(T), assert
// block_scale.dtype == T.
bool is_scale(const File& file, TokenIndex type) {
  const TokenIndex before = file.dotted(type).begin;
  if (before > 1 && is_any(file.text(before - 1), {"==", "!="}) &&
      has_word(file, file.dotted(before - 2), "scale"))
    return true;
  const TokenIndex open = file.enclosing(type);
  if (open == kNoToken || open < 2 || !(file.is(open - 1, "view") || file.is(open - 1, "to")))
    return false;
  const TokenRange receiver = file.dotted(open - 1);
  return has_word(file, receiver, "scale") || has_word(file, receiver, "_sf");
}

// The function around this code, or the function whose header this is.
FunctionScope scope_at(const File& file, StatementIndex index) {
  const bool is_header = file.statements()[index].kind == StatementKind::kDef;
  return FunctionScope(
      file, is_header && index + 1 < file.statements()[index].block_end ? index + 1 : index);
}

// if weight.dtype == T: …
bool branches_on_tensor(const File& file, const Statement& statement) {
  if (statement.kind != StatementKind::kIf) return false;
  for (TokenIndex at = statement.tokens.begin + 1; at + 1 < statement.tokens.end; ++at)
    if (file.is(at, "dtype") && file.is(at - 1, ".") && file.is(at + 1, "==")) return true;
  return false;
}

// def is_fp8(self): return self.dtype == T: the answer for every caller.
bool answers_for_fp8(const File& file, StatementIndex index) {
  const Statement& statement = file.statements()[index];
  return statement.kind == StatementKind::kReturn && file.is(statement.tokens.begin + 1, "self") &&
         (contains_word(function_name(file, index), "fp8") ||
          contains_word(function_name(file, index), "float8"));
}

// dtype in [float8_e4m3fn, float8_e5m2], in a file that never names the types of fnuz
bool is_list_without_fnuz(const File& file, TokenIndex type) {
  const TokenIndex open = file.enclosing(type);
  return open != kNoToken && open > 0 && file.is(open - 1, "in") &&
         file.arguments(open).size() == 2 && file.text().find("fnuz") == std::string_view::npos &&
         std::ranges::all_of(file.arguments(open), [&](const TokenRange& each) {
           return !each.empty() && file.text(each.end - 1).starts_with("float8_e");
         });
}

std::optional<Confidence> confidence_of(PythonCheck& check, StatementIndex index, TokenIndex type,
                                        Use use) {
  const File& file = check.file;
  switch (use) {
    case Use::kMade:
    case Use::kChosen:
      return Confidence::kMedium;
    case Use::kLimit:
      if (is_comparison(file, file.statements()[index].tokens)) return std::nullopt;
      return Confidence::kMedium;
    case Use::kDefault: {
      const std::string_view name = function_name(file, index);
      if (!contains_word(name, "quant") && !contains_word(name, "fp8") &&
          !contains_word(name, "float8"))
        return std::nullopt;
      return Confidence::kMedium;
    }
    case Use::kCompared:
      // Only in code known to run on ROCm, or where the comparison selects a tensor's path.
      if (!check.facts.is_test && !branches_on_tensor(file, file.statements()[index]) &&
          !answers_for_fp8(file, index) && !is_list_without_fnuz(file, type) &&
          !file.has(kTriton) && !std::ranges::any_of(platform_questions(), [&](const Name& name) {
            return file.has(name);
          }))
        return std::nullopt;
      // The answer for every caller; types that leave out fnuz.
      return answers_for_fp8(file, index) || is_list_without_fnuz(file, type) ? Confidence::kMedium
                                                                              : Confidence::kLow;
    case Use::kListed:
      if (!check.facts.is_test) return std::nullopt;
      return Confidence::kLow;
    case Use::kOther:
      break;
  }
  return std::nullopt;
}

// Names that projects give to the fp8 type of the platform.
const std::array kPlatformTypes = {Name("e4m3_dtype"), Name("FP8_DTYPE")};

// Kernels of NVIDIA's libraries, whose tests run on NVIDIA GPUs only.
bool tests_nvidias_kernels(const File& file, TokenRange all) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "cutlass", "deep_gemm", "deepgemm", "flashinfer", "trtllm",
      "marlin",  "nvfp4",     "hopper",   "blackwell"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return has_word(file, all, word); });
}

// A test that runs on several platforms: it asks which one it is on, knows a type chosen by it, or
// uses a GPU in a project with code for AMD.
bool is_test_for_all(const PythonCheck& check) {
  const File& file = check.file;
  const TokenRange all{0, static_cast<TokenIndex>(file.tokens().size())};
  const bool knows_the_platforms_type =
      std::ranges::any_of(kPlatformTypes, [&](const Name& name) { return file.has(name); });
  if ((knows_the_platforms_type ||
       (check.facts.is_of_amd_project && has_word(file, all, "cuda"))) &&
      !tests_nvidias_kernels(file, all))
    return true;
  return has_word(file, all, "current_platform") || has_word(file, all, "rocm") ||
         std::ranges::any_of(platform_questions(),
                             [&](const Name& name) { return file.has(name); });
}

// A test in a file that asks which platform it is on, so that it runs on AMD; not one of NVIDIA's
// kernels or for GPUs with OCP.
bool is_sure_test(const PythonCheck& check, StatementIndex index) {
  const File& file = check.file;
  const TokenRange all{0, static_cast<TokenIndex>(file.tokens().size())};
  const bool asks =
      has_word(file, all, "current_platform") || has_word(file, all, "rocm") ||
      std::ranges::any_of(platform_questions(), [&](const Name& name) { return file.has(name); });
  const auto names_nvidia = [&](StatementIndex at) {
    return at != kNoStatement && tests_nvidias_kernels(file, file.statements()[at].tokens);
  };
  const StatementIndex test = file.enclosing_def(index);
  return asks && !arch::mentions_ocp_fp8(file.text()) && !names_nvidia(test) &&
         !tests_nvidias_kernels(file, function_around(file, index)) &&
         (test == kNoStatement || std::ranges::none_of(file.decorators(test), names_nvidia));
}

// assert q.dtype == T, in a test that runs on AMD.
bool is_asserted(const File& file, StatementIndex index) {
  return file.statements()[index].kind == StatementKind::kAssert;
}

bool find_ocp(PythonCheck& check, const Name& type, TokenIndex at) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  if (index == kNoStatement) return false;
  const TokenRange name = file.dotted(at);
  // NumPy's types name the format of a file.
  if (file.is(name.begin, "ml_dtypes")) return false;
  const std::optional<Confidence> confidence =
      confidence_of(check, index, at, use_of(file, index, name));
  if (!confidence || file.token_runs_on_rocm(at) == Truth::kNo) return false;
  if (chooses_fp8_format(file, scope_at(file, index)) || is_ocps(check, index) ||
      is_storage(file, index, at) || is_scale(file, at) || follows_from_the_data(file, index, type))
    return false;
  const bool is_sure_of_test = check.facts.is_test && is_sure_test(check, index);
  const bool is_sure = !is_tool(check) && (!check.facts.is_test || is_sure_of_test);
  check.report(file.span(name),
               is_sure_of_test && is_asserted(file, index) ? Confidence::kMedium
               : is_sure                                   ? *confidence
                                                           : Confidence::kLow,
               fmt::format("{} does not compute with {}; query the platform's fp8 type",
                           arch::targets_with(arch::Fp8::kFnuz), type.text()));
  return true;
}

// Names that test for the format: is_fp8_fnuz(), on_gfx942().
bool asks_for_fnuz(const File& file, const FunctionScope& scope) {
  const TokenRange tokens = scope.tokens();
  for (TokenIndex at = tokens.begin; at < tokens.end; ++at) {
    const Kind kind = file.tokens()[at].kind;
    if (kind != Kind::kName && kind != Kind::kString) continue;
    if (std::ranges::any_of(kFnuzTypes, [&](const Name& type) { return file.is(at, type); }))
      continue;
    const TokenRange one{at, at + 1};
    const bool asks = has_word(file, one, "fnuz") || has_word(file, one, "gfx") ||
                      (file.is(at, "fp8_dtype") && file.is(at + 1, "("));
    if (asks && scope.contains(at)) return true;
  }
  return false;
}

// if is_gfx95_supported(): …, if arch == "gfx950": …
bool is_for_ocp_target(const File& file, StatementIndex index) {
  const StatementIndex around = file.statements()[index].parent;
  if (around == kNoStatement || file.statements()[around].kind != StatementKind::kIf) return false;
  const TokenRange header = file.statements()[around].tokens;
  bool names = false;
  for (TokenIndex at = header.begin; at < header.end; ++at) {
    if (file.is(at, "not") || file.is(at, "!=")) return false;
    const Kind kind = file.tokens()[at].kind;
    names |= (kind == Kind::kName && arch::mentions_cdna_ocp_fp8(file.text(at))) ||
             (kind == Kind::kString && arch::mentions_ocp_fp8(file.string_value(at)));
  }
  return names;
}

bool names_another_type(const File& file) {
  return file.text().find("gfx") != std::string_view::npos ||
         std::ranges::any_of(kOcpTypes, [&](const Name& type) { return file.has(type); });
}

std::string only_fnuz_targets_compute_with(const Name& type) {
  return fmt::format("only {} computes with {}; {} use OCP types",
                     arch::targets_with(arch::Fp8::kFnuz), type.text(),
                     arch::targets_with(arch::Fp8::kOcp));
}

// if cache.dtype == fnuz: …, in code for AMD alone that knows no other type: gfx950's tensors take
// the other branch.
bool find_fnuz_compared(PythonCheck& check, const Name& type, TokenIndex at) {
  const File& file = check.file;
  const bool is_for_all =
      is_for_all_of_rocm(file, at) || (check.facts.is_rocm_specific && !names_another_type(file));
  if (!is_for_all || asks_for_fnuz(file, scope_at(file, file.statement_at(at)))) return false;
  check.report(file.span(file.dotted(at)), Confidence::kLow, only_fnuz_targets_compute_with(type),
               {}, Relevance::kOcp);
  return true;
}

// fnuz for all of ROCm.
bool find_fnuz(PythonCheck& check, const Name& type, TokenIndex at) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  if (index == kNoStatement || file.statements()[index].kind == StatementKind::kDef) return false;
  const Use use = use_of(file, index, file.dotted(at));
  if (use == Use::kOther || file.token_runs_on_rocm(at) == Truth::kNo) return false;
  if (use == Use::kCompared) return find_fnuz_compared(check, type, at);
  if (use != Use::kMade && use != Use::kChosen) return false;
  // A test may be about the format; one that takes it for all of ROCm, or knows no other, is not.
  if (check.facts.is_test && !is_for_all_of_rocm(file, at) && names_another_type(file))
    return false;
  if (!is_for_all_of_rocm(file, at) && !is_for_ocp_target(file, index) &&
      asks_for_fnuz(file, scope_at(file, index)))
    return false;
  check.report(file.span(file.dotted(at)),
               check.facts.is_test || is_tool(check) ? Confidence::kLow : Confidence::kMedium,
               only_fnuz_targets_compute_with(type), {}, Relevance::kOcp);
  return true;
}

// if IS_FNUZ: x.to(tl.float8e4b15): that is NVIDIA's older format, with a bias of 15.
const Name kBias15("float8e4b15");

void find_bias_15(PythonCheck& check) {
  const File& file = check.file;
  for (const TokenIndex at : file.occurrences(kBias15)) {
    const StatementIndex index = file.statement_at(at);
    const StatementIndex around =
        index == kNoStatement ? kNoStatement : file.statements()[index].parent;
    if (around == kNoStatement || file.statements()[around].kind != StatementKind::kIf) continue;
    const TokenRange header = file.statements()[around].tokens;
    if (has_word(file, header, "fnuz") && !has_word(file, header, "not"))
      check.report(file.span(file.dotted(at)), Confidence::kMedium,
                   "float8e4b15 is not fnuz: Triton's type for float8_e4m3fnuz is float8e4b8");
  }
}

// FP8 = "float8_e4m3": kernels in TVM's languages name types as strings.
const std::array kTvmWords = {Name("tilelang"), Name("tvm")};
constexpr std::string_view kTypeText = "\"float8_e4m3";

void find_type_texts(PythonCheck& check) {
  const File& file = check.file;
  if (file.text().find(kTypeText) == std::string_view::npos ||
      std::ranges::none_of(kTvmWords, [&](const Name& word) { return file.has(word); }) ||
      file.text().find("fnuz") != std::string_view::npos)
    return;
  for (StatementIndex index = 0; index < file.statements().size(); ++index) {
    const Statement& statement = file.statements()[index];
    const TokenIndex value = statement.tokens.begin + 2;
    if (statement.kind != StatementKind::kSimple || statement.tokens.size() != 3 ||
        !file.is(value - 1, "=") || file.tokens()[value].kind != Kind::kString)
      continue;
    const std::string type = file.string_value(value);
    if ((type == "float8_e4m3" || type == "float8_e4m3fn") &&
        uses(file, variable_at(file, value - 2)).size() > 1 &&
        file.token_runs_on_rocm(value) != Truth::kNo)
      check.report(file.span(value), Confidence::kMedium,
                   fmt::format("{} computes with float8_e4m3fnuz; query the platform's fp8 type",
                               arch::targets_with(arch::Fp8::kFnuz)));
  }
}

void find(PythonCheck& check) {
  if (is_for_others(check) || is_a_librarys_backend(check.facts.path)) return;
  if (!check.facts.is_test) find_type_texts(check);
  find_bias_15(check);
  // convert_hf_to_fp8.py writes checkpoints, which have OCP types everywhere.
  const bool looks_for_ocp = (!check.facts.is_test || is_test_for_all(check)) &&
                             !project::name_of(check.facts.path).starts_with("convert") &&
                             !arch::mentions_ocp_fp8(check.facts.path);
  // One finding for a choice between several types.
  std::set<StatementIndex> found;
  for (const Name& type : kOcpTypes)
    for (const TokenIndex at : check.file.occurrences(type))
      if (const StatementIndex index = check.file.statement_at(at);
          looks_for_ocp && !found.contains(index))
        if (find_ocp(check, type, at)) found.insert(index);
  for (const Name& type : kFnuzTypes)
    for (const TokenIndex at : check.file.occurrences(type))
      if (const StatementIndex index = check.file.statement_at(at); !found.contains(index))
        if (find_fnuz(check, type, at)) found.insert(index);
}

const Name kElement("Float8_e4m3fn"), kSpace("c10");

// c10::Float8_e4m3fn convert(float x), struct of four c10::Float8_e4m3fn: what a kernel computes
// with, in a file that never names fnuz. The first of a function or a struct.
void find_element_types(CudaCheck& check) {
  const cu::File& source = check.file;
  if (source.text().find("fnuz") != std::string_view::npos) return;
  cu::TokenIndex last = cu::kNoToken;
  for (const cu::TokenIndex at : source.occurrences(kElement)) {
    const bool is_type = at >= 2 && source.is(at - 1, "::") && source.is(at - 2, kSpace);
    const bool is_declared =
        is_type && (is_name(source, at + 1) || is_punctuator(source, at + 1, {"*", "&"}));
    const cu::TokenIndex around = source.enclosing(at);
    if (!is_declared || check.on_amd(at) == Truth::kNo ||
        source.compiled(at, cu::Platform::kAmd) != Truth::kYes ||
        (around != cu::kNoToken && around == last))
      continue;
    last = around;
    check.report(source.span(at), Confidence::kLow,
                 fmt::format("{} computes with Float8_e4m3fnuz, not {}",
                             arch::targets_with(arch::Fp8::kFnuz), kElement.text()));
  }
}

// torch::kFloat8_e4m3fn, at::ScalarType::Float8_e4m3fn
const std::array kScalarTypes = {Name("kFloat8_e4m3fn"), Name("Float8_e4m3fn")};
// Files with one of these are for AMD, whatever the build says.
const std::array kAmdMacros = {Name("USE_ROCM"), Name("__HIP_PLATFORM_AMD__"), Name("__HIPCC__"),
                               Name("__HIP__")};

const Name kGlobal("__global__");  // host-only files work with either type

bool is_compared(const cu::File& source, cu::TokenIndex type) {
  cu::TokenIndex first = type;
  while (first > 1 && source.is(first - 1, "::") && is_name(source, first - 2)) first -= 2;
  if (first > 0 && source.is(first - 1, "::")) --first;
  return first > 0 && source.is(first - 1, "==");
}

// X_CHECK(type == …) without alternatives: rejects every other type.
bool is_only_type(const cu::File& source, cu::TokenIndex type) {
  const cu::TokenIndex open = source.enclosing(type);
  if (open == cu::kNoToken || open == 0 || !source.is(open, "(") || !is_name(source, open - 1))
    return false;
  const std::string_view name = source.text(open - 1);
  if (!contains_word(name, "check") && !contains_word(name, "assert") && name != "if") return false;
  for (cu::TokenIndex at = open; at < source.partner(open); ++at)
    if (source.is(at, "||")) return false;
  return true;
}

bool speaks_of_fnuz(const cu::File& source, cu::TokenRange code) {
  for (cu::TokenIndex at = code.begin; at < code.end; ++at)
    if (is_name(source, at) && contains_word(source.text(at), "fnuz")) return true;
  return false;
}

const std::array kFnuzScalarTypes = {Name("kFloat8_e4m3fnuz"), Name("Float8_e4m3fnuz")};

bool has_ocp_type(const cu::File& source, cu::TokenRange code) {
  for (cu::TokenIndex at = code.begin; at < code.end; ++at)
    if (is_name(source, at) && std::ranges::any_of(kScalarTypes, [&](const Name& type) {
          return source.text(at) == type.text();
        }))
      return true;
  return false;
}

// options.dtype(is_fp8 ? at::kFloat8_e4m3fnuz : …)
bool is_tensors_type(const cu::File& source, cu::TokenIndex type) {
  const cu::TokenIndex open = source.enclosing(type);
  return open != cu::kNoToken && open > 0 && source.is(open, "(") &&
         source.text(open - 1) == "dtype";
}

// using fp8_t = at::Float8_e4m3fnuz; at::ScalarType F8 = at::kFloat8_e4m3fnuz;
bool is_alias(const cu::File& source, cu::TokenIndex type) {
  if (!source.is(type + 1, ";") || source.function_at(type) != nullptr) return false;
  const cu::TokenRange whole = source.statement(type);
  return source.text(whole.begin) == "using" || source.text(whole.begin) == "typedef";
}

// Code for AMD alone that names fnuz for every target.
void find_fnuz_in_cuda(CudaCheck& check) {
  const cu::File& source = check.file;
  if (check.facts.is_test) return;
  for (const Name& type : kFnuzScalarTypes)
    for (const cu::TokenIndex at : source.occurrences(type)) {
      const bool is_for_amd = is_for_amd_alone(check, at) || check.facts.path.ends_with(".hip");
      if (!is_for_amd || check.on_amd(at) == Truth::kNo) continue;
      const std::vector<std::string> conditions = source.conditions(at);
      // AMD || HIPCC && GFX942 names a target, and holds for every one.
      const bool is_for_all = source.compiled(at, cu::Platform::kAmd) == Truth::kYes;
      const bool is_narrower = !is_for_all && std::ranges::any_of(conditions, [](const auto& each) {
        return contains_word(each, "gfx") || contains_word(each, "ocp") ||
               contains_word(each, "fnuz");
      });
      const bool is_one = (is_compared(source, at) && is_only_type(source, at) &&
                           !has_ocp_type(source, code_around(source, at))) ||
                          is_alias(source, at) || is_tensors_type(source, at);
      if (is_one && !is_narrower)
        check.report(source.span(at), Confidence::kMedium, only_fnuz_targets_compute_with(type), {},
                     Relevance::kOcp);
    }
}

void find_in_cuda(CudaCheck& check) {
  const cu::File& source = check.file;
  find_fnuz_in_cuda(check);
  if (check.facts.is_test || check.facts.is_nvidia_specific || is_bound_to_nvidia(check)) return;
  const bool is_for_amd = check.facts.built_on_amd == Truth::kYes ||
                          std::any_of(kAmdMacros.begin(), kAmdMacros.end(),
                                      [&](const Name& name) { return source.has(name); });
  if (!is_for_amd || !source.has(kGlobal)) return;
  find_element_types(check);
  for (const Name& type : kScalarTypes)
    for (const cu::TokenIndex at : source.occurrences(type)) {
      if (source.compiled(at, cu::Platform::kAmd) != Truth::kYes ||
          check.on_amd(at) == Truth::kNo || !is_compared(source, at) ||
          speaks_of_fnuz(source, code_around(source, at)))
        continue;
      check.report(source.span(at),
                   is_only_type(source, at) ? Confidence::kMedium : Confidence::kLow,
                   fmt::format("fp8 tensors on {} have the type Float8_e4m3fnuz, not {}",
                               arch::targets_with(arch::Fp8::kFnuz), type.text()));
    }
}

std::vector<Name> triggers() {
  std::vector<Name> names(kOcpTypes.begin(), kOcpTypes.end());
  names.insert(names.end(), kFnuzTypes.begin(), kFnuzTypes.end());
  names.push_back(kBias15);
  names.insert(names.end(), kScalarTypes.begin(), kScalarTypes.end());
  names.insert(names.end(), kFnuzScalarTypes.begin(), kFnuzScalarTypes.end());
  return names;
}

}  // namespace

Rule fp8_dtype() {
  return {.code = "HW302",
          .name = "fp8-dtype",
          .summary = "OCP fp8 type where a GPU may use fnuz",
          .relevance = Relevance::kFnuz,
          .triggers = triggers(),
          .words = {kTypeText},
          .cuda = find_in_cuda,
          .python = find};
}

}  // namespace hipwright::lint::rules
