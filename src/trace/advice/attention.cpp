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

// Of an operation that the trace knows: whether it multiplies batches of matrices, as attention
// does.
bool may_be_of_attention(const Facts& facts, std::uint32_t gemm) {
  const std::uint32_t op = facts.trace.gpu[gemm].op;
  return op == kNone || facts.trace.ops[op].is_annotation ||
         !is_any(facts.trace.text(facts.trace.ops[op].name),
                 {"aten::mm", "aten::addmm", "aten::linear", "aten::_scaled_mm"});
}

// GEMM, softmax, GEMM on one stream, with only pointwise kernels in between: scale, mask, casts.
Evidence softmax_between_gemms(const Facts& facts) {
  Evidence evidence(facts);
  const auto gemm_near = [&](const std::vector<std::uint32_t>& stream, std::size_t softmax,
                             int direction) -> std::optional<std::size_t> {
    constexpr std::size_t kReach = 4;
    std::size_t at = softmax;
    for (std::size_t step = 0; step < kReach; ++step) {
      if (direction < 0 ? at == 0 : at + 1 >= stream.size()) break;
      at = direction < 0 ? at - 1 : at + 1;
      const Category category = facts.categories[stream[at]];
      if (category == Category::kGemm)
        return may_be_of_attention(facts, stream[at]) ? std::optional(at) : std::nullopt;
      if (category != Category::kElementwise && category != Category::kCompiled) break;
    }
    return std::nullopt;
  };
  for (const auto& stream : facts.streams)
    for (std::size_t i = 0; i < stream.size(); ++i) {
      if (facts.categories[stream[i]] != Category::kSoftmax) continue;
      const auto first = gemm_near(stream, i, -1), last = gemm_near(stream, i, 1);
      if (!first || !last) continue;
      for (std::size_t at = *first; at <= *last; ++at) evidence.add(stream[at]);
    }
  return evidence;
}

// K or V with a dimension of repeats, batch, heads, repeats, tokens, size: repeated elements have a
// stride of 0. Traces without strides show only that it looks so.
bool repeats_heads(const Facts& facts, const Op& op) {
  const std::string& name = facts.trace.text(op.name);
  const std::vector<Shape> shapes = parse_shapes(facts.trace.text(op.shapes));
  if (name == "aten::repeat_interleave") return !shapes.empty() && shapes[0].size() == 4;
  if (!is_any(name, {"aten::clone", "aten::copy_", "aten::contiguous"})) return false;
  constexpr std::size_t kRepeats = 2;
  const std::vector<Shape> strides = parse_shapes(facts.trace.text(op.strides));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].size() != 5 || shapes[i][kRepeats] < 2) continue;
    if (op.strides == 0)
      return shapes[i][kRepeats] <= 16 && shapes[i][4] <= 256 &&
             facts.summary.of(Category::kAttention).events > 0;
    if (i < strides.size() && strides[i].size() == 5 && strides[i][kRepeats] == 0) return true;
  }
  return false;
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
        "`torch.nn.attention.sdpa_kernel(SDPBackend.FLASH_ATTENTION)` says the reason";
    return advice_on(math, kSaving, std::move(text));
  }
  const Evidence chain = softmax_between_gemms(facts);
  if (chain.count() < 6) return std::nullopt;
  text.figures = fmt::format(
      "GEMM, softmax, GEMM in a row take {}: attention that writes its scores to memory.",
      share(facts, chain.time()));
  text.next =
      "`torch.nn.functional.scaled_dot_product_attention`, or `attn_implementation=\"sdpa\"` in "
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
                     "assembly, about 1000 tokens Triton); vLLM: `VLLM_ROCM_USE_AITER=1`"
                   : "measure cuDNN, FlashAttention and FlashInfer per length"});
}

std::optional<Advice> repeat_kv(const Facts& facts) {
  const Evidence evidence = under_op(facts, [&](const Op& op) { return repeats_heads(facts, op); });
  if (evidence.count() == 0) return std::nullopt;
  return advice_on(evidence, {.bound = 1, .expected = 0.9},
                   {.code = "repeat-kv",
                    .title = "Do not copy K and V for every query head",
                    .step = "2: unnecessary work",
                    .figures = fmt::format("Repeating K and V takes {} in {} kernels.",
                                           share(facts, evidence.time()), evidence.count()),
                    .next = "`scaled_dot_product_attention(…, enable_gqa=True)`, or a backend that "
                            "takes grouped heads"});
}

}  // namespace hipwright::trace
