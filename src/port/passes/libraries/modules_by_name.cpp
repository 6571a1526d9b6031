// SPDX-License-Identifier: MIT
// Modules for NVIDIA that are imported by name: importlib.import_module("flash_attn").
#include <array>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const std::array kImporters = {Name("import_module"), Name("__import__")};

struct Module {
  std::string_view name;
  CodeId code;
  std::string_view instead;
};
constexpr std::array kModules = std::to_array<Module>({
    {"flash_attn", "HP501", "import its functions from attention_fallback or torch on ROCm"},
    {"flash_attn_interface", "HP502", "it requires Hopper"},
    {"pynvml", "HP503", "use amdsmi on ROCm"},
    {"flashinfer", "HP507", "it is NVIDIA-only"},
    {"tensorrt", "HP507", "it is NVIDIA-only"},
    {"transformer_engine", "HP507", "import it in a try block and do without it"},
    {"xformers", "HP507", "fall back to torch's scaled_dot_product_attention"},
    {"deep_gemm", "HP507", "it is NVIDIA-only"},
    {"cupy", "HP507", "it has ROCm builds"},
    {"pycuda", "HP512", "it is NVIDIA-only"},
    {"numba.cuda", "HP512", "ROCm has numba-hip"},
});

// importlib.import_module("flash_attn"), __import__("pynvml")
void report_import(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  if (!file.is(at + 1, "(") || file.tokens()[at + 2].kind != Kind::kString ||
      file.statement_at(at) == kNoStatement || context.is_settled(at))
    return;
  const std::string name = file.string_value(at + 2);
  for (const Module& module : kModules) {
    const bool is_it = name == module.name || name.starts_with(std::string(module.name) + ".");
    if (!is_it || context.layout.owns(name.substr(0, name.find('.')))) continue;
    const bool is_caught = file.guarded_by_try(file.statement_at(at), "ImportError");
    context.report(
        module.code, is_caught ? Severity::kNote : Severity::kWarning, file.span(at + 2),
        fmt::format("{} is imported by name and missing on ROCm; {}", module.name, module.instead));
    return;
  }
}

void apply(PythonContext& context) {
  for (const Name& name : kImporters)
    for (const TokenIndex at : context.file.occurrences(name)) report_import(context, at);
}

}  // namespace

Pass modules_by_name() {
  return {.codes = {"HP501", "HP502", "HP503", "HP507", "HP512"}, .python = apply};
}

}  // namespace hipwright::port::passes
