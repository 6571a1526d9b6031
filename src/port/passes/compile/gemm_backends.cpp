// SPDX-License-Identifier: MIT
// Inductor's GEMM backends: CUTLASS exists for NVIDIA only.
#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/inductor_config.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

constexpr std::string_view kSetting = "max_autotune_gemm_backends";
const syntax::Name kBackends(kSetting);

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

// options={"max_autotune_gemm_backends": "CUTLASS"}
bool has_options(std::string_view text) {
  return text.find("triton.") != std::string_view::npos ||
         text.find("max_autotune_gemm_backends\"") != std::string_view::npos;
}

void apply(PythonContext& context) {
  const File& file = context.file;
  for (const TokenIndex at : file.occurrences(kBackends))
    if (const TokenRange value = inductor_value(file, at); !value.empty())
      gate_backends(context, value);
  if (!has_options(file.text())) return;
  for (const TokenIndex key : text_keys(file))
    if (file.text(key).find(kSetting) != std::string_view::npos)
      gate_backends(context, {key + 2, key + 3});
}

}  // namespace

Pass gemm_backends() {
  return {.codes = {"HP603"}, .python = apply};
}

}  // namespace hipwright::port::passes
