// SPDX-License-Identifier: MIT
// The first advice for real traces, as an expert would give it, and rules on traces made for them.
#include "trace/advice/advice.h"

#include <gmock/gmock.h>

#include "trace/read/read.h"
#include "trace/traces.h"

namespace hipwright::trace {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<Advice> advice_for(const Trace& trace) {
  return advise(trace, summarize(trace));
}
std::vector<Advice> advice_on(const std::vector<std::string>& events) {
  return advice_for(read_trace_text(trace_text(events), "t.json").value());
}
auto has(const char* code) {
  return Contains(Field("code", &Advice::code, code));
}

struct Expected {
  const char* file;
  const char* first;
  const char* why;
};

TEST(Advice, ATraceWithoutGpuEventsGetsNoneAndSaysWhy) {
  const Trace trace = read_trace_text(trace_text({op_event("aten::add", 0, 5)}), "t.json").value();
  EXPECT_THAT(advice_for(trace), IsEmpty());
  EXPECT_THAT(why_no_advice(summarize(trace)), HasSubstr("no GPU events"));
}

TEST(Advice, FirstForRealTracesIsAnExperts) {
  if (!std::filesystem::exists(real_traces()))
    GTEST_SKIP() << "not run: no real traces in " << real_traces();
  const Expected expected[] = {
      {"h100-Falconsai_nsfw_image_detection-1016002.json.gz", "graph-capture",
       "the GPU works 16% of the span; 154 kernels of 8 µs are launched one by one"},
      {"h100-gaunernst_bert-small-uncased-1016001.json.gz", "graph-capture",
       "the GPU works 8% of the span; gaps between all kernels"},
      {"mi300-Falconsai_nsfw_image_detection-1016002.json.gz", "graph-capture",
       "as on the H100: the host is the limit, not the GPU"},
      {"mi300-gaunernst_bert-small-uncased-1016001.json.gz", "graph-capture", "as on the H100"},
      {"inference-sglang_decode-sglang_Qwen3-8B_decode.json.gz", "host-stall",
       "a single gap of 463 ms before a step of 9.8 ms: nothing else matters before that is "
       "explained"},
      {"inference-vllm_decode_full-graph_execution.json.gz", "moe-backend",
       "already one graph, no idle time; two expert GEMMs take two thirds"},
      {"inference-vllm_prefilldecode_piecewise-graph_execution.json.gz", "moe-backend",
       "expert GEMMs take 80%"},
      {"mi210-gpu_only_trace-gpu_only_trace.json.gz", "convolution-layout",
       "a fifth of the time only changes layouts around MIOpen's kernels"},
      {"mi300-resnet_act_checkpoint.json.gz", "communication",
       "two thirds of the span is all-reduce with nothing beside it"},
      {"rocprof-908_results.json.gz", "unknown-idle",
       "idle for 70% of the span, and rocprofv3 was not told to record the host; communication is "
       "second"},
      {"torch_compile_triton-trace.json.gz", "gemm-tuning",
       "busy all the time; GEMMs take 64% at 37 to 45% of the peak"},
  };
  for (const Expected& each : expected) {
    const auto trace = read_trace({(real_traces() / each.file).string()});
    ASSERT_TRUE(trace) << trace.error().message();
    const std::vector<Advice> advice = advice_for(*trace);
    ASSERT_FALSE(advice.empty()) << each.file;
    EXPECT_EQ(advice.front().code, each.first) << each.file << ": " << each.why;
  }
}

TEST(Advice, AlwaysHasAFigureAKernelAndANextStep) {
  const Trace trace = read_trace({(tests_folder() / "fixtures/trace/layer.json").string()}).value();
  const Summary summary = summarize(trace);
  const std::vector<Advice> advice = advise(trace, summary);
  ASSERT_FALSE(advice.empty());
  for (const Advice& each : advice) {
    EXPECT_THAT(each.figures, HasSubstr("ms")) << each.code;
    EXPECT_THAT(each.next, Not(IsEmpty())) << each.code;
    EXPECT_GT(each.bound, 0) << each.code;
    EXPECT_LE(each.expected, each.bound) << each.code;
    EXPECT_NEAR(each.speedup,
                static_cast<double>(summary.span) / static_cast<double>(summary.span - each.bound),
                1e-6)
        << each.code;
    EXPECT_GE(static_cast<double>(each.expected), 0.01 * static_cast<double>(summary.span))
        << each.code;
    if (each.code != "unknown-idle") EXPECT_THAT(each.evidence, Not(IsEmpty())) << each.code;
  }
}

TEST(Advice, NothingForABusyGpuWithGoodKernels) {
  // 4096³ in bf16 at 90% of the peak.
  const double us = 2.0 * 4096 * 4096 * 4096 / 1307.4e12 / 0.9 * 1e6;
  EXPECT_THAT(
      advice_on({op_event("aten::mm", 0, 10, "[[4096,4096],[4096,4096]]",
                          R"("c10::BFloat16","c10::BFloat16")"),
                 call_event("hipLaunchKernel", 1, 2, 1), kernel_event("my_gemm", 10, us, 0, 1)}),
      IsEmpty());
}

TEST(Advice, MixtureOfExpertsIsOfTracesThatHaveIt) {
  EXPECT_THAT(advice_on({kernel_event("fused_moe_kernel", 0, 1000)}), has("moe-backend"));
  EXPECT_THAT(advice_on({kernel_event("my_gemm", 0, 1000)}), Not(has("moe-backend")));
}

constexpr char kAdd[] =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >";
constexpr char kMul[] =
    "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, "
    "at::native::binary_internal::MulFunctor<float> > >";
constexpr char kSilu[] =
    "void at::native::vectorized_elementwise_kernel<4, "
    "at::native::silu_kernel(at::TensorIteratorBase&)>";
constexpr char kNorm[] =
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>";

TEST(Advice, FindsSequencesThatOneKernelCouldReplace) {
  EXPECT_THAT(advice_on({kernel_event(kSilu, 0, 10), kernel_event(kMul, 10, 10)}), has("silu-mul"));
  EXPECT_THAT(advice_on({kernel_event(kSilu, 0, 10), kernel_event("my_gemm", 10, 10),
                         kernel_event(kMul, 20, 10)}),
              Not(has("silu-mul")));
  EXPECT_THAT(advice_on({kernel_event(kAdd, 0, 10), kernel_event(kNorm, 10, 10)}), has("add-norm"));
  EXPECT_THAT(advice_on({kernel_event(kNorm, 0, 10), kernel_event(kAdd, 10, 10)}),
              Not(has("add-norm")));
  // The two are on different streams: no sequence.
  EXPECT_THAT(advice_on({kernel_event(kAdd, 0, 10, 1), kernel_event(kNorm, 10, 10, 2)}),
              Not(has("add-norm")));
}

// gate, silu, up, product: as the common gated MLP runs.
std::vector<Advice> gated_mlp(const char* factor) {
  const char* types = R"("c10::BFloat16","c10::BFloat16")";
  const char* matrices = "[[512,4096],[4096,8192]]";
  return advice_on({op_event("aten::mm", 0, 10, matrices, types), call_event("launch", 1, 2, 1),
                    kernel_event("my_gemm", 10, 30, 0, 1),
                    op_event("aten::silu", 20, 10, "[[512,8192]]", types),
                    call_event("launch", 21, 2, 2), kernel_event(kSilu, 40, 10, 0, 2),
                    op_event("aten::mm", 40, 10, matrices, types), call_event("launch", 41, 2, 3),
                    kernel_event("my_gemm", 50, 30, 0, 3),
                    op_event("aten::mul", 60, 10, fmt::format("[[512,8192],{}]", factor), types),
                    call_event("launch", 61, 2, 4), kernel_event(kMul, 80, 10, 0, 4)});
}

TEST(Advice, FindsTheProductBehindTheGemmOfItsOtherFactor) {
  EXPECT_THAT(gated_mlp("[512,8192]"), has("silu-mul"));
  EXPECT_THAT(gated_mlp("[8192]"), Not(has("silu-mul")));
}

TEST(Advice, FusedProjectionsAreBoundByTheRoof) {
  // Two pairs of GEMMs in bf16 at 80 % of the MI300X's peak: a fifth is the most that can be saved.
  const double us = 2.0 * 4096 * 4096 * 4096 / 1307.4e12 / 0.8 * 1e6;
  std::vector<std::string> events;
  for (int i = 0; i < 4; ++i) {
    if (i == 2)  // between the pairs
      events.push_back(op_event("aten::mm", 250, 10, "[[512,4096],[4096,8192]]",
                                R"("c10::BFloat16","c10::BFloat16")"));
    events.push_back(op_event("aten::mm", 200 * i, 10, "[[4096,4096],[4096,4096]]",
                              R"("c10::BFloat16","c10::BFloat16")"));
    events.push_back(call_event("hipLaunchKernel", 200 * i + 1, 2, i + 1));
    events.push_back(kernel_event("my_gemm", 200 * i + 10, us, 0, i + 1));
  }
  events.push_back(call_event("hipLaunchKernel", 251, 2, 9));
  events.push_back(kernel_event("my_gemm", 390, 5, 0, 9));
  for (const Advice& each : advice_on(events))
    if (each.code == "fuse-projections") {
      EXPECT_NEAR(static_cast<double>(each.bound) * 1e-3, 4 * us * 0.2, 4 * us * 0.01);
      return;
    }
  FAIL() << "no fuse-projections";
}

TEST(Advice, FindsFp32Gemms) {
  const auto gemm = [](const char* type) {
    const std::string types = fmt::format("\"{0}\",\"{0}\"", type);
    return advice_on({op_event("aten::mm", 0, 10, "[[64,64],[64,64]]", types),
                      call_event("hipLaunchKernel", 1, 2, 1),
                      kernel_event("my_gemm", 10, 50, 0, 1)});
  };
  EXPECT_THAT(gemm("float"), has("fp32-gemm"));
  EXPECT_THAT(gemm("float"),
              Contains(Field("figures", &Advice::figures,
                             HasSubstr("MI300X computes bf16 at 8 times the rate"))));
  EXPECT_THAT(gemm("c10::BFloat16"), Not(has("fp32-gemm")));
}

TEST(Advice, FindsSmallGapsOnlyWhereKernelsAreLaunchedOneByOne) {
  std::vector<std::string> eager, graph{call_event("hipGraphLaunch", 0, 5, 1)};
  for (int i = 0; i < 20; ++i) {
    eager.push_back(call_event("hipLaunchKernel", 20 * i, 5, i + 1));
    eager.push_back(kernel_event("my_gemm", 20 * i + 10, 5, 0, i + 1));
    graph.push_back(kernel_event("my_gemm", 20 * i + 10, 5, 0, 1));
  }
  EXPECT_THAT(advice_on(eager), has("graph-capture"));
  EXPECT_THAT(advice_on(graph), Not(has("graph-capture")));
}

TEST(Advice, FindsTritonKernelsOfOneWave) {
  const auto kernel = [](int lanes) {
    return fmt::format(
        R"({{"ph":"X","cat":"kernel","name":"triton_poi_fused_add_0","pid":0,"tid":0,"ts":0,"dur":50,"args":{{"device":0,"stream":0,"grid":[64,1,1],"block":[{},1,1]}}}})",
        lanes);
  };
  EXPECT_THAT(advice_on({kernel(64)}), has("one-warp"));
  EXPECT_THAT(advice_on({kernel(256)}), Not(has("one-warp")));
}

}  // namespace
}  // namespace hipwright::trace
