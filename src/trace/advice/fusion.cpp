// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/words.h"
#include "trace/advice/rules.h"

namespace hipwright::trace {

namespace {

bool is_elementwise(std::string_view name, Words functors) {
  return has_any(name, {"elementwise"}) && has_any(name, functors);
}
bool is_add(std::string_view name) {
  return is_elementwise(name, {"CUDAFunctor_add", "CUDAFunctorOnSelf_add"});
}
bool is_product(std::string_view name) {
  return is_elementwise(name, {"MulFunctor"});
}
// Of two tensors; the other forms take a number.
bool is_sum_of_tensors(std::string_view name) {
  return is_elementwise(name, {"CUDAFunctor_add"}) && !has_any(name, {"UnaryFunctor"});
}
bool is_product_of_tensors(std::string_view name) {
  return is_product(name) && !has_any(name, {"UnaryFunctor"});
}
bool is_silu(std::string_view name) {
  return is_elementwise(name, {"silu_kernel", "Silu", "GeluCUDAKernelImpl", "gelu"});
}

// The shapes of an operation's first two inputs; empty if they are not known.
std::vector<Shape> operands_of(const Facts& facts, std::uint32_t event) {
  const std::uint32_t op = facts.trace.gpu[event].op;
  if (op == kNone) return {};
  std::vector<Shape> shapes = parse_shapes(facts.trace.text(facts.trace.ops[op].shapes));
  shapes.resize(std::min<std::size_t>(shapes.size(), 2));
  return shapes;
}

// The product that takes an activation's result: the next kernel, or behind the GEMM that computes
// its other factor (silu(gate(x)) * up(x)), which the shapes must show. What shapes the trace has
// must agree.
std::optional<std::uint32_t> product_after(const Facts& facts,
                                           const std::vector<std::uint32_t>& stream,
                                           std::size_t at) {
  constexpr std::size_t kKernelsOfGemm = 3;
  if (!is_silu(facts.kernel(stream[at]))) return std::nullopt;
  for (std::size_t next = at + 1; next < stream.size() && next <= at + 1 + kKernelsOfGemm; ++next) {
    if (is_product_of_tensors(facts.kernel(stream[next]))) {
      const auto input = operands_of(facts, stream[at]), factors = operands_of(facts, stream[next]);
      if (next == at + 1 && (input.empty() || factors.size() < 2)) return stream[next];
      const bool is_same =
          !input.empty() && factors.size() == 2 && factors[0] == input[0] && factors[1] == input[0];
      return is_same ? std::optional(stream[next]) : std::nullopt;
    }
    if (facts.categories[stream[next]] != Category::kGemm) return std::nullopt;
  }
  return std::nullopt;
}

// A norm of separate kernels on a stream: x², mean, +eps, root, product with the weight. It is
// found by its root, with a mean before it and a product or division after it, and nothing but
// pointwise kernels and reductions between them.
struct Chain {
  std::size_t first, last;
};

bool is_part_of_norm(const Facts& facts, std::uint32_t event) {
  switch (facts.categories[event]) {
    case Category::kElementwise:
    case Category::kReduction:
    case Category::kNormalization:  // the mean and variance of Welford's method
      return true;
    default:
      return false;
  }
}

std::optional<Chain> chain_at(const Facts& facts, const std::vector<std::uint32_t>& stream,
                              std::size_t root) {
  constexpr std::size_t kReach = 5;
  if (!is_elementwise(facts.kernel(stream[root]), {"rsqrt_kernel", "Rsqrt", "sqrt_kernel"}))
    return std::nullopt;
  Chain chain{root, root};
  bool has_mean = false;
  for (std::size_t step = 1; step <= kReach && step <= root; ++step) {
    const std::uint32_t event = stream[root - step];
    const std::string& name = facts.kernel(event);
    if (!is_part_of_norm(facts, event) || is_sum_of_tensors(name)) break;
    const bool is_mean = has_any(name, {"MeanOps", "WelfordOps"});
    if (!is_mean && !is_add(name) && !is_product(name) &&
        !has_any(name, {"pow_tensor", "PowTensor"}))
      continue;
    has_mean |= is_mean;
    chain.first = root - step;
  }
  for (std::size_t step = 1; step <= kReach && root + step < stream.size(); ++step) {
    const std::uint32_t event = stream[root + step];
    if (!is_part_of_norm(facts, event) || is_sum_of_tensors(facts.kernel(event))) break;
    if (is_product(facts.kernel(event)) ||
        is_elementwise(facts.kernel(event), {"DivFunctor", "div_true"}))
      chain.last = root + step;
  }
  return has_mean && chain.last > root ? std::optional(chain) : std::nullopt;
}

// A layer or RMS norm that does not add by itself.
bool is_norm_of_rows(const Facts& facts, std::uint32_t event) {
  return facts.categories[event] == Category::kNormalization &&
         !has_any(lowered(facts.kernel(event)),
                  {"batch", "group", "instance", "bn_", "welford", "fused_add", "fusedadd",
                   "add_rms", "addrms", "add_norm", "with_add", "triton_", "backward", "bwd",
                   "gammabeta", "gradinput"});
}

// The addition right before a norm; a cast may stand between them.
std::optional<std::uint32_t> sum_before(const Facts& facts,
                                        const std::vector<std::uint32_t>& stream,
                                        std::size_t norm) {
  for (std::size_t step = 1; step <= 2 && step <= norm; ++step) {
    const std::string& name = facts.kernel(stream[norm - step]);
    if (is_sum_of_tensors(name)) {
      const auto terms = operands_of(facts, stream[norm - step]);
      const bool agree = terms.size() < 2 || terms[0] == terms[1];
      return agree ? std::optional(stream[norm - step]) : std::nullopt;
    }
    if (!has_any(name, {"copy_kernel", "direct_copy"})) break;
  }
  return std::nullopt;
}

constexpr char kCompile[] =
    "`torch.compile(mode=\"default\")` fuses it; a Triton kernel of its own where that is not "
    "possible";

}  // namespace

std::optional<Advice> activation_and_product(const Facts& facts) {
  Evidence evidence(facts);
  for (const auto& stream : facts.streams)
    for (std::size_t i = 0; i < stream.size(); ++i)
      if (const auto product = product_after(facts, stream, i)) {
        evidence.add(stream[i]);
        evidence.add(*product);
      }
  if (evidence.count() == 0) return std::nullopt;
  // Five passes over memory become three.
  return advice_on(
      evidence, {.bound = 0.4, .expected = 0.35},
      {.code = "silu-mul",
       .title = "Fuse the activation and the product that takes its result",
       .step = "4: elementwise kernels",
       .figures = fmt::format("SiLU or GELU and the product after it take {} in {} kernels.",
                              share(facts, evidence.time()), evidence.count()),
       .next = kCompile});
}

std::optional<Advice> norm_chain(const Facts& facts) {
  Evidence evidence(facts);
  std::size_t chains = 0;
  for (const auto& stream : facts.streams)
    for (std::size_t i = 0; i < stream.size(); ++i)
      if (const auto chain = chain_at(facts, stream, i)) {
        ++chains;
        for (std::size_t at = chain->first; at <= chain->last; ++at) evidence.add(stream[at]);
      }
  if (chains == 0) return std::nullopt;
  return advice_on(
      evidence, {.bound = 0.75, .expected = 0.65},
      {.code = "norm-chain",
       .title = "Replace norms made of separate kernels by one kernel",
       .step = "4: elementwise kernels",
       .figures =
           fmt::format("{} from the mean to the product with the weight {} {} in {} kernels.",
                       counted(chains, "chain"), chains == 1 ? "takes" : "take",
                       share(facts, evidence.time()), evidence.count()),
       .next = "`torch.nn.RMSNorm` or `torch.nn.functional.rms_norm`, AITER's `rms_norm`, or "
               "`torch.compile(mode=\"default\")`"});
}

std::optional<Advice> residual_and_norm(const Facts& facts) {
  Evidence evidence(facts);
  for (const auto& stream : facts.streams)
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const auto chain = chain_at(facts, stream, i);
      if (!chain && !is_norm_of_rows(facts, stream[i])) continue;
      if (const auto sum = sum_before(facts, stream, chain ? chain->first : i)) evidence.add(*sum);
    }
  if (evidence.count() == 0) return std::nullopt;
  return advice_on(
      evidence, {.bound = 1, .expected = 0.6},
      {.code = "add-norm",
       .title = "Fuse the residual addition into the norm that follows it",
       .step = "4: elementwise kernels",
       .figures = fmt::format("{} before norms: {}.", counted(evidence.count(), "addition"),
                              share(facts, evidence.time())),
       .next = "an Add+RMSNorm or Add+LayerNorm kernel (AITER: "
               "`rmsnorm2d_fwd_with_add`), or `torch.compile(mode=\"default\")`"});
}

std::optional<Advice> copies_and_casts(const Facts& facts) {
  const Evidence evidence = events_where(facts, [](std::string_view name, Category category) {
    return category == Category::kElementwise &&
           has_any(name, {"copy_kernel_cuda", "CatArrayBatchedCopy", "direct_copy", "_to_copy",
                          "transpose"});
  });
  if (evidence.count() == 0) return std::nullopt;
  return advice_on(
      evidence, {.bound = 1, .expected = 0.5},
      {.code = "copies-casts",
       .title = "Remove copies, casts and concatenations",
       .step = "2: unnecessary work",
       .figures = fmt::format("{} kernels that only copy, cast or concatenate take {}.",
                              evidence.count(), share(facts, evidence.time())),
       .next = "keep one dtype through the step (parameters in bf16 instead of casting them every "
               "time), drop `.contiguous()`, write into slices of a preallocated tensor instead of "
               "`cat`"});
}

std::optional<Advice> elementwise_fusion(const Facts& facts) {
  // What the other rules count is not counted again.
  const Evidence evidence = events_where(facts, [](std::string_view name, Category category) {
    return is_any(category_of(name) == category ? key_of(category) : "",
                  {"elementwise", "activation", "softmax", "reduction"}) &&
           !has_any(name, {"copy_kernel_cuda", "CatArrayBatchedCopy", "direct_copy"});
  });
  if (evidence.count() < 10) return std::nullopt;
  return advice_on(
      evidence, {.bound = 0.75, .expected = 0.4},
      {.code = "elementwise-fusion",
       .title = "Fuse elementwise kernels with torch.compile(mode=\"default\")",
       .step = "7: torch.compile",
       .figures = fmt::format("{} separate elementwise, activation and reduction kernels take {}.",
                              evidence.count(), share(facts, evidence.time())),
       .next = "`torch.compile(model, mode=\"default\")`; `hipwright lint --select "
               "HW611,HW612,HW613 PATH` checks its settings"});
}

std::optional<Advice> optimizer_fusion(const Facts& facts) {
  const Evidence evidence = events_where(facts, [](std::string_view name, Category category) {
    return category == Category::kOptimizer && !has_any(name, {"Fused", "fused"});
  });
  if (evidence.count() < 4) return std::nullopt;
  return advice_on(
      evidence, {.bound = 0.7, .expected = 0.5},
      {.code = "fused-optimizer",
       .title = "Use the fused optimizer",
       .step = "4: elementwise kernels",
       .figures = fmt::format("The optimizer's {} list kernels take {}.", evidence.count(),
                              share(facts, evidence.time())),
       .next = "`torch.optim.AdamW(…, fused=True)`, which does the update in one pass"});
}

std::optional<Advice> one_warp(const Facts& facts) {
  Evidence evidence(facts);
  const std::uint32_t wave = facts.wave();
  for (std::uint32_t i = 0; i < facts.trace.gpu.size(); ++i) {
    const GpuEvent& event = facts.trace.gpu[i];
    if (event.block[0] != wave || event.block[1] > 1 || event.grid[0] == 0) continue;
    if (facts.kernel(i).starts_with("triton_")) evidence.add(i);
  }
  if (evidence.count() == 0) return std::nullopt;
  return advice_on(
      evidence, {.bound = 0.75, .expected = 0.4},
      {.code = "one-warp",
       .title = "Give Triton kernels more than one warp",
       .step = "4: elementwise kernels",
       .figures = fmt::format("{} Triton kernels run with workgroups of {} lanes, one wave: {}.",
                              evidence.count(), wave, share(facts, evidence.time())),
       .next = "autotune `num_warps` over 1, 2, 4 and 8 (torch.compile: "
               "`coordinate_descent_tuning=True`)"});
}

}  // namespace hipwright::trace
