// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "trace/advice/rules.h"

namespace hipwright::trace {

namespace {

// Events that an operation of this name, at any level, called for.
template <class Wanted>
Evidence under_op(const Facts& facts, Wanted wanted) {
  Evidence evidence(facts);
  std::vector<signed char> known(facts.trace.ops.size(), -1);
  for (std::uint32_t i = 0; i < facts.trace.gpu.size(); ++i) {
    bool found = false;
    for (std::uint32_t op = facts.trace.gpu[i].op; op != kNone && !found;
         op = facts.trace.ops[op].parent) {
      if (known[op] < 0) known[op] = wanted(facts.trace.ops[op]) ? 1 : 0;
      found = known[op] == 1;
    }
    if (found) evidence.add(i);
  }
  return evidence;
}

// GEMM, softmax, GEMM on one stream, with only pointwise kernels in between.
Evidence softmax_between_gemms(const Facts& facts) {
  Evidence evidence(facts);
  for (const auto& stream : facts.streams)
    for (std::size_t i = 0; i < stream.size(); ++i) {
      if (facts.categories[stream[i]] != Category::kSoftmax) continue;
      constexpr std::size_t kReach = 4;
      const auto gemm = [&](bool forward) -> std::optional<std::size_t> {
        for (std::size_t step = 1; step <= kReach; ++step) {
          if (!forward && step > i) break;
          const std::size_t at = forward ? i + step : i - step;
          if (at >= stream.size()) break;
          if (facts.categories[stream[at]] == Category::kGemm) return at;
          if (group_of(facts.categories[stream[at]]) != Group::kElementwise) break;
        }
        return std::nullopt;
      };
      const auto first = gemm(false), last = gemm(true);
      if (!first || !last) continue;
      for (std::size_t at = *first; at <= *last; ++at) evidence.add(stream[at]);
    }
  return evidence;
}

}  // namespace

std::optional<Advice> attention_math(const Facts& facts) {
  constexpr Saving kSaving{.bound = 0.8, .expected = 0.5};
  Advice text{.code = "attention-math",
              .title = "Use a fused attention kernel",
              .step = "6: attention backend"};
  const Evidence math = under_op(facts, [&](const Op& op) {
    return facts.trace.text(op.name) == "aten::_scaled_dot_product_attention_math";
  });
  if (math.count() > 0) {
    text.figures =
        fmt::format("Attention's math implementation takes {}.", share(facts, math.time()));
    text.next =
        "find out why SDPA rejects its fused kernels: "
        "torch.nn.attention.sdpa_kernel(SDPBackend.FLASH_ATTENTION) says the reason";
    return advice_on(math, kSaving, std::move(text));
  }
  const Evidence chain = softmax_between_gemms(facts);
  if (chain.count() < 6) return std::nullopt;
  text.figures = fmt::format(
      "GEMM, softmax, GEMM in a row take {}: attention that writes its scores to memory.",
      share(facts, chain.time()));
  text.next =
      "torch.nn.functional.scaled_dot_product_attention, or attn_implementation=\"sdpa\" in "
      "transformers; measure it against AITER's";
  return advice_on(chain, kSaving, std::move(text));
}

std::optional<Advice> attention_backend(const Facts& facts) {
  const Nanoseconds time = facts.summary.exclusive(Category::kAttention);
  if (time == 0) return std::nullopt;
  return advice_on(
      of_category(facts, Category::kAttention), time, {.bound = 0.5, .expected = 0.15},
      {.code = "attention-backend",
       .title = "Compare attention backends for these lengths",
       .step = "6: attention backend",
       .figures =
           fmt::format("Attention takes {}. Half of it is the bound assumed.", share(facts, time)),
       .next = facts.is_amd()
                   ? "measure AITER, CK and Triton per length (long prompts favour AITER's "
                     "assembly, about 1000 tokens Triton); vLLM: VLLM_ROCM_USE_AITER=1"
                   : "measure cuDNN, FlashAttention and FlashInfer per length"});
}

// K and V copied for every group of heads: a copy of five dimensions, batch, heads, repeats,
// tokens, size.
std::optional<Advice> repeat_kv(const Facts& facts) {
  const Evidence evidence = under_op(facts, [&](const Op& op) {
    const std::string& name = facts.trace.text(op.name);
    if (name == "aten::repeat_interleave") return true;
    if (!is_any(name, {"aten::clone", "aten::copy_", "aten::contiguous"})) return false;
    const std::vector<Shape> shapes = parse_shapes(facts.trace.text(op.shapes));
    return !shapes.empty() && shapes[0].size() == 5 && shapes[0][2] > 1 && shapes[0][2] <= 16;
  });
  if (evidence.count() == 0) return std::nullopt;
  return advice_on(evidence, {.bound = 1, .expected = 0.9},
                   {.code = "repeat-kv",
                    .title = "Do not copy K and V for every query head",
                    .step = "2: unnecessary work",
                    .figures = fmt::format("Repeating K and V takes {} in {} kernels.",
                                           share(facts, evidence.time()), evidence.count()),
                    .next = "scaled_dot_product_attention(…, enable_gqa=True), or a backend that "
                            "takes grouped heads"});
}

}  // namespace hipwright::trace
