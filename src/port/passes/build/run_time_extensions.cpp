// SPDX-License-Identifier: MIT
// Extensions that are built when the program runs: load(), load_inline().
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
      const auto list = list_of(file, *value);
      if (!list) {
        if (file.text().find("version.hip") == std::string_view::npos)
          context.report("HP406", Severity::kNote, file.span(*value),
                         "on ROCm these options are passed to hipcc unchanged");
        continue;
      }
      const auto now = for_hipcc(*list);
      if (now != *list)
        context.gate_value(*value, list_text(now), {"HP406", "hipcc's options differ from nvcc's"});
    }
}

}  // namespace

Pass run_time_extensions() {
  return {.codes = {"HP406"}, .python = apply};
}

}  // namespace hipwright::port::passes
