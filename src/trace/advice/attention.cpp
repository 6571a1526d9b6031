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
  Evidence evidence = under_op(facts, [&](const Op& op) {
    return facts.trace.text(op.name) == "aten::_scaled_dot_product_attention_math";
  });
  if (evidence.count() == 0) {
    const Evidence chain = softmax_between_gemms(facts);
    if (chain.count() < 6) return std::nullopt;
    Advice advice{.code = "attention-math"};
    advice.evidence = chain.lines();
    advice.bound = part(chain.time(), 0.8);
    advice.expected = part(chain.time(), 0.5);
    advice.figures = fmt::format(
        "GEMM, softmax, GEMM in a row take {:.3f} ms ({:.1f}% of the span): attention that writes "
        "its scores to memory.",
        ms(chain.time()), percent_of(facts, chain.time()));
    advice.title = "Use a fused attention kernel";
    advice.step = "6: attention backend";
    advice.next =
        "torch.nn.functional.scaled_dot_product_attention, or attn_implementation=\"sdpa\" in "
        "transformers; measure it against AITER's";
    return advice;
  }
  Advice advice{.code = "attention-math",
                .title = "Use a fused attention kernel",
                .step = "6: attention backend"};
  advice.bound = part(evidence.time(), 0.8);
  advice.expected = part(evidence.time(), 0.5);
  advice.figures =
      fmt::format("Attention's math implementation takes {:.3f} ms ({:.1f}% of the span).",
                  ms(evidence.time()), percent_of(facts, evidence.time()));
  advice.evidence = evidence.lines();
  advice.next =
      "find out why SDPA rejects its fused kernels: "
      "torch.nn.attention.sdpa_kernel(SDPBackend.FLASH_ATTENTION) says the reason";
  return advice;
}

std::optional<Advice> attention_backend(const Facts& facts) {
  const Nanoseconds time = facts.summary.exclusive(Category::kAttention);
  if (time == 0) return std::nullopt;
  const Evidence kernels = events_where(
      facts, [](std::string_view, Category category) { return category == Category::kAttention; });
  Advice advice{.code = "attention-backend",
                .title = "Compare attention backends for these lengths",
                .step = "6: attention backend"};
  advice.bound = part(time, 0.5);
  advice.expected = part(time, 0.15);
  advice.figures = fmt::format(
      "Attention takes {:.3f} ms ({:.1f}% of the span). Half of it is the bound assumed.", ms(time),
      percent_of(facts, time));
  advice.evidence = kernels.lines();
  advice.next = facts.is_amd()
                    ? "measure AITER, CK and Triton per length (long prompts favour AITER's "
                      "assembly, about 1000 tokens Triton); vLLM: VLLM_ROCM_USE_AITER=1"
                    : "measure cuDNN, FlashAttention and FlashInfer per length";
  return advice;
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
  Advice advice{.code = "repeat-kv",
                .title = "Do not copy K and V for every query head",
                .step = "2: unnecessary work"};
  advice.bound = evidence.time();
  advice.expected = part(evidence.time(), 0.9);
  advice.figures =
      fmt::format("Repeating K and V takes {:.3f} ms ({:.1f}% of the span) in {} kernels.",
                  ms(evidence.time()), percent_of(facts, evidence.time()), evidence.count());
  advice.evidence = evidence.lines();
  advice.next =
      "scaled_dot_product_attention(…, enable_gqa=True), or a backend that takes grouped heads";
  return advice;
}

}  // namespace hipwright::trace
