// SPDX-License-Identifier: MIT
// Gated activations: what a transformer's MLP computes between its products.
#include "graph/ops/activation.h"
#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

Result<Tensors> run_gated(const Call& call) {
  if (call[0].dims != call[1].dims || call[0].type != call[1].type)
    return mismatch("gate and up have different types");
  std::vector<double> out = floats_of(call[0]);
  const std::vector<double> up = floats_of(call[1]);
  const bool is_tanh = call.node.text("approximate", "none") == "tanh";
  HW_CHECK(activate(call.node.op == "SiluMul" ? "silu" : is_tanh ? "gelu_tanh" : "gelu", out));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] *= up[i];
  return Tensors{tensor_of(call[0].type, call[0].dims, out)};
}

}  // namespace

Operators gated() {
  return {{"SiluMul", 2, 2, same_as_first, run_gated, 1, kOwnDomain},
          {"GeluMul", 2, 2, same_as_first, run_gated, 1, kOwnDomain}};
}

}  // namespace hipwright::graph::ops
