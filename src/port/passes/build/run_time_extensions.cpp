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

void apply(PythonContext& context) {
  const File& file = context.file;
  if (file.text().find("cpp_extension") == std::string_view::npos) return;
  for (const Name& name : {kLoad, kLoadInline})
    for (const TokenIndex at : file.occurrences(name)) {
      if (!file.is(at + 1, "(") || context.is_settled(at)) continue;
      const auto value = file.keyword_argument(at + 1, "extra_cuda_cflags");
      if (!value) continue;
      const auto now = list_for_hipcc(file, *value);
      if (!now) {
        if (file.text().find("version.hip") == std::string_view::npos)
          context.report("HP406", Severity::kWarning, file.span(*value),
                         "on ROCm these options are passed to hipcc unchanged");
        continue;
      }
      if (now->is_changed)
        context.gate_value(*value, now->text, {"HP406", "hipcc's options differ from nvcc's"});
    }
}

}  // namespace

Pass run_time_extensions() {
  return {.codes = {"HP406"}, .python = apply};
}

}  // namespace hipwright::port::passes
