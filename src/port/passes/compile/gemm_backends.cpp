// SPDX-License-Identifier: MIT
// Inductor's GEMM backends: CUTLASS exists for NVIDIA only, and tuning chooses among the backends.
#include <algorithm>
#include <array>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/inductor_config.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

constexpr std::string_view kSetting = "max_autotune_gemm_backends";
const syntax::Name kBackends(kSetting);
// They tune GEMMs, and without a setting of their own among all backends.
const std::array kTuning = {syntax::Name("max_autotune"), syntax::Name("max_autotune_gemm")};

bool takes_gemms_from_rocm(const std::string& backends) {
  return backends.find("ATEN") != std::string::npos &&
         backends.find("CUTLASS") == std::string::npos;
}

void gate_backends(PythonContext& context, TokenRange value) {
  const File& file = context.file;
  if (value.size() != 1 || file.tokens()[value.begin].kind != Kind::kString ||
      takes_gemms_from_rocm(file.string_value(value.begin)) || context.is_settled(value.begin))
    return;
  context.gate_value(value, "\"ATEN\"", {"HP603", "ATEN uses hipBLASLt; CUTLASS is NVIDIA-only"});
}

void gate_tuning(PythonContext& context, TokenRange value) {
  if (value.size() == 1 && context.file.is(value.begin, "True") && !context.is_settled(value.begin))
    context.gate_value(value, "False",
                       {"HP603", "tuning includes Triton's GEMMs; ATEN uses hipBLASLt"});
}

bool is_tuning(std::string_view key) {
  return std::ranges::any_of(kTuning, [&](const syntax::Name& each) { return each.text() == key; });
}

void apply(PythonContext& context) {
  const File& file = context.file;
  for (const TokenIndex at : file.occurrences(kBackends))
    if (const TokenRange value = inductor_value(file, at); !value.empty())
      gate_backends(context, value);
  for (const syntax::Name& name : kTuning)
    for (const TokenIndex at : file.occurrences(name))
      if (const TokenRange value = inductor_value(file, at); !value.empty())
        gate_tuning(context, value);
  if (file.text().find("max_autotune") == std::string_view::npos) return;
  for (const TokenIndex key : text_keys(file)) {
    const std::string name = file.string_value(key);
    if (name == kSetting) gate_backends(context, {key + 2, key + 3});
    if (is_tuning(name)) gate_tuning(context, {key + 2, key + 3});
  }
}

}  // namespace

Pass gemm_backends() {
  return {.codes = {"HP603"}, .python = apply};
}

}  // namespace hipwright::port::passes
