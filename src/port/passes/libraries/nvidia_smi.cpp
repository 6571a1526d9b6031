// SPDX-License-Identifier: MIT
// Calls of nvidia-smi.
#include "port/pass.h"
#include "port/python/context.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
namespace py = syntax::python;

namespace {

constexpr std::string_view kCommand = "nvidia-smi";

bool mentions_it(std::string_view text) {
  return text.find(kCommand) != std::string_view::npos;
}

void report_in_cuda(SourceContext& context) {
  const cu::File& file = context.file;
  if (!mentions_it(file.text())) return;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at)
    if (tokens[at].kind == cu::Kind::kString && (tokens[at].flags & cu::kInDirective) == 0 &&
        mentions_it(file.text(at)) && !context.is_settled(at))
      context.report("HP511", Severity::kWarning, file.span(at), "AMD machines lack nvidia-smi",
                     "Use amd-smi or rocm-smi, whose output differs; the HIP runtime answers many "
                     "such queries.");
}

bool is_command(std::string_view text) {
  const std::size_t at = text.find(kCommand);
  if (at == std::string_view::npos) return false;
  const std::string_view before = text.substr(0, at);
  // A command, not a sentence that speaks of it.
  const std::size_t space = before.find(' ');
  return space == std::string_view::npos || before.starts_with("sudo ") ||
         before.find("&&") != std::string_view::npos || before.ends_with("| ");
}

void report_command(PythonContext& context, py::TokenIndex at) {
  const py::File& file = context.file;
  const py::TokenIndex open = file.enclosing(at);
  if (open == py::kNoToken || !is_command(file.string_value(at)) || context.is_settled(at)) return;
  context.report("HP511", Severity::kWarning, file.span(at), "AMD machines lack nvidia-smi",
                 "Use amd-smi or rocm-smi, whose output differs; torch.cuda answers many such "
                 "queries on both platforms.");
}

void report_in_python(PythonContext& context) {
  if (!mentions_it(context.file.text())) return;
  const auto tokens = context.file.tokens();
  for (py::TokenIndex at = 0; at < tokens.size(); ++at)
    if (tokens[at].kind == py::Kind::kString) report_command(context, at);
}

}  // namespace

Pass nvidia_smi() {
  return {.codes = {"HP511"}, .cuda = report_in_cuda, .python = report_in_python};
}

}  // namespace hipwright::port::passes
