// SPDX-License-Identifier: MIT
// What stands in strings: kernels, names of modules, commands.
#include <array>

#include <fmt/format.h>

#include "port/python/parts.h"
#include "port/source/text_source.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Name;

namespace {

const std::array kImporters = {Name("import_module"), Name("__import__")};
const Name kNumba("numba"), kPyCuda("pycuda"), kRawKernel("RawKernel"), kRawModule("RawModule"),
    kSourceModule("SourceModule"), kLoadInline("load_inline");

// Who compiles it, and what that means on ROCm.
std::string_view who_compiles(const File& file) {
  if (file.has(kLoadInline))
    return "PyTorch exchanges the names in it when it builds for ROCm, and nothing else.";
  if (file.has(kRawKernel) || file.has(kRawModule))
    return "CuPy's build for ROCm gives it to hiprtc as it is.";
  if (file.has(kSourceModule))
    return "PyCUDA is NVIDIA's alone: CuPy's RawModule, or hip-python's hiprtc, take such a text.";
  return "hiprtc takes the place of NVRTC, and compiles what is the same in both languages.";
}

bool is_documentation(const File& file, TokenIndex at) {
  const StatementIndex index = file.statement_at(at);
  return index == kNoStatement || file.statements()[index].tokens.begin == at;
}

void tell_source(PythonContext& context, TokenIndex at) {
  const std::string source = context.file.string_value(at);
  if (!is_cuda_source(source) || is_documentation(context.file, at) || context.is_settled(at))
    return;
  const std::string trouble = trouble_in_source(source);
  context.tell("HP213", Severity::kWarning, context.file.span(at),
               trouble.empty()
                   ? std::string("this text is CUDA source: it is compiled while the "
                                 "program runs, and was not translated")
                   : "this text is CUDA source, and was not translated; look at " + trouble,
               std::string(who_compiles(context.file)));
}

bool is_command(std::string_view text) {
  const std::size_t at = text.find("nvidia-smi");
  if (at == std::string_view::npos) return false;
  const std::string_view before = text.substr(0, at);
  // A command, not a sentence that speaks of it.
  const std::size_t space = before.find(' ');
  return space == std::string_view::npos || before.starts_with("sudo ") ||
         before.find("&&") != std::string_view::npos || before.ends_with("| ");
}

void tell_command(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  const TokenIndex open = file.enclosing(at);
  if (open == kNoToken || !is_command(file.string_value(at)) || context.is_settled(at)) return;
  context.tell(
      "HP511", Severity::kWarning, file.span(at),
      "nvidia-smi is not there on machines with AMD GPUs",
      "amd-smi and rocm-smi answer such questions, in other words; torch.cuda answers many "
      "of them on both.");
}

struct Module {
  std::string_view name, code, instead;
};
constexpr std::array kModules = std::to_array<Module>({
    {"flash_attn", "HP501", "take its functions from attention_fallback or from torch on ROCm"},
    {"flash_attn_interface", "HP502", "it is Hopper's"},
    {"pynvml", "HP503", "amdsmi has the same facts on ROCm"},
    {"flashinfer", "HP507", "it exists for NVIDIA only"},
    {"tensorrt", "HP507", "it exists for NVIDIA only"},
    {"transformer_engine", "HP507", "ask for it, and go without where it is missing"},
    {"xformers", "HP507", "fall back to torch's scaled_dot_product_attention"},
    {"deep_gemm", "HP507", "it exists for NVIDIA only"},
    {"cupy", "HP507", "there are builds of it for ROCm"},
    {"pycuda", "HP512", "it exists for NVIDIA only"},
    {"numba.cuda", "HP512", "ROCm has numba-hip"},
});

// importlib.import_module("flash_attn"), __import__("pynvml")
void tell_import(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  if (!file.is(at + 1, "(") || file.tokens()[at + 2].kind != Kind::kString ||
      file.statement_at(at) == kNoStatement || context.is_settled(at))
    return;
  const std::string name = file.string_value(at + 2);
  for (const Module& module : kModules) {
    const bool is_it = name == module.name || name.starts_with(std::string(module.name) + ".");
    if (!is_it || context.layout.owns(name.substr(0, name.find('.')))) continue;
    const bool is_caught = file.guarded_by_try(file.statement_at(at), "ImportError");
    context.tell(module.code, is_caught ? Severity::kNote : Severity::kWarning, file.span(at + 2),
                 fmt::format("{} is imported by a text, and is missing on ROCm: {}", module.name,
                             module.instead));
    return;
  }
}

// from numba import cuda; import pycuda.driver
void tell_python_kernels(PythonContext& context) {
  const File& file = context.file;
  for (const Name& name : {kNumba, kPyCuda})
    for (const TokenIndex at : file.occurrences(name)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || at != file.statements()[index].tokens.begin + 1 ||
          context.is_settled(at))
        continue;
      const std::vector<ImportedName> names = imported_names(file, index);
      if (names.empty() || context.layout.owns(name.text())) continue;
      const std::string what =
          names[0].word.empty() ? names[0].module : names[0].module + "." + names[0].word;
      if (file.is(at, kNumba) && !what.starts_with("numba.cuda")) continue;
      const bool is_caught = file.guarded_by_try(index, "ImportError");
      context.tell("HP512", is_caught ? Severity::kNote : Severity::kError,
                   file.span(file.statements()[index].tokens),
                   file.is(at, kNumba)
                       ? "numba.cuda compiles for NVIDIA only: ROCm has a package of its own, "
                         "numba-hip"
                       : "PyCUDA calls NVIDIA's driver: CuPy has a build for ROCm");
    }
}

}  // namespace

void tell_texts(PythonContext& context) {
  const File& file = context.file;
  const std::string_view text = file.text();
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  const bool has_source = has("__global__") || has("__device__"), has_command = has("nvidia-smi");
  if (has_source || has_command) {
    const auto tokens = file.tokens();
    for (TokenIndex at = 0; at < tokens.size(); ++at) {
      if (tokens[at].kind != Kind::kString) continue;
      if (has_source) tell_source(context, at);
      if (has_command) tell_command(context, at);
    }
  }
  for (const Name& name : kImporters)
    for (const TokenIndex at : file.occurrences(name)) tell_import(context, at);
  tell_python_kernels(context);
}

}  // namespace hipwright::port
