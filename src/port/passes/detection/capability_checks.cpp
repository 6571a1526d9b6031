// SPDX-License-Identifier: MIT
// Comparisons with NVIDIA's compute capabilities: AMD's numbers are those of the gfx target.
#include <algorithm>
#include <array>
#include <set>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/lint_findings.h"
#include "port/source/context.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
namespace py = syntax::python;
using syntax::Name;

namespace {

const Name kMajor("major"), kMinor("minor"), kProperties("cudaDeviceProp"),
    kGetProperties("cudaGetDeviceProperties"), kOfTorch("getCurrentDeviceProperties"),
    kOfTorchDevice("getDeviceProperties"), kInOneCall("cuDeviceComputeCapability");
const std::array kAttributes = {Name("cudaDevAttrComputeCapabilityMajor"),
                                Name("cudaDevAttrComputeCapabilityMinor"),
                                Name("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR"),
                                Name("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR")};

// Finds values of AMD's that decide as if they were NVIDIA's; printed ones are correct.
class Deciding {
 public:
  explicit Deciding(const cu::File& file) : file_(file) {}

  // Does a value, written by these tokens, decide anything?
  bool decides(cu::TokenRange value) const {
    if (is_operand(value)) return true;
    if (value.begin == 0) return false;
    if (file_.text(value.begin - 1) == "return") return true;
    return value.begin > 1 && file_.is(value.begin - 1, "=") && variable_decides(value.begin - 2);
  }

  // Is the variable that this token names compared anywhere in its function?
  bool variable_decides(cu::TokenIndex name) const {
    const cu::Function* function = file_.function_at(name);
    if (function == nullptr || !cu::is_name(file_, name)) return false;
    for (const cu::TokenIndex at : cu::places_of(file_, file_.text(name)))
      if (at > name && function->body.contains(at) && is_operand({at, at + 1})) return true;
    return false;
  }

 private:
  bool is_operand(cu::TokenRange value) const {
    static constexpr std::initializer_list<const char*> kSigns = {
        "<", ">", "<=", ">=", "==", "!=", "*"};
    const bool is_behind = value.begin > 0 && cu::is_punctuator(file_, value.begin - 1, kSigns);
    const bool is_address = is_behind && file_.is(value.begin - 1, "*") &&
                            (value.begin < 2 || cu::is_punctuator(file_, value.begin - 2,
                                                                  {"(", ",", ";", "{", "}", "="}));
    return (is_behind && !is_address) || cu::is_punctuator(file_, value.end, kSigns) ||
           (value.begin > 1 && file_.is(value.begin - 1, "(") &&
            file_.text(value.begin - 2) == "switch");
  }

  const cu::File& file_;
};

// prop.major, props[i].major, getCurrentDeviceProperties()->major: its first token.
cu::TokenIndex object_begin(const cu::File& file, cu::TokenIndex member) {
  cu::TokenIndex begin = member - 2;
  if (file.is(begin, "]") || file.is(begin, ")")) {
    const cu::TokenIndex open = file.partner(begin);
    if (open != cu::kNoToken && open > 0) begin = open - 1;
  }
  while (begin > 1 && file.is(begin - 1, "::")) begin -= 2;
  return begin;
}

// In a file without cudaDeviceProp: PyTorch's functions return it.
bool is_of_torch(const cu::File& file, cu::TokenRange object) {
  const auto names_it = [&](cu::TokenRange range) {
    for (cu::TokenIndex at = range.begin; at < range.end; ++at)
      if (file.is(at, kOfTorch) || file.is(at, kOfTorchDevice)) return true;
    return false;
  };
  if (names_it(object)) return true;
  const auto variable = cu::declaration_of(file, object.begin);
  return variable && names_it(variable->value);
}

void report_capability(SourceContext& context, Span span) {
  context.report("HP104", Severity::kWarning, span,
                 "on AMD these are the numbers of the gfx target: 9.0 for gfx90a, 9.4 for gfx942, "
                 "11.0 for gfx1100",
                 "A comparison with NVIDIA's capabilities mistakes an MI300 for a Hopper GPU. "
                 "Query the property that is meant, or select with an #if.");
}

// prop.major >= 8, 10 * prop.major + prop.minor
void report_members(SourceContext& context) {
  const cu::File& file = context.file;
  const bool is_cuda = file.has(kProperties) || file.has(kGetProperties);
  if (!is_cuda && !file.has(kOfTorch) && !file.has(kOfTorchDevice)) return;
  const Deciding deciding(file);
  std::set<cu::TokenIndex> reported;  // one report per statement
  for (const Name& name : {kMajor, kMinor})
    for (const cu::TokenIndex at : file.occurrences(name)) {
      if (at < 2 || !(file.is(at - 1, ".") || file.is(at - 1, "->")) || context.is_settled(at))
        continue;
      const cu::TokenIndex begin = object_begin(file, at);
      if (!is_cuda && !is_of_torch(file, {begin, at})) continue;
      if (!deciding.decides({begin, at + 1})) continue;
      if (!reported.insert(file.statement(at).begin).second) continue;
      report_capability(context, {file.span(begin).begin, file.span(at).end});
    }
}

// cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0)
void report_attributes(SourceContext& context) {
  const cu::File& file = context.file;
  const Deciding deciding(file);
  // The variable behind the & of the call's first arguments.
  const auto out_decides = [&](cu::TokenIndex open) {
    if (open == cu::kNoToken || file.partner(open) == cu::kNoToken) return false;
    const auto arguments = file.arguments(open);
    return std::ranges::any_of(arguments, [&](cu::TokenRange argument) {
      return !argument.empty() && file.is(argument.begin, "&") &&
             deciding.variable_decides(argument.end - 1);
    });
  };
  for (const Name& name : kAttributes)
    for (const cu::TokenIndex at : file.occurrences(name))
      if (!context.is_settled(at) && out_decides(file.enclosing(at)))
        report_capability(context, file.span(at));
  for (const cu::TokenIndex at : file.occurrences(kInOneCall))
    if (!context.is_settled(at) && file.is(at + 1, "(") && out_decides(at + 1))
      report_capability(context, file.span(at));
}

void report_in_cuda(SourceContext& context) {
  report_members(context);
  report_attributes(context);
}

const std::array kCapabilities = {Name("get_device_capability"), Name("get_compute_capability")};

bool asks_for_rocm(const py::File& file, py::TokenRange range) {
  for (py::TokenIndex at = range.begin; at < range.end; ++at) {
    const std::string_view text = file.text(at);
    if (file.tokens()[at].kind == py::Kind::kName &&
        (text == "hip" || text.find("rocm") != std::string_view::npos ||
         text.find("is_hip") != std::string_view::npos ||
         text.find("ROCM") != std::string_view::npos))
      return true;
  }
  return false;
}

// For module-level code the linter accepts a test for ROCm anywhere in the file.
// Here only an enclosing test counts.
void report_unguarded(PythonContext& context, const std::vector<lint::Reported>& reported) {
  const py::File& file = context.file;
  static constexpr std::array<std::string_view, 4> kSigns = {">", ">=", "==", "!="};
  if (!asks_for_rocm(file, {0, static_cast<py::TokenIndex>(file.tokens().size())})) return;
  for (const Name& name : kCapabilities)
    for (const py::TokenIndex at : file.occurrences(name)) {
      const py::StatementIndex index = file.statement_at(at);
      if (index == py::kNoStatement || file.enclosing_def(index) != py::kNoStatement ||
          context.is_settled(at))
        continue;
      const py::TokenRange tokens = file.statements()[index].tokens;
      bool is_compared = false, is_asked = asks_for_rocm(file, tokens);
      for (py::TokenIndex each = at; each < tokens.end; ++each)
        is_compared |= std::find(kSigns.begin(), kSigns.end(), file.text(each)) != kSigns.end();
      for (py::StatementIndex around = file.statements()[index].parent; around != py::kNoStatement;
           around = file.statements()[around].parent)
        is_asked |= asks_for_rocm(file, file.statements()[around].tokens);
      const Span span = file.span(tokens);
      const bool is_reported = std::any_of(
          reported.begin(), reported.end(),
          [&](const lint::Reported& each) { return span.contains(each.diagnostic.span.begin); });
      if (is_compared && !is_asked && !is_reported)
        context.report(
            "HP104", Severity::kWarning, file.span(file.dotted(at)),
            "on ROCm this is the number of the gfx target; check the platform before the "
            "capability");
    }
}

void report_in_python(PythonContext& context) {
  const std::vector<lint::Reported> found = findings(context, "HW505");
  for (const lint::Reported& each : found)
    context.report("HP104", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
  report_unguarded(context, found);
}

}  // namespace

Pass capability_checks() {
  return {.codes = {"HP104"}, .cuda = report_in_cuda, .python = report_in_python};
}

}  // namespace hipwright::port::passes
