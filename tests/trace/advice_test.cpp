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
    EXPECT_THAT(each.evidence, Not(IsEmpty())) << each.code;
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
  const auto kernel = [](std::string_view name, int lanes, int wave) {
    return advice_for(
        read_trace_text(
            fmt::format(
                R"({{"deviceProperties":[{{"id":0,"name":"AMD GPU","warpSize":{}}}],"traceEvents":[{{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":0,"ts":0,"dur":50,"args":{{"device":0,"stream":0,"grid":[64,1,1],"block":[{},1,1]}}}}]}})",
                wave, name, lanes),
            "t.json")
            .value());
  };
  EXPECT_THAT(kernel("triton_poi_fused_add_0", 64, 64), has("one-warp"));
  EXPECT_THAT(kernel("triton_poi_fused_add_0", 32, 32), has("one-warp"));
  EXPECT_THAT(kernel("triton_poi_fused_add_0", 64, 32), Not(has("one-warp")));
  EXPECT_THAT(kernel("triton_poi_fused_add_0", 256, 64), Not(has("one-warp")));
  EXPECT_THAT(kernel("my_reduction", 64, 64), Not(has("one-warp")));
}

// A sequence of kernels on one stream, each of 10 µs, without a host.
std::vector<Advice> after(const std::vector<std::string_view>& names) {
  std::vector<std::string> events;
  for (const std::string_view name : names)
    events.push_back(kernel_event(name, 10.0 * static_cast<double>(events.size()), 10));
  return advice_on(events);
}

constexpr char kAddNumber[] =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctorOnSelf_add<float> >";
constexpr char kMulNumber[] =
    "void at::native::vectorized_elementwise_kernel<4, at::native::BUnaryFunctor<float, float, "
    "float, at::native::binary_internal::MulFunctor<float> > >";
constexpr char kDiv[] =
    "void at::native::elementwise_kernel<128, 2, at::native::BinaryFunctor<float, float, float, "
    "at::native::binary_internal::DivFunctor<float> > >";
constexpr char kPow[] =
    "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
    "namespace)::pow_tensor_scalar_kernel_impl<float, float>>";
constexpr char kMean[] =
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, "
    "float, float, float>, unsigned int, float, 4, 4>>";
constexpr char kRsqrt[] =
    "void at::native::vectorized_elementwise_kernel<4, "
    "at::native::rsqrt_kernel_cuda(at::TensorIteratorBase&)>";
constexpr char kSqrt[] =
    "void at::native::vectorized_elementwise_kernel<4, "
    "at::native::sqrt_kernel_cuda(at::TensorIteratorBase&)>";
constexpr char kCast[] =
    "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda>";
constexpr char kRmsNorm[] =
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, "
    "true>";
constexpr char kSoftmax[] =
    "void at::native::(anonymous namespace)::softmax_warp_forward<float, float, float, 8, false, "
    "false>";

struct Sequence {
  const char* code;
  bool is_found;
  std::vector<std::string_view> kernels;
};

TEST(Advice, IsGivenForTheSequenceThatShowsItAndNotForOneThatOnlyResemblesIt) {
  const Sequence sequences[] = {
      {"silu-mul", true, {kSilu, kMul}},
      {"silu-mul", false, {kSilu, kMulNumber}},
      {"silu-mul", false, {kMul, kSilu}},
      {"norm-chain", true, {kPow, kMean, kAddNumber, kRsqrt, kMul, kMul}},
      {"norm-chain", true, {kMean, kPow, kMean, kAddNumber, kSqrt, kDiv, kMul}},
      {"norm-chain", false, {kPow, kAddNumber, kRsqrt, kMul}},              // no mean
      {"norm-chain", false, {kMean, "my_gemm", kAddNumber, kRsqrt, kMul}},  // of something else
      {"norm-chain", false, {kPow, kMean, kAddNumber, kRsqrt, "my_gemm", kMul}},
      {"add-norm", true, {kAdd, kRmsNorm}},
      {"add-norm", true, {kAdd, kCast, kRmsNorm}},
      {"add-norm", true, {kAdd, kPow, kMean, kAddNumber, kRsqrt, kMul}},
      {"add-norm", false, {kAddNumber, kRmsNorm}},
      {"add-norm", false, {kAdd, "my_gemm", kRmsNorm}},
      {"add-norm", false, {kAdd, "MIOpenBatchNormFwdInferSpatialEst"}},
      {"add-norm", false, {kAdd, "void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>"}},
      {"attention-math",
       true,
       {"my_gemm", kMulNumber, kSoftmax, "my_gemm", "my_gemm", kMulNumber, kSoftmax, "my_gemm"}},
      {"attention-math",
       false,  // of the vocabulary: argmax and embedding follow
       {"my_gemm", kSoftmax, "ArgMaxOps_reduce", "embedding_kernel", "my_gemm", kSoftmax,
        "ArgMaxOps_reduce", "embedding_kernel", "my_gemm"}},
      {"copies-casts", true, {kCast, "my_gemm"}},
      {"copies-casts", false, {kAdd, "my_gemm"}},
      {"exposed-copies", true, {"my_gemm", "Memcpy DtoH (Device -> Pageable)"}},
      {"exposed-copies", false, {"my_gemm", kCast}},
      {"communication", true, {"my_gemm", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"}},
      {"communication", false, {"my_gemm", "my_gemm"}},
  };
  for (const Sequence& each : sequences) {
    const std::string names = fmt::format("{} after {}", each.code, fmt::join(each.kernels, ", "));
    if (each.is_found)
      EXPECT_THAT(after(each.kernels), has(each.code)) << names;
    else
      EXPECT_THAT(after(each.kernels), Not(has(each.code))) << names;
  }
}

TEST(Advice, ANormChainCountsItsOwnKernelsOnly) {
  for (const Advice& each :
       after({"my_gemm", kCast, kPow, kMean, kAddNumber, kRsqrt, kMul, kMul, kAdd, "my_gemm"}))
    if (each.code == "norm-chain") {
      EXPECT_THAT(each.figures, HasSubstr("0.060 ms"));
      EXPECT_THAT(each.figures, HasSubstr("6 kernels"));
      return;
    }
  FAIL() << "no norm-chain";
}

TEST(Advice, CommunicationBesideComputationIsNotExposed) {
  const char* const reduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL";
  EXPECT_THAT(advice_on({kernel_event("my_gemm", 0, 100, 0), kernel_event(reduce, 10, 80, 1)}),
              Not(has("communication")));
  EXPECT_THAT(advice_on({kernel_event("my_gemm", 0, 100, 0), kernel_event(reduce, 90, 80, 1)}),
              has("communication"));
}

// GEMMs of one size one after the other, with another operation's kernel at some places.
std::vector<Advice> gemms_with(const std::vector<std::string_view>& sequence) {
  std::vector<std::string> events;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const double at = 100.0 * static_cast<double>(i);
    const bool is_gemm = sequence[i] == "mm", is_relu = sequence[i] == "relu";
    events.push_back(op_event(is_gemm   ? "aten::mm"
                              : is_relu ? "aten::relu"
                                        : "aten::scaled_dot_product_attention",
                              at, 50, is_gemm ? "[[512,1024],[1024,1024]]" : "[]",
                              R"("c10::BFloat16","c10::BFloat16")"));
    events.push_back(call_event("hipLaunchKernel", at + 1, 2, static_cast<int>(i) + 1));
    events.push_back(kernel_event(is_gemm   ? "my_gemm"
                                  : is_relu ? "relu_kernel"
                                            : "attn_fwd",
                                  at + 10, 85, 0, static_cast<int>(i) + 1));
  }
  return advice_on(events);
}

TEST(Advice, ProjectionsEndWhereAttentionMixesTheirResults) {
  EXPECT_THAT(gemms_with({"mm", "mm", "mm", "attention", "mm", "attention", "mm", "mm", "mm",
                          "attention", "mm"}),
              has("fuse-projections"));
  EXPECT_THAT(gemms_with({"mm", "attention", "mm", "attention", "mm", "attention", "mm"}),
              Not(has("fuse-projections")));
  // Layers of one size.
  EXPECT_THAT(gemms_with({"mm", "relu", "mm", "attention", "mm", "relu", "mm"}),
              Not(has("fuse-projections")));
}

// A clone of five dimensions whose third has `stride`.
std::vector<Advice> clone_with(int stride) {
  return advice_on(
      {fmt::format(
           R"({{"ph":"X","cat":"cpu_op","name":"aten::clone","pid":9,"tid":9,"ts":0,"dur":10,"args":{{"Input Dims":[[1,8,4,512,128],[]],"Input Strides":[[524288,65536,{},128,1],[]],"Input type":["c10::BFloat16",""]}}}})",
           stride),
       call_event("hipLaunchKernel", 1, 2, 1), kernel_event(kCast, 20, 50, 0, 1),
       kernel_event("attn_fwd", 70, 50)});
}

TEST(Advice, RepeatedHeadsHaveAStrideOfZero) {
  EXPECT_THAT(clone_with(0), has("repeat-kv"));
  EXPECT_THAT(clone_with(65536), Not(has("repeat-kv")));
}

// A decode loop: the host waits for each step's token before it launches the next one.
std::vector<Advice> decode_steps(const char* wait) {
  std::vector<std::string> events;
  for (int i = 0; i < 5; ++i) {
    const double at = 1000.0 * i;
    events.push_back(call_event("hipLaunchKernel", at, 5, 2 * i + 1));
    events.push_back(kernel_event("my_gemm", at + 10, 300, 0, 2 * i + 1));
    events.push_back(call_event(wait, at + 310, 600, 2 * i + 2));
  }
  return advice_on(events);
}

TEST(Advice, SynchronisationIsWhatTheHostWaitedIn) {
  EXPECT_THAT(decode_steps("hipStreamSynchronize"), has("host-sync"));
  EXPECT_THAT(decode_steps("hipStreamSynchronize"), Not(has("host-stall")));
  EXPECT_THAT(decode_steps("hipMalloc"), Not(has("host-sync")));
  EXPECT_THAT(decode_steps("hipMalloc"), has("host-stall"));
}

// A GEMM in bf16 of `m` rows that takes `us`.
std::vector<Advice> gemm_of_rows(int m, double us) {
  return advice_on({op_event("aten::mm", 0, 10, fmt::format("[[{},4096],[4096,4096]]", m),
                             R"("c10::BFloat16","c10::BFloat16")"),
                    call_event("hipLaunchKernel", 1, 2, 1), kernel_event("my_gemm", 10, us, 0, 1)});
}

TEST(Advice, GemmsOfFewRowsAreHeldToTheMemorysRate) {
  const double least = 2.0 * 4096 * 4096 / 5.3e12 * 1e6;  // µs to read the weights
  EXPECT_THAT(gemm_of_rows(1, 3 * least), has("small-m-gemm"));
  EXPECT_THAT(gemm_of_rows(1, 1.2 * least), Not(has("small-m-gemm")));
  EXPECT_THAT(gemm_of_rows(17, 3 * least), Not(has("small-m-gemm")));
}

}  // namespace
}  // namespace hipwright::trace
