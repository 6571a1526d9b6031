// SPDX-License-Identifier: MIT
// A Triton kernel calls an NVIDIA libdevice function that the AMD backend lacks.
//
// ## What it finds
//
// - `libdevice.rcp_rn(x)` and other functions that Triton provides for NVIDIA only, with
//   `from triton.language.extra import libdevice`;
// - imports of `triton.language.extra.cuda`, and `tl.extra.cuda.libdevice.tanh(x)`;
// - `tl.math.tanh(x)` and other functions that have left `tl.math` for libdevice.
//
// ## Why it matters
//
// The kernel does not compile for AMD: `triton.language.extra.libdevice` finds no function for the
// backend, and the functions of `extra.cuda` are calls of `__nv_` symbols, which AMD's device
// libraries do not have. `tl.math.tanh` was replaced by `libdevice.tanh` in Triton 3.0.
//
// ## Example
//
// ```python
// from triton.language.extra.cuda import libdevice
//
// y = libdevice.tanh(x)
// ```
//
// ## Use instead
//
// ```python
// from triton.language.extra import libdevice
//
// y = libdevice.tanh(x)
// ```
//
// For what AMD lacks, plain operations: `1.0 / x` for `libdevice.rcp_rn(x)`,
// `tl.div_rn(x, y)` for `libdevice.div_rn(x, y)`.
//
// ## When it is not a bug
//
// - The call is chosen by platform, or the file is for NVIDIA only.
// - The import of `extra.cuda` falls back to another one, or is the fallback (`try`, `except`).
// - An `if` around the function chooses by Triton's release: reported with low confidence.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/function_scope.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kLibdevice("libdevice");
const Name kMath("math");
constexpr std::string_view kTriton = "triton";

// triton/language/extra/hip/libdevice.py of Triton 3.6.
constexpr std::string_view kOnAmd[] = {
    "abs",          "acos",      "acosh",      "asin",    "asinh", "atan",          "atan2",
    "atanh",        "ceil",      "copysign",   "cos",     "cosh",  "cyl_bessel_i0", "cyl_bessel_i1",
    "erf",          "erfc",      "erfcx",      "erfinv",  "exp",   "exp2",          "expm1",
    "fast_dividef", "fast_expf", "fast_tanhf", "floor",   "fma",   "fmod",          "hypot",
    "ilogb",        "isinf",     "isnan",      "j0",      "j1",    "ldexp",         "lgamma",
    "llrint",       "log",       "log10",      "log1p",   "log2",  "nearbyint",     "nextafter",
    "pow",          "round",     "rsqrt",      "signbit", "sin",   "sinh",          "sqrt",
    "tan",          "tanh",      "trunc",      "y0",      "y1"};

// triton/language/extra/cuda/libdevice.py of Triton 3.6, less the above.
constexpr std::string_view kOnNvidia[] = {"add_rd",
                                          "add_rn",
                                          "add_ru",
                                          "add_rz",
                                          "brev",
                                          "byte_perm",
                                          "cbrt",
                                          "clz",
                                          "cospi",
                                          "div_rd",
                                          "div_rn",
                                          "div_ru",
                                          "div_rz",
                                          "double2float_rd",
                                          "double2float_rn",
                                          "double2float_ru",
                                          "double2float_rz",
                                          "double2hiint",
                                          "double2int_rd",
                                          "double2int_rn",
                                          "double2int_ru",
                                          "double2int_rz",
                                          "double2ll_rd",
                                          "double2ll_rn",
                                          "double2ll_ru",
                                          "double2ll_rz",
                                          "double2loint",
                                          "double2uint_rd",
                                          "double2uint_rn",
                                          "double2uint_ru",
                                          "double2uint_rz",
                                          "double2ull_rd",
                                          "double2ull_rn",
                                          "double2ull_ru",
                                          "double2ull_rz",
                                          "double_as_longlong",
                                          "erfcinv",
                                          "exp10",
                                          "fast_cosf",
                                          "fast_exp10f",
                                          "fast_log10f",
                                          "fast_log2f",
                                          "fast_logf",
                                          "fast_powf",
                                          "fast_sinf",
                                          "fast_tanf",
                                          "fdim",
                                          "ffs",
                                          "finitef",
                                          "float2int_rd",
                                          "float2int_rn",
                                          "float2int_ru",
                                          "float2int_rz",
                                          "float2ll_rd",
                                          "float2ll_rn",
                                          "float2ll_ru",
                                          "float2ll_rz",
                                          "float2uint_rd",
                                          "float2uint_rn",
                                          "float2uint_ru",
                                          "float2uint_rz",
                                          "float2ull_rd",
                                          "float2ull_rn",
                                          "float2ull_ru",
                                          "float2ull_rz",
                                          "float_as_int",
                                          "float_as_uint",
                                          "fma_rd",
                                          "fma_rn",
                                          "fma_ru",
                                          "fma_rz",
                                          "hadd",
                                          "hiloint2double",
                                          "int2double_rn",
                                          "int2float_rd",
                                          "int2float_rn",
                                          "int2float_ru",
                                          "int2float_rz",
                                          "int_as_float",
                                          "isfinited",
                                          "ll2double_rd",
                                          "ll2double_rn",
                                          "ll2double_ru",
                                          "ll2double_rz",
                                          "ll2float_rd",
                                          "ll2float_rn",
                                          "ll2float_ru",
                                          "ll2float_rz",
                                          "llround",
                                          "logb",
                                          "longlong_as_double",
                                          "mul24",
                                          "mul_rd",
                                          "mul_rn",
                                          "mul_ru",
                                          "mul_rz",
                                          "mulhi",
                                          "norm3d",
                                          "norm4d",
                                          "normcdf",
                                          "normcdfinv",
                                          "popc",
                                          "rcbrt",
                                          "rcp64h",
                                          "rcp_rd",
                                          "rcp_rn",
                                          "rcp_ru",
                                          "rcp_rz",
                                          "remainder",
                                          "rhadd",
                                          "rhypot",
                                          "rint",
                                          "rnorm3d",
                                          "rnorm4d",
                                          "rsqrt_rn",
                                          "sad",
                                          "saturatef",
                                          "scalbn",
                                          "sinpi",
                                          "sqrt_rd",
                                          "sqrt_rn",
                                          "sqrt_ru",
                                          "sqrt_rz",
                                          "sub_rd",
                                          "sub_rn",
                                          "sub_ru",
                                          "sub_rz",
                                          "tgamma",
                                          "uint2double_rn",
                                          "uint2float_rd",
                                          "uint2float_rn",
                                          "uint2float_ru",
                                          "uint2float_rz",
                                          "uint_as_float",
                                          "ull2double_rd",
                                          "ull2double_rn",
                                          "ull2double_ru",
                                          "ull2double_rz",
                                          "ull2float_rd",
                                          "ull2float_rn",
                                          "ull2float_ru",
                                          "ull2float_rz",
                                          "yn"};

// triton/language/math.py of Triton 3.6, and what kernels import Python's math for.
constexpr std::string_view kInMath[] = {"abs",   "ceil", "cos",   "div_rn",  "erf",   "exp",
                                        "exp2",  "fdiv", "floor", "fma",     "log",   "log2",
                                        "rsqrt", "sin",  "sqrt",  "sqrt_rn", "umulhi"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::ranges::find(names, name) != std::end(names);
}

bool is_quiet(PythonCheck& check, TokenIndex at) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  return index == kNoStatement || file.token_runs_on_rocm(at) == Truth::kNo ||
         (file.enclosing_def(index) != kNoStatement &&
          mentions(file, FunctionScope(file, index), platform_questions()));
}

// tl.extra.cuda.libdevice.tanh, or an import of that module.
bool is_of_cuda(const File& file, TokenIndex libdevice) {
  return libdevice > 1 && ((file.is(libdevice - 1, ".") && file.is(libdevice - 2, "cuda")) ||
                           (file.is(libdevice - 1, "import") && file.is(libdevice - 2, "cuda")));
}

// One of two imports of which the other is tried, too.
bool has_alternative(const File& file, StatementIndex index) {
  const auto all = file.statements();
  for (StatementIndex at = all[index].parent; at != kNoStatement; at = all[at].parent)
    if (all[at].kind == StatementKind::kTry || all[at].kind == StatementKind::kExcept) return true;
  return false;
}

// The function is defined under a condition, which may ask for a release of Triton.
bool is_conditional(const File& file, StatementIndex index) {
  const StatementIndex definition = file.enclosing_def(index);
  return definition != kNoStatement && file.statements()[definition].parent != kNoStatement;
}

void look_at_libdevice(PythonCheck& check, TokenIndex at) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  if (is_quiet(check, at)) return;
  if (is_of_cuda(file, at)) {
    if (!has_alternative(file, index))
      check.report(file.span(at - 2), Confidence::kMedium,
                   "libdevice of extra.cuda does not link for AMD; import it from "
                   "triton.language.extra");
    return;
  }
  if (at + 3 >= file.tokens().size() || !file.is(at + 1, ".") || !file.is(at + 3, "(")) return;
  const std::string_view name = file.text(at + 2);
  if (is_one_of(name, kOnNvidia))
    check.report(file.span(at + 2), Confidence::kMedium,
                 fmt::format("AMD's backend of Triton has no libdevice.{}", name));
}

// tl.math.tanh(x)
void look_at_math(PythonCheck& check, TokenIndex at) {
  const File& file = check.file;
  if (at < 2 || at + 3 >= file.tokens().size() || !file.is(at - 1, ".") ||
      !(file.is(at - 2, "tl") || file.is(at - 2, "language")) || !file.is(at + 1, ".") ||
      !file.is(at + 3, "(") || is_quiet(check, at))
    return;
  const std::string_view name = file.text(at + 2);
  if (is_one_of(name, kInMath) || !(is_one_of(name, kOnAmd) || is_one_of(name, kOnNvidia))) return;
  check.report(file.span(at + 2),
               is_conditional(file, file.statement_at(at)) ? Confidence::kLow : Confidence::kMedium,
               is_one_of(name, kOnAmd)
                   ? fmt::format("tl.math has no {0}; call libdevice.{0} from "
                                 "triton.language.extra",
                                 name)
                   : fmt::format("tl.math has no {}, and AMD's libdevice lacks it, too", name));
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || check.facts.is_nvidia_specific ||
      file.text().find(kTriton) == std::string_view::npos)
    return;
  for (const TokenIndex at : file.occurrences(kLibdevice)) look_at_libdevice(check, at);
  for (const TokenIndex at : file.occurrences(kMath)) look_at_math(check, at);
}

}  // namespace

Rule triton_libdevice() {
  return {.code = "HW807",
          .name = "triton-libdevice",
          .summary = "NVIDIA libdevice function in a Triton kernel",
          .severity = Severity::kError,
          .triggers = {kLibdevice, kMath},
          .python = find};
}

}  // namespace hipwright::lint::rules
