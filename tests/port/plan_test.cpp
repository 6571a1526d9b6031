// SPDX-License-Identifier: MIT
#include "port/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "port/cutlass.h"

namespace hipwright::port {
namespace {

using testing::Contains;
using testing::HasSubstr;

Plan plan_for(const std::map<std::string, std::string>& files) {
  const auto folder = TemporaryDirectory::create();
  EXPECT_TRUE(folder);
  for (const auto& [path, text] : files) {
    EXPECT_TRUE(make_directories((folder->path() / path).parent_path()));
    EXPECT_TRUE(write_file_atomic(folder->path() / path, text));
  }
  Options options;
  options.path = folder->path();
  auto made = plan(options);
  EXPECT_TRUE(made);
  return made ? *std::move(made) : Plan{};
}

std::string phases(const Plan& plan) {
  std::string out;
  for (const PlannedPhase& phase : plan.phases) {
    EXPECT_FALSE(phase.why.empty());
    if (phase.applies) out += std::to_string(phase.number);
  }
  return out;
}

constexpr const char* kKernel =
    "#include <cuda_runtime.h>\n"
    "#include <cublas_v2.h>\n"
    "__device__ int g() { return __ballot_sync(0xffffffff, 1); }\n"
    "__global__ void k(int* p) { asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(*p)); *p = g(); }\n"
    "__global__ void declared(int*);\n"
    "void f(int* p, cublasHandle_t h) { k<<<1, 1>>>(p); cublasDestroy(h); cudaFree(p); }\n";

TEST(Plan, PurePythonSkipsTheCompiledPhases) {
  const Plan plan = plan_for({{"m.py", "import torch\nmodel = torch.compile(m)\n"}});
  EXPECT_EQ(phases(plan), "015678");
  EXPECT_THAT(plan.branches, Contains(HasSubstr("Pure Python")));
  EXPECT_EQ(plan.inventory.python.at(PythonUse::kCompile).size(), 1U);
  EXPECT_THAT(plan.phases[6].why, HasSubstr("torch.compile at 1 place"));
}

TEST(Plan, FlashAttentionAloneIsPhaseFive) {
  const Plan plan =
      plan_for({{"m.py", "import torch\nfrom flash_attn import flash_attn_func\nimport pynvml\n"}});
  EXPECT_EQ(phases(plan), "015678");
  EXPECT_THAT(plan.branches, Contains(HasSubstr("flash attention only: phase 5")));
  EXPECT_THAT(plan.phases[5].why, HasSubstr("flash attention (1), pynvml (1)"));
}

TEST(Plan, KernelsWithPythonNeedAllPhases) {
  const Plan plan = plan_for({{"k.cu", kKernel},
                              {"setup.py",
                               "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\n"
                               "setup(ext_modules=[CUDAExtension('m', ['k.cu'])])\n"},
                              {"requirements.txt", "torch==2.3\n"}});
  EXPECT_EQ(phases(plan), "012345678");
  const ProjectInventory& all = plan.inventory;
  EXPECT_EQ(all.kernel_count, 1U);  // a declaration is none
  EXPECT_EQ(all.kernels.at("k.cu"), 1U);
  EXPECT_EQ(all.launches, 1U);
  EXPECT_EQ(all.device_functions, 1U);
  EXPECT_EQ(all.inline_ptx, std::vector<Place>({{"k.cu", 4}}));
  EXPECT_EQ(all.lane_masks, std::vector<Place>({{"k.cu", 3}}));
  EXPECT_EQ(all.libraries.at(api::Library::kBlas).names, 2U);
  EXPECT_EQ(all.libraries.at(api::Library::kBlas).headers.at("cublas_v2.h"), 1U);
  EXPECT_EQ(all.extensions, std::vector<Place>({{"setup.py", 3}}));
  EXPECT_TRUE(all.build_systems.contains("setup.py"));
  EXPECT_THAT(plan.branches, Contains(HasSubstr("Custom kernels")));
}

TEST(Plan, APlainProgramNeedsNoPythonPhases) {
  EXPECT_EQ(phases(plan_for({{"k.cu", kKernel}, {"Makefile", "all:\n"}})), "2348");
  EXPECT_EQ(phases(plan_for({{"README", "text"}, {"a.cpp", "int main() {}\n"}})), "");
}

TEST(Plan, CutlassIsListedPerUseWithItsCounterpart) {
  const Plan plan =
      plan_for({{"g.cu",
                 "using Gemm =\n    cutlass::gemm::device::Gemm<cutlass::half_t>;\n"
                 "auto l = cute::make_layout(x);\nusing W = cutlass::arch::OpClassTensorOp;\n"}});
  ASSERT_EQ(plan.inventory.cutlass.size(), 4U);
  EXPECT_EQ(plan.inventory.cutlass[0].name, "cutlass::gemm::device::Gemm");
  EXPECT_THAT(plan.inventory.cutlass[0].counterpart, HasSubstr("DeviceGemm_Xdl"));
  EXPECT_EQ(plan.inventory.cutlass[0].place, (Place{"g.cu", 2}));
  EXPECT_EQ(plan.inventory.cutlass[1].counterpart, "ck::half_t");
  EXPECT_EQ(plan.inventory.cutlass[3].counterpart, "");
  EXPECT_TRUE(plan.phases[3].applies);
  EXPECT_THAT(plan.branches, Contains(HasSubstr("CUTLASS: 4 uses")));
  EXPECT_THAT(plan_text(plan, false), HasSubstr("1 x cutlass::gemm::device::Gemm -> ck::"));
}

TEST(Plan, CounterpartsAreOfTheWholeName) {
  EXPECT_EQ(composable_kernel_counterpart("cutlass::gemm::GemmShape"), "ck_tile::TileGemmShape");
  EXPECT_THAT(std::string(composable_kernel_counterpart("LinearCombinationRelu")),
              HasSubstr("element_wise"));
  EXPECT_EQ(composable_kernel_counterpart("cute::IntTuple"), "");
}

TEST(Plan, JaxBesidePyTorchIsLeftOut) {
  const Plan both = plan_for({{"a.py", "import jax, torch\n"}});
  EXPECT_THAT(both.branches, Contains(HasSubstr("PyTorch path only")));
  const Plan alone = plan_for({{"a.py", "import jax.numpy as jnp\n"}});
  EXPECT_THAT(alone.branches, testing::Not(Contains(HasSubstr("PyTorch path only"))));
}

TEST(Plan, BuildSystemsThatAreOnlyReportedAreFound) {
  const Plan plan = plan_for({{"k.cu", kKernel}, {"a/BUILD.bazel", ""}, {"meson.build", ""}});
  EXPECT_EQ(plan.inventory.build_systems.at("Bazel"), std::vector<std::string>({"a/BUILD.bazel"}));
  EXPECT_THAT(plan.branches, Contains(HasSubstr("Meson: reported only")));
}

TEST(Plan, EffortIsTheSumOfWhatIsListed) {
  const Plan plan = plan_for({{"k.cu", kKernel}});
  double sum = 0;
  for (const EffortItem& item : plan.effort) {
    EXPECT_GT(item.count, 0U);
    sum += static_cast<double>(item.count) * item.hours_each;
  }
  EXPECT_DOUBLE_EQ(plan.hours(), sum);
  const auto json = parse_json(plan_json(plan), "plan");
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["effort"]["hours"], sum);
  EXPECT_EQ((*json)["inventory"]["kernels"]["count"], 1);
  EXPECT_EQ((*json)["phases"].size(), 9U);
}

}  // namespace
}  // namespace hipwright::port
