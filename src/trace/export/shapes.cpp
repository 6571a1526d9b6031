// SPDX-License-Identifier: MIT
#include "trace/export/shapes.h"

#include <set>

#include <fmt/format.h>

#include "base/words.h"

namespace hipwright::trace {

namespace {

// As PyTorch prints a dtype; empty: no tuner takes it.
std::string_view dtype_of(std::string_view type) {
  if (has_any(type, {"BFloat16"})) return "torch.bfloat16";
  if (has_any(type, {"Half"})) return "torch.float16";
  if (type == "float") return "torch.float32";
  if (has_any(type, {"Float8_e4m3fnuz"})) return "torch.float8_e4m3fnuz";
  if (has_any(type, {"Float8_e4m3fn"})) return "torch.float8_e4m3fn";
  return {};
}

}  // namespace

ExportedShapes exported_shapes(const Summary& summary) {
  ExportedShapes out{.csv = "M,N,K,bias,dtype,outdtype,scaleAB,bpreshuffle\n"};
  std::set<GemmShape> seen;
  for (const OpUse& op : summary.ops) {
    if (!op.gemm || !seen.insert(*op.gemm).second) continue;
    const std::string_view dtype = dtype_of(op.gemm->type);
    if (op.gemm->batch > 1) ++out.batched;
    if (op.gemm->batch > 1 || dtype.empty()) continue;
    const bool is_scaled = has_any(dtype, {"float8"});
    out.csv += fmt::format("{},{},{},{},{},{},{},False\n", op.gemm->m, op.gemm->n, op.gemm->k,
                           op.gemm->has_bias ? "True" : "False", dtype,
                           is_scaled ? "torch.bfloat16" : dtype, is_scaled ? "True" : "False");
    ++out.shapes;
  }
  return out;
}

}  // namespace hipwright::trace
