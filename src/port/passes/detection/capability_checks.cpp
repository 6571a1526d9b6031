// SPDX-License-Identifier: MIT
// Comparisons with NVIDIA's compute capabilities: AMD's numbers are those of the gfx target.
#include <algorithm>
#include <array>
#include <set>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/lint_findings.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
namespace py = syntax::python;
using syntax::Name;

namespace {

const Name kMajor("major"), kMinor("minor"), kProperties("cudaDeviceProp"),
    kGetProperties("cudaGetDeviceProperties");

bool compares(const cu::File& file, cu::TokenIndex at) {
  static constexpr std::array<const char*, 7> kSigns = {"<", ">", "<=", ">=", "==", "!=", "*"};
  return at < file.tokens().size() &&
         std::any_of(kSigns.begin(), kSigns.end(),
                     [&](const char* sign) { return file.is(at, sign); });
}

// prop.major >= 8, 10 * prop.major + prop.minor
void report_in_cuda(SourceContext& context) {
  const cu::File& file = context.file;
  if (!file.has(kProperties) && !file.has(kGetProperties)) return;
  std::set<cu::TokenIndex> reported;  // one report per statement
  for (const Name& name : {kMajor, kMinor})
    for (const cu::TokenIndex at : file.occurrences(name)) {
      if (at < 2 || !(file.is(at - 1, ".") || file.is(at - 1, "->")) || context.is_settled(at))
        continue;
      cu::TokenIndex begin = at - 2;
      const cu::TokenIndex open = file.is(begin, "]") ? file.partner(begin) : cu::kNoToken;
      if (open != cu::kNoToken && open > 0) begin = open - 1;
      if (!compares(file, at + 1) && !(begin > 0 && compares(file, begin - 1))) continue;
      if (!reported.insert(file.statement(at).begin).second) continue;
      context.report(
          "HP104", Severity::kWarning, {file.span(begin).begin, file.span(at).end},
          "on AMD these are the numbers of the gfx target: 9.0 for gfx90a, 9.4 for gfx942, "
          "11.0 for gfx1100",
          "A comparison with NVIDIA's capabilities mistakes an MI300 for a Hopper GPU. Query the "
          "property that is meant, or select with an #if.");
    }
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
