// SPDX-License-Identifier: MIT
#include "trace/categories.h"

#include <array>
#include <charconv>
#include <vector>

#include "base/pattern.h"
#include "base/words.h"

namespace hipwright::trace {

namespace {

using enum Category;

struct Title {
  Category category;
  std::string_view key, title;
  Group group;
};
constexpr Title kTitles[] = {
    {kGemm, "gemm", "GEMM", Group::kGemm},
    {kAttention, "attention", "attention", Group::kAttention},
    {kMoe, "moe", "mixture of experts", Group::kGemm},
    {kConvolution, "convolution", "convolution", Group::kGemm},
    {kNormalization, "normalization", "normalization", Group::kElementwise},
    {kActivation, "activation", "activation", Group::kElementwise},
    {kSoftmax, "softmax", "softmax and loss", Group::kElementwise},
    {kRotary, "rotary", "rotary embedding", Group::kElementwise},
    {kQuantization, "quantization", "quantization", Group::kElementwise},
    {kCompiled, "compiled", "compiled elementwise", Group::kElementwise},
    {kElementwise, "elementwise", "elementwise", Group::kElementwise},
    {kReduction, "reduction", "reduction and pooling", Group::kElementwise},
    {kIndexing, "indexing", "embedding and indexing", Group::kElementwise},
    {kSort, "sort", "sort, scan and sampling", Group::kOther},
    {kOptimizer, "optimizer", "optimizer", Group::kElementwise},
    {kKvCache, "kv_cache", "KV cache", Group::kAttention},
    {kCommunication, "communication", "communication", Group::kOther},
    {kCopy, "copy", "memory copies", Group::kOther},
    {kOther, "other", "uncategorised", Group::kOther},
};
static_assert(std::size(kTitles) == kCategories);

const Title& row_of(Category category) {
  return kTitles[static_cast<std::size_t>(category)];
}

// The name in small letters has one of `words` and none of `without`.
struct Rule {
  Category category;
  std::vector<std::string_view> words;
  std::vector<std::string_view> without = {};
};

// Most specific first: names of one kind contain words of another.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = {
      {kCommunication,
       {"nccl",
        "rccl",
        "cross_device_reduce",
        "multimem_all_reduce",
        "quick_reduce",
        "quickreduce",
        "allreduce",
        "all_reduce",
        "allgather",
        "all_gather",
        "reduce_scatter",
        "reducescatter",
        "alltoall",
        "all_to_all",
        "nvshmem",
        "rocshmem",
        "deep_ep",
        "custom_ar",
        "lamport",
        "msccl",
        "a2a_",
        "epdispatch",
        "epcombine"}},
      {kCopy,
       {"memcpy", "memset", "__amd_rocclr_", "fillbuffer", "copyhostto", "copydeviceto",
        "copybuffer"},
       {"routing"}},
      {kKvCache,
       {"and_cache", "cache_page", "store_kvcache", "store_kv_cache", "set_kv_buffer", "kv_indices",
        "copy_blocks_kernel", "swap_blocks", "gather_cache", "cp_gather", "append_kv", "appendkv",
        "appendpagedkv", "update_kv", "write_req_to_token"}},
      {kMoe,
       {"fmoe",        "moe_gemm",     "gemm_moe",      "moe_ck",       "ck_moe",
        "moesorting",  "moe_sort",     "topkgating",    "topk_gating",  "fused_moe",
        "_matmul_ogs", "moe_align",    "moe_sum",       "grouped_topk", "_finalize_matmul",
        "moe",         "expert",       "expt_",         "bitmatrix",    "combined_routing",
        "routing_",    "topk_softmax", "_topk_forward", "grouped_mm",   "gating_gemm"},
       {"smoe_", "remoe"}},
      {kAttention,
       {"fmha",
        "flash_fwd",
        "flash_bwd",
        "flash_attn",
        "flashattn",
        "flash_attention",
        "flash::",
        "attn_fwd",
        "attn_bwd",
        "bwd_kernel_fuse",
        "bwd_kernel_dk_dv",
        "bwd_kernel_dq",
        "bwd_preprocess",
        "sage_fwd",
        "sageattn",
        "attention",
        "mla_",
        "_mla",
        "pytorch_flash",
        "sdpa",
        "_attn",
        "attn_",
        "mha_fwd",
        "mha_bwd",
        "fwd_grouped_kernel_stage",
        "fwd_kernel_stage",
        "reduce_segments",
        "noquant",
        "pa_fwd",
        "pa_bf16",
        "pa_fp16",
        "pa_fp8",
        "pa_kernel",
        "selective_scan",
        "chunk_scan",
        "chunk_state",
        "state_passing",
        "ssm_scan",
        "delta_rule",
        "kda_",
        "gqa_",
        "mqa_",
        "chunk_fwd",
        "chunk_bwd",

        "_dot_kkt",
        "recompute_w_u",
        "solve_tril",
        "merge_16x16",
        "linear_attn",
        "batchprefill",
        "batchdecode"}},
      {kNormalization,
       {"rmsnorm",
        "rms_norm",
        "layernorm",
        "layer_norm",
        "groupnorm",
        "group_norm",
        "batchnorm",
        "batch_norm",
        "instancenorm",
        "instance_norm",
        "l2norm",
        "l2_norm",
        "rowwisemoments",
        "gammabeta",
        "gamma_beta",
        "welford",
        "bn_fw",
        "bn_bw",
        "add_norm",
        "norm_kernel",
        "norm_f32",
        "_rms_",
        "computefusedparams",
        "computeinternalgradients",
        "rmsn_",
        "ln_fwd",
        "ln_bwd",
        "dyt_norm"}},
      {kQuantization,
       {"quant", "scaled_fp8", "per_token_group", "to_fp8", "fp8_cast", "cast_to_fp", "mxfp4_cast",
        "downcast_to_mx", "upcast_from_mx", "cvt_", "convert_fp8", "reconstruct_"},
       {"quantile", "gemm", "matmul", "gemv", "mul_mat"}},
      {kReduction, {"pooling_fw", "pooling_bw", "maxpool", "avgpool"}},
      {kActivation, {"miopenneuron"}},
      {kConvolution,
       {"miopen",     "igemm_",        "subtensorop",    "batched_transpose_",
        "im2d2col",   "im2col",        "col2im",         "im3d2col",
        "winograd",   "cudnn",         "fprop",          "dgrad",
        "wgrad",      "convolution",   "convolve",       "nchw2",
        "2nchw",      "nhwc2",         "conv1d",         "conv2d",
        "conv3d",     "conv_",         "_conv",          "sp3asmconv",
        "asmconv",    "implicit_gemm", "bwd_weight",     "bwd_data",
        "nchwtonhwc", "nhwctonchw",    "convert_tensor", "transposeconv",
        "vol2col",    "col2vol"},
       {"conv_template", "_convert"}},
      {kOptimizer,
       {"multi_tensor", "multitensor", "adam", "_sgd", "sgd_", "lamb_stage", "lamb_update",
        "fusedlamb", "lambfunctor", "adagrad", "rmsprop", "lpnorm", "koptimizer"},
       {"hadamard"}},
      {kGemm, {"gemm",       "wvspltk",        "scaled_mm",   "wvsplitk",
               "llmm1",      "nvjet",          "cutlass",     "cublas",
               "xmma",       "splitk",         "split_k",     "gemv",
               "matmul",     "tensile",        "hipblaslt",   "rocblas",
               "streamk",    "stream_k",       "marlin",      "bmm",
               "_mm_kernel", "_linear_kernel", "mm_kernel_",  "dot_product_kernel",
               "magma_",     "wv_splitk",      "skinny",      "mul_mat",
               "flatmm",     "lora_shrink",    "lora_expand", "sgmv_",
               "bgmv_",      "rocsparse",      "cusparse"}},
      {kSoftmax,
       {"softmax", "soft_max", "logsumexp", "nll_loss", "cross_entropy", "_loss_", "mse_loss",
        "liger_loss"}},
      {kRotary,
       {"rotary", "kn_entry_", "rope_", "_rope", "rope<", "ropekernel", "mrope", "apply_rot"},
       {"property"}},
      {kActivation,
       {"silu", "gelu", "swiglu", "geglu", "act_and_mul", "relu", "sigmoid", "swish", "hardtanh",
        "softplus", "mish_", "activation"}},
      {kSort,
       {"sort",          "scan",          "topk",
        "top_k",         "top_p",         "radix",
        "onesweep",      "unique",        "histogram",
        "cumsum",        "sampl",         "bincount",
        "min_p_",        "penalt",        "block_merge",
        "bitonic",       "argmax_sample", "device_partition",
        "device_select", "devicecompact", "deviceselect"},
       {"elementwise", "searchsorted", "index_put", "grid_sampl"}},
      {kIndexing,
       {"index", "indices", "get_rows", "set_rows", "gather", "scatter", "embedding", "take_kernel",
        "nonzero", "masked_select", "searchsorted", "one_hot", "token_ids", "lookup",
        "req_to_token", "block_table", "slot_mapping"},
       {"with_index", "indextooffset"}},
      {kElementwise, {"transform_kernel", "devicetransform", "parallel_for", "for_each"}},
      // Attention is what FlashInfer has besides the kernels above.
      {kAttention, {"flashinfer"}},
      {kReduction,
       {"reduce", "reduction", "num_nans", "argmax", "argmin", "sum_kernel", "mean_kernel", "pool",
        "cub::", "rocprim", "thrust", "devicereduce"},
       {"elementwise"}},
      {kElementwise, {"elementwise", "op1dtensor", "op2dtensor",    "op3dtensor",   "op4dtensor",
                      "optensor",    "catarray",   "fill",          "dropout",      "masked_scale",
                      "where",       "copy",       "cast",          "triu",         "tril",
                      "pointwise",   "unrolled",   "add_kernel",    "mul_kernel",   "distribution",
                      "arange",      "clamp",      "transpose",     "permute",      "upsample",
                      "pad_kernel",  "_pad",       "flip",          "roll_",        "bernoulli",
                      "random",      "uniform",    "normal_kernel", "vectorized",   "tensor_kernel",
                      "contiguous",  "add_bias",   "bias_add",      "scale_kernel", "split_kernel",
                      "interleave",  "convert",    "bcast",         "cpy_",         "scale_f",
                      "concat",      "eigenmeta",  "hadamard",      "grid_sampl",   "rocrand",
                      "curand"}},
  };
  return kRules;
}

bool fits(const Rule& rule, std::string_view name) {
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  return std::ranges::any_of(rule.words, has) && std::ranges::none_of(rule.without, has);
}

// Kernels of torch.compile are named after what was fused in them, which may be anything.
std::optional<Category> compiled_category(std::string_view name) {
  static const Pattern kPattern(
      "triton_(poi|per|red|for|unk|tem|mm|bmm|flex|convolution|helion)(_.*)?");
  // XLA's.
  static const Pattern kFusion("((loop|input|wrapped)_([a-z0-9_]+_)?)?fusion(_[0-9]+)*");
  if (!kFusion.match(name).empty()) return kCompiled;
  const std::vector<std::string> match = kPattern.match(name);
  if (match.empty()) return std::nullopt;
  const std::string& kind = match[1];
  if (kind == "mm" || kind == "bmm") return kGemm;
  if (kind == "flex") return kAttention;
  if (kind == "convolution") return kConvolution;
  if (kind == "tem") {
    if (has_any(name, {"attention"})) return kAttention;
    if (has_any(name, {"convolution"})) return kConvolution;
    if (has_any(name, {"mm"})) return kGemm;
    return kCompiled;
  }
  if (has_any(name, {"rsqrt", "layer_norm", "group_norm", "batch_norm", "rms_norm"}))
    return kNormalization;
  return kCompiled;
}

bool is_tensile(std::string_view name) {
  static const Pattern kPattern("^((Custom_)?C[a-z]{3,4}_A[a-z]{3,4}_B[a-z]{3,4}|Cijkl?_)");
  return !kPattern.find(name).empty();
}

// Libraries named after GEMMs have other kernels, too.
std::string without_library(std::string name) {
  for (const std::string_view library : {"deep_gemm", "fbgemm"})
    for (std::size_t at = name.find(library); at != std::string::npos; at = name.find(library, at))
      name.erase(at, library.size());
  return name;
}

Category by_rules(std::string_view name) {
  for (const Rule& rule : rules())
    if (fits(rule, name)) return rule.category;
  return kOther;
}

}  // namespace

std::span<const Category> all_categories() {
  static const std::array<Category, kCategories> kAll = [] {
    std::array<Category, kCategories> all{};
    for (std::size_t i = 0; i < kCategories; ++i) all[i] = static_cast<Category>(i);
    return all;
  }();
  return kAll;
}

std::string_view key_of(Category category) {
  return row_of(category).key;
}
std::string_view title_of(Category category) {
  return row_of(category).title;
}
Group group_of(Category category) {
  return row_of(category).group;
}

std::string_view title_of(Group group) {
  switch (group) {
    case Group::kGemm:
      return "GEMM and convolution";
    case Group::kAttention:
      return "attention";
    case Group::kElementwise:
      return "elementwise and normalization";
    case Group::kOther:
      return "other";
  }
  return "other";
}

Category category_of(std::string_view kernel) {
  if (const auto compiled = compiled_category(kernel)) return *compiled;
  if (is_tensile(kernel)) return kGemm;
  const std::string name = lowered(kernel);
  // A list of tensors that is only copied: no optimiser's work.
  if (has_any(name, {"multi_tensor_apply"}) && has_any(name, {"::copy<", "copyfunctor"}) &&
      !has_any(name, {"adam", "sgd"}))
    return kElementwise;
  // Triton kernels of this name are attention in SGLang, vLLM and xFormers.
  if (has_any(name, {"_kernel_ep_"})) return kMoe;  // except those of expert parallelism
  if (name.starts_with("_fwd_kernel") || name.starts_with("_bwd_kernel")) return kAttention;
  const Category own = by_rules(without_library(name));
  return own == kOther ? by_rules(name) : own;
}

unsigned precedence_of(Category category) {
  return category == kCommunication ? 1 : category == kCopy ? 2 : 0;
}

std::optional<TensileName> parse_tensile(std::string_view kernel) {
  static const Pattern kPattern(
      "C[a-z]{3,4}_A([a-z]{3,4})_B([a-z]{3,4})_([A-Z0-9]+(?:_[A-Z]+)?)_(?:.*_)?MT([0-9]+)x([0-9]+)"
      "x([0-9]+)_");
  const std::vector<std::string> match = kPattern.find(kernel);
  if (match.empty()) return std::nullopt;
  const auto number = [](const std::string& text) {
    unsigned value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  // The letter of the summed index is l; where it stands first, the matrix is transposed (A) or not
  // (B).
  TensileName out{.m = number(match[4]), .n = number(match[5]), .k = number(match[6])};
  out.transposes_a = match[1][0] == 'l';
  out.transposes_b = match[2][0] != 'l';
  out.types = match[3];
  return out;
}

}  // namespace hipwright::trace
