// SPDX-License-Identifier: MIT
// CUDA source in strings: compiled at run time, and not translated.
#include "port/source/text_source.h"

#include "port/pass.h"
#include "port/python/context.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
namespace py = syntax::python;
using syntax::Name;

namespace {

const Name kRawKernel("RawKernel"), kRawModule("RawModule"), kSourceModule("SourceModule"),
    kLoadInline("load_inline");

bool may_hold_source(std::string_view text) {
  return text.find("__global__") != std::string_view::npos ||
         text.find("__device__") != std::string_view::npos;
}

// Kernels for NVRTC; literals that follow each other are one text.
void report_in_cuda(SourceContext& context) {
  const cu::File& file = context.file;
  if (!may_hold_source(file.text())) return;
  const auto tokens = file.tokens();
  std::string joined;
  cu::TokenIndex first = cu::kNoToken;
  const auto finish = [&] {
    if (first != cu::kNoToken && is_cuda_source(joined) && !context.is_settled(first)) {
      const std::string trouble = trouble_in_source(joined);
      context.report(
          "HP213", Severity::kWarning, file.span(first),
          trouble.empty() ? "this string is CUDA source compiled at run time and was not translated"
                          : "this string is CUDA source and was not translated; check " + trouble,
          "hiprtc compiles the common subset unchanged; write the rest for AMD, selected "
          "with an #if around the string.");
    }
    joined.clear();
    first = cu::kNoToken;
  };
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kString || (tokens[at].flags & cu::kInDirective) != 0) {
      if (first != cu::kNoToken) finish();
      continue;
    }
    if (first == cu::kNoToken) first = at;
    joined += string_content(file.text(at));
  }
}

// Who compiles it, and what that means on ROCm.
std::string_view who_compiles(const py::File& file) {
  if (file.has(kLoadInline))
    return "PyTorch replaces only the names in it when it builds for ROCm.";
  if (file.has(kRawKernel) || file.has(kRawModule))
    return "CuPy's ROCm build passes it to hiprtc unchanged.";
  if (file.has(kSourceModule))
    return "PyCUDA is NVIDIA-only: use CuPy's RawModule or hip-python's hiprtc.";
  return "hiprtc replaces NVRTC and compiles the common subset of both languages.";
}

bool is_documentation(const py::File& file, py::TokenIndex at) {
  const py::StatementIndex index = file.statement_at(at);
  return index == py::kNoStatement || file.statements()[index].tokens.begin == at;
}

void report_source(PythonContext& context, py::TokenIndex at) {
  const std::string source = context.file.string_value(at);
  if (!is_cuda_source(source) || is_documentation(context.file, at) || context.is_settled(at))
    return;
  const std::string trouble = trouble_in_source(source);
  context.report(
      "HP213", Severity::kWarning, context.file.span(at),
      trouble.empty()
          ? std::string("this string is CUDA source compiled at run time and was not translated")
          : "this string is CUDA source and was not translated; check " + trouble,
      std::string(who_compiles(context.file)));
}

void report_in_python(PythonContext& context) {
  if (!may_hold_source(context.file.text())) return;
  const auto tokens = context.file.tokens();
  for (py::TokenIndex at = 0; at < tokens.size(); ++at)
    if (tokens[at].kind == py::Kind::kString) report_source(context, at);
}

}  // namespace

Pass source_in_text() {
  return {.codes = {"HP213"}, .cuda = report_in_cuda, .python = report_in_python};
}

}  // namespace hipwright::port::passes
