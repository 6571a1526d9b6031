// SPDX-License-Identifier: MIT
// Inductor's settings for ROCm in files that compile, of a project that sets none itself.
#include <algorithm>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/inductor_config.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

const syntax::Name kCompile("compile");
constexpr std::string_view kFunction = "rocm_inductor_settings";

// torch.compile(f, backend="eager") does not use Inductor.
bool uses_inductor(const File& file, TokenIndex at) {
  if (at < 2 || !file.is(at - 1, ".") || !file.is(at - 2, "torch")) return false;
  if (at + 1 >= file.tokens().size() || !file.is(at + 1, "(")) return true;
  const auto backend = file.keyword_argument(at + 1, "backend");
  if (!backend || backend->size() != 1 || file.tokens()[backend->begin].kind != Kind::kString)
    return true;
  return file.string_value(backend->begin) == "inductor";
}

// Its author has decided what AMD needs.
bool knows_rocm(std::string_view text) {
  return text.find("version.hip") != std::string_view::npos ||
         text.find("rocm") != std::string_view::npos;
}

void apply(PythonContext& context) {
  const File& file = context.file;
  if (context.layout.sets_inductor() || knows_rocm(file.text())) return;
  const auto at = std::ranges::find_if(file.occurrences(kCompile), [&](TokenIndex each) {
    return uses_inductor(file, each) && !context.is_settled(each);
  });
  if (at == file.occurrences(kCompile).end()) return;
  const std::string name(kFunction);
  // The settings are the process's: its program chooses them, not a module that it imports.
  const bool is_put =
      !context.layout.is_in_package(context.source) &&
      context.put_on_import({"if " + std::string(context.gate()) + ":", "    " + name + "()"},
                            {"HP604", "the settings to start with on ROCm"}, {name});
  if (!is_put)
    context.report(
        "HP604", Severity::kNote, file.span(*at),
        "on ROCm, start with Inductor's graphs and memory planning off, and ATEN's GEMMs");
}

}  // namespace

Pass inductor_settings() {
  return {.codes = {"HP604"}, .python = apply};
}

}  // namespace hipwright::port::passes
