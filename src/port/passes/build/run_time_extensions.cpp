// SPDX-License-Identifier: MIT
// Extensions that are built at run time: load(), load_inline().
#include "port/build/option_lists.h"
#include "port/pass.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kLoad("load"), kLoadInline("load_inline");

void options(PythonContext& context, TokenRange value) {
  const File& file = context.file;
  const auto now = list_for_hipcc(file, value);
  if (!now) {
    if (file.text().find("version.hip") == std::string_view::npos)
      context.report("HP406", Severity::kWarning, file.span(value),
                     "on ROCm these options are passed to hipcc unchanged");
    return;
  }
  for (const TokenIndex gpu : computed_gpus(file, value))
    context.report("HP406", Severity::kWarning, file.span(gpu),
                   "the GPU named here is not passed to hipcc: PyTorch compiles for "
                   "PYTORCH_ROCM_ARCH, or the GPU that it finds");
  if (now->is_changed)
    context.gate_value(value, now->text, {"HP406", "hipcc's options differ from nvcc's"});
}

void apply(PythonContext& context) {
  const File& file = context.file;
  if (file.text().find("cpp_extension") == std::string_view::npos) return;
  for (const Name& name : {kLoad, kLoadInline})
    for (const TokenIndex at : file.occurrences(name)) {
      if (!file.is(at + 1, "(") || context.is_settled(at)) continue;
      for (const std::string_view argument : {"extra_cuda_cflags", "extra_ldflags"})
        if (const auto value = file.keyword_argument(at + 1, argument)) options(context, *value);
    }
}

}  // namespace

Pass run_time_extensions() {
  return {.codes = {"HP406"}, .python = apply};
}

}  // namespace hipwright::port::passes
