// SPDX-License-Identifier: MIT
#include "trace/categories.h"

#include <gtest/gtest.h>

#include <set>

#include "base/file.h"
#include "base/words.h"
#include "trace/analysis/flops.h"
#include "trace/traces.h"

namespace hipwright::trace {
namespace {

struct Label {
  std::string category, name;
};

// Written by people who read the names; the rules did not exist then.
std::vector<Label> labels() {
  std::vector<Label> out;
  for (const std::string& line :
       split_text(read_file(tests_folder() / "trace/kernel_labels.tsv").value(), '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t tab = line.find('\t');
    out.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return out;
}

TEST(Categories, AgreeWithPeopleOnRealNames) {
  ASSERT_GE(labels().size(), 80U);
  for (const Label& label : labels())
    EXPECT_EQ(key_of(category_of(label.name)), label.category) << label.name;
}

TEST(Categories, TellNamesApartThatShareWords) {
  const auto is = [](std::string_view name, Category category) {
    EXPECT_EQ(key_of(category_of(name)), key_of(category)) << name;
  };
  is("void vllm::reshape_and_cache_flash_kernel<unsigned short>", Category::kKvCache);
  is("triton_poi_fused_addmm_relu_3", Category::kCompiled);
  is("triton_tem_fused_addmm_7", Category::kGemm);
  is("triton_red_fused__to_copy_native_layer_norm_1", Category::kNormalization);
  is("triton_per_fused__softmax_0", Category::kCompiled);
  is("void at::native::elementwise_kernel<128, 4, foo(int)::{lambda(int)#1}>",
     Category::kElementwise);
  is("void at::native::(anonymous namespace)::elementwise_kernel_with_index<int, arange>",
     Category::kElementwise);
  is("void at::native::index_elementwise_kernel<128, 4>", Category::kIndexing);
  is("void vllm::scaled_fp8_quant_kernel<c10::BFloat16>", Category::kQuantization);
  is("at::native::(anonymous namespace)::quantile_kernel", Category::kOther);
  is("Custom_Cijk_Alik_Bljk_HHS_BH_MT128x128x32_MI16x16", Category::kGemm);
  is("nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT", Category::kGemm);
  is("MIOpenBatchNormFwdTrainSpatial", Category::kNormalization);
  is("miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1", Category::kConvolution);
  is("void cutlass::Kernel2<cutlass_80_tensorop_s16816dgrad_optimized>", Category::kConvolution);
  is("void cudnn::cnn::convolve_nhwc_dgrad", Category::kConvolution);
  is("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
     Category::kCommunication);
  is("void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, float>", Category::kSoftmax);
  is("void at::native::multi_tensor_apply_kernel<at::native::TensorListMetadata<2>, "
     "at::native::CopyFunctor<int, long>>",
     Category::kElementwise);
  is("void at::native::multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, "
     "FusedAdamMathFunctor<float, 4>>",
     Category::kOptimizer);
  is("void fmha_fwd_splitkv_kernel", Category::kAttention);
  is("_ZN5aiter41pa_bf16_noquant_a16w16_1tg_4w_msk0_gqaE", Category::kAttention);
  is("void wvSpltK_hf_sml_<__hip_bfloat16, 64, 2, 16, 8, 2, 2>", Category::kGemm);
  is("_fwd_kernel", Category::kAttention);
  is("liger_rope_fwd_kernel", Category::kRotary);
  is("void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>", Category::kNormalization);
  is("void vllm::act_and_mul_kernel<c10::BFloat16>", Category::kActivation);
  is("my_company_secret_kernel", Category::kOther);
  is("", Category::kOther);
}

TEST(Categories, HaveOneKeyAndTitleEach) {
  std::set<std::string_view> keys;
  for (const Category category : all_categories()) keys.insert(key_of(category));
  EXPECT_EQ(keys.size(), kCategories);
}

TEST(Tensile, NameSaysTileTypesAndTransposes) {
  const auto name =
      parse_tensile("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->m, 256U);
  EXPECT_EQ(name->n, 192U);
  EXPECT_EQ(name->k, 64U);
  EXPECT_TRUE(name->transposes_a);
  EXPECT_FALSE(name->transposes_b);
  EXPECT_TRUE(parse_tensile("Cijk_Ailk_Bjlk_SB_MT64x64x8_SE_")->transposes_b);
  EXPECT_FALSE(parse_tensile("nvjet_hsh_128x256_64x4"));
}

}  // namespace
}  // namespace hipwright::trace
