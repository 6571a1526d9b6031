// SPDX-License-Identifier: MIT
#include "trace/analysis/summary.h"

#include <gmock/gmock.h>

#include "trace/advice/advice.h"
#include "trace/compare/compare.h"
#include "trace/export/merge.h"
#include "trace/read/read.h"
#include "trace/report/html.h"
#include "trace/report/text.h"
#include "trace/traces.h"

namespace hipwright::trace {
namespace {

using testing::HasSubstr;

Summary summary_of(const std::vector<std::string>& events,
                   std::string_view device = "AMD Instinct MI300X") {
  return summarize(read_trace_text(trace_text(events, device), "t.json").value());
}

TEST(Busy, OverlapCountsOnceAndComputationComesFirst) {
  // |--gemm 0..10--|  |nccl 5..25|  |copy 20..30|
  const Summary summary =
      summary_of({kernel_event("my_gemm", 0, 10), kernel_event("ncclAllReduce", 5, 20, 1),
                  kernel_event("Memcpy", 20, 10, 2)});
  EXPECT_EQ(summary.span, 30'000);
  EXPECT_EQ(summary.busy, 30'000);
  EXPECT_EQ(summary.exclusive(Category::kGemm), 10'000);
  EXPECT_EQ(summary.exclusive(Category::kCommunication), 15'000);
  EXPECT_EQ(summary.of(Category::kCommunication).sum, 20'000);
  EXPECT_EQ(summary.exclusive(Category::kCopy), 5'000);
}

TEST(Busy, OfTwoComputationsTheEarlierHasTheTime) {
  const Summary summary =
      summary_of({kernel_event("my_gemm", 0, 10), kernel_event("softmax", 5, 10, 1)});
  EXPECT_EQ(summary.exclusive(Category::kGemm), 10'000);
  EXPECT_EQ(summary.exclusive(Category::kSoftmax), 5'000);
  ASSERT_EQ(summary.devices[0].streams.size(), 2U);
  EXPECT_EQ(summary.devices[0].streams[0].overlap, 5'000);
}

TEST(Busy, EventsWithinOthersAddNothing) {
  const Summary summary =
      summary_of({kernel_event("my_gemm", 0, 30), kernel_event("softmax", 5, 5)});
  EXPECT_EQ(summary.span, 30'000);
  EXPECT_EQ(summary.busy, 30'000);
  EXPECT_EQ(summary.devices[0].streams[0].busy, 30'000);
}

TEST(Busy, OverlapIsThatWithAllEventsOfOtherStreams) {
  const Summary summary = summary_of({kernel_event("a", 0, 10), kernel_event("b", 20, 10),
                                      kernel_event("c", 5, 20, 1), kernel_event("d", 28, 2, 1)});
  ASSERT_EQ(summary.devices[0].streams.size(), 2U);
  EXPECT_EQ(summary.devices[0].streams[0].overlap, 12'000);
  EXPECT_EQ(summary.devices[0].streams[1].overlap, 12'000);
}

TEST(Kernels, AreCountedByLengthInOneBinEach) {
  const Summary summary = summary_of({kernel_event("a", 0, 0.999), kernel_event("b", 10, 1),
                                      kernel_event("c", 20, 2), kernel_event("d", 9000, 2000)});
  const auto counts = [&] {
    std::vector<std::size_t> list;
    for (const HistogramBin& bin : summary.histogram) list.push_back(bin.count);
    return list;
  }();
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 1, 1, 0, 0, 0, 0, 0, 1}));
}

TEST(HostOps, HaveTheirOwnTimeWithoutAGpu) {
  const Summary summary =
      summary_of({op_event("aten::linear", 0, 100), op_event("aten::mm", 10, 70),
                  op_event("aten::linear", 200, 50)});
  ASSERT_EQ(summary.host_ops.size(), 2U);
  EXPECT_EQ(summary.host_ops[0].self, 80'000);  // aten::linear
  EXPECT_EQ(summary.host_ops[0].calls, 2U);
  EXPECT_EQ(summary.host_ops[1].self, 70'000);
  EXPECT_TRUE(summary_of({op_event("aten::mm", 0, 10), kernel_event("a", 0, 5)}).host_ops.empty());
}

TEST(Ops, AreCountedOnceForAllOfTheirKernelsAndBeforeRangesOfTheUser) {
  const Summary summary = summary_of(
      {op_event("aten::mm", 0, 20), call_event("hipLaunchKernel", 1, 1, 1),
       R"({"ph":"X","cat":"user_annotation","name":"mine","pid":9,"tid":9,"ts":3,"dur":10,"args":{}})",
       call_event("hipLaunchKernel", 4, 1, 2), kernel_event("a", 5, 5, 0, 1),
       kernel_event("b", 12, 5, 0, 2)});
  ASSERT_EQ(summary.ops.size(), 1U);
  EXPECT_EQ(summary.ops[0].calls, 1U);
  EXPECT_EQ(summary.ops[0].kernels, 2U);
  EXPECT_EQ(summary.ops[0].gpu, 10'000);
}

TEST(Idle, LaunchOverheadIsTheTimeBetweenCallAndKernelInWhichNothingRuns) {
  // The second kernel's call begins at 12 while the GPU is idle since 10; it starts at 20.
  const Summary summary =
      summary_of({call_event("hipLaunchKernel", 0, 1, 1), kernel_event("a", 2, 8, 0, 1),
                  call_event("hipLaunchKernel", 12, 3, 2), kernel_event("b", 20, 5, 0, 2)});
  EXPECT_EQ(summary.idle.total, 10'000);
  EXPECT_EQ(summary.idle.launch, 8'000);
  EXPECT_EQ(summary.idle.host, 2'000);
  EXPECT_EQ(summary.launches.calls, 2U);
}

TEST(Idle, TimeBeforeKernelsWithoutACallIsOfUnknownCause) {
  const Summary summary = summary_of({kernel_event("a", 0, 1), kernel_event("b", 5, 1)});
  EXPECT_EQ(summary.idle.unknown, 4'000);
  EXPECT_EQ(summary.idle.launch + summary.idle.host, 0);
}

TEST(Idle, StallIsNamedByWhatTheHostDid) {
  const Summary summary =
      summary_of({kernel_event("a", 0, 10), op_event("aten::randperm", 12, 480),
                  call_event("hipLaunchKernel", 500, 2, 2), kernel_event("b", 505, 5, 0, 2)});
  ASSERT_FALSE(summary.stalls.empty());
  EXPECT_EQ(summary.stalls[0].cause, "aten::randperm");
  EXPECT_EQ(summary.idle.large_gaps, 1U);
}

TEST(Calls, OnlyThoseThatWaitAreSynchronisations) {
  const Summary summary = summary_of(
      {kernel_event("a", 0, 10), call_event("hipLaunchKernel", 20, 2, 1),
       call_event("hipDeviceSynchronize", 30, 7, 2), call_event("hipDeviceSynchronize", 40, 4, 3)});
  ASSERT_EQ(summary.syncs.size(), 1U);
  EXPECT_EQ(summary.syncs[0].name, "hipDeviceSynchronize");
  EXPECT_EQ(summary.syncs[0].count, 2U);
  EXPECT_EQ(summary.syncs[0].time, 11'000);
}

TEST(Calls, ThatLaunchKernelsOrGraphs) {
  const Summary summary =
      summary_of({call_event("hipLaunchKernel", 0, 1, 1), call_event("hipLaunchHostFunc", 2, 1, 2),
                  call_event("hipGraphLaunch", 4, 1, 3), kernel_event("a", 6, 1, 0, 1)});
  EXPECT_EQ(summary.launches.calls, 2U);
  EXPECT_EQ(summary.launches.graph_calls, 1U);
}

TEST(Devices, TheirNamesAreThoseOfTheTrace) {
  EXPECT_EQ(summary_of({kernel_event("a", 0, 10)}).device, "AMD Instinct MI300X");
  const auto other = [](std::string_view properties) {
    return summarize(read_trace_text(fmt::format(R"({{{}"traceEvents":[{}]}})", properties,
                                                 kernel_event("a", 0, 10)),
                                     "t.json")
                         .value())
        .device;
  };
  // A profiler that saw one kind of device may number it otherwise.
  EXPECT_EQ(other(R"("deviceProperties":[{"id":3,"name":"AMD Instinct MI250X"}],)"),
            "AMD Instinct MI250X");
  EXPECT_EQ(other(""), "GPU 0");
}

TEST(Launches, GraphsAreUnfolded) {
  const Summary summary =
      summary_of({call_event("hipGraphLaunch", 0, 5, 1), kernel_event("a", 10, 5, 0, 1),
                  kernel_event("b", 16, 5, 0, 1)});
  EXPECT_EQ(summary.launches.graph_calls, 1U);
  EXPECT_EQ(summary.launches.graph_kernels, 2U);
  EXPECT_EQ(summary.idle.in_graph, 1'000);
}

TEST(Roofline, GemmAgainstTheDevicesPeak) {
  // 2·4096³ FLOP in 200 µs: 687 TFLOP/s of 1307.
  const Summary summary =
      summary_of({op_event("aten::mm", 0, 10, "[[4096,4096],[4096,4096]]",
                           R"("c10::BFloat16","c10::BFloat16")"),
                  call_event("hipLaunchKernel", 1, 2, 1), kernel_event("my_gemm", 10, 200, 0, 1)});
  ASSERT_EQ(summary.ops.size(), 1U);
  EXPECT_NEAR(summary.ops[0].flops_per_second() * 1e-12, 687.2, 0.1);
  EXPECT_NEAR(summary.ops[0].roofline.value(), 687.2 / 1307.4, 0.001);
  EXPECT_FALSE(summary.ops[0].is_memory_bound);
}

TEST(Compare, OperationsOfBothVendorsLibrariesAreTheSameWork) {
  const auto trace = [](const char* op, const char* shapes, const char* device) {
    return read_trace_text(
               trace_text({op_event(op, 0, 10, shapes, R"("float","float")"),
                           call_event("launch", 1, 2, 1), kernel_event("conv_kernel", 10, 5, 0, 1)},
                          device),
               "t.json")
        .value();
  };
  const Trace amd = trace("aten::miopen_convolution", "[[4,3,8,8],[16,3,3,3],[16]]",
                          "AMD Instinct MI300X"),
              nvidia = trace("aten::cudnn_convolution", "[[4,3,8,8],[16,3,3,3]]", "NVIDIA H100");
  const Comparison result = compare(amd, summarize(amd), nvidia, summarize(nvidia));
  ASSERT_EQ(result.pairs.size(), 1U);
  EXPECT_EQ(result.pairs[0].name, "aten::convolution");
  EXPECT_EQ(result.pairs[0].a.count, 1U);
  EXPECT_EQ(result.pairs[0].b.count, 1U);
  const Trace short_shapes = trace("aten::cudnn_convolution", "[[4]]", "NVIDIA H100");
  EXPECT_EQ(compare(short_shapes, summarize(short_shapes), amd, summarize(amd)).pairs.size(), 2U);
}

TEST(Roofline, PointsLieInThePicture) {
  const Trace trace =
      read_trace_text(trace_text({op_event("aten::mm", 0, 10, "[[64,4096],[4096,64]]",
                                           R"("c10::BFloat16","c10::BFloat16")"),
                                  call_event("hipLaunchKernel", 1, 2, 1),
                                  kernel_event("my_gemm", 10, 5, 0, 1)}),
                      "t.json")
          .value();
  const std::string svg = roofline_svg(trace, summarize(trace));
  unsigned points = 0;
  for (std::size_t at = svg.find(" cy=\""); at != std::string::npos;
       at = svg.find(" cy=\"", at + 1)) {
    const double y = std::stod(svg.substr(at + 5));
    EXPECT_GE(y, 0);
    EXPECT_LE(y, 380);
    ++points;
  }
  EXPECT_GE(points, 1U);
}

TEST(Text, RowsOfNothingAreOmitted) {
  const Trace trace =
      read_trace_text(
          trace_text({call_event("hipLaunchKernel", 0, 2, 1), kernel_event("a", 10, 5, 0, 1),
                      call_event("hipLaunchKernel", 15, 2, 2), kernel_event("b", 16 + 4, 5, 0, 2)}),
          "t.json")
          .value();
  const std::string text = summary_text(trace, summarize(trace), {}, {});
  EXPECT_THAT(text, HasSubstr("launch overhead"));
  EXPECT_THAT(text, testing::Not(HasSubstr("one graph launch")));
}

TEST(Merge, CollectivesOfTheHostCountWhereNoGpuHasAny) {
  for (const char* const name : {"gloo:all_reduce", "mpi:all_reduce"}) {
    const std::string event = fmt::format(
        R"({{"ph":"X","cat":"user_annotation","name":"{}","pid":9,"tid":9,"ts":0,"dur":5}})", name);
    std::vector<Trace> ranks;
    for (int rank = 0; rank < 2; ++rank)
      ranks.push_back(read_trace_text(trace_text({event}), "t.json").value());
    EXPECT_EQ(merge_ranks(ranks).collectives, 1U) << name;
  }
}

TEST(Work, OfOperations) {
  const auto work = [](std::string_view name, std::string_view shapes,
                       std::vector<std::string> types, std::vector<std::string> arguments = {}) {
    return work_of({name, parse_shapes(shapes), std::move(types), std::move(arguments)});
  };
  const std::string bf16 = "c10::BFloat16";
  EXPECT_EQ(work("aten::addmm", "[[8],[2,4],[4,8]]", {"float", bf16, bf16})->flops, 2 * 2 * 4 * 8);
  EXPECT_EQ(work("aten::bmm", "[[3,2,4],[3,4,8]]", {bf16, bf16})->flops, 3 * 2 * 2 * 4 * 8);
  EXPECT_EQ(work("aten::linear", "[[5,2,4],[8,4],[]]", {bf16, bf16})->flops, 2 * 10 * 4 * 8);
  // 1 image, 1 to 2 channels, 3x3 taps over 4x4 places
  EXPECT_EQ(work("aten::conv2d", "[[1,1,6,6],[2,1,3,3],[],[],[],[],[]]", {"float", "float"},
                 {"", "", "", "[1, 1]", "[0, 0]", "[1, 1]", "1"})
                ->flops,
            2.0 * 2 * 16 * 9);
  EXPECT_EQ(
      work("aten::_flash_attention_forward", "[[1,8,2,4],[1,8,2,4],[1,8,2,4]]", {bf16, bf16, bf16})
          ->flops,
      2.0 * 2 * 8 * 8 * 8);
  EXPECT_EQ(work("aten::add", "[[10],[10],[]]", {"float", "float", "Scalar"})->bytes, 120);
  EXPECT_FALSE(work("aten::mm", "[[2,3],[4,5]]", {bf16, bf16}));
  EXPECT_EQ(work("aten::cudnn_convolution", "[[1,1,6,6],[2,1,3,3],[],[],[]]", {"float", "float"},
                 {"", "", "[0, 0]", "[1, 1]", "[1, 1]", "1"})
                ->flops,
            2.0 * 2 * 16 * 9);
  EXPECT_EQ(work("aten::miopen_convolution", "[[1,1,6,6],[2,1,3,3],[],[],[],[]]",
                 {"float", "float"}, {"", "", "", "[0, 0]", "[1, 1]", "[1, 1]", "1"})
                ->flops,
            2.0 * 2 * 16 * 9);
  // Shapes of a damaged file.
  std::string huge = "[[9000000000000000000";
  for (int i = 0; i < 40; ++i) huge += ",9000000000000000000";
  EXPECT_FALSE(work("aten::relu", huge + "]]", {"float"}));
  EXPECT_FALSE(work("aten::conv2d", huge + "]," + huge.substr(1) + "]]", {"float", "float"},
                    {"", "", "", "[1]", "[0]", "[1]"}));
  EXPECT_FALSE(work("mine::op", "[[2,3]]", {bf16}));
}

TEST(Peaks, DevicesAreFoundByNameOrNumbers) {
  EXPECT_EQ(peaks_of({.name = "AMD Instinct MI300X VF", .units = 304})->device, "MI300X");
  EXPECT_EQ(
      peaks_of({.name = "", .units = 304, .major = 9, .minor = 4, .memory = 206141652992})->device,
      "MI300X");
  EXPECT_EQ(peaks_of({.name = "AMD Instinct MI210", .units = 104})->bandwidth.value(), 1638.4e9);
  EXPECT_EQ(peaks_of({.name = "AMD Instinct MI250X / MI250", .units = 110})->bandwidth.value(),
            3276.8e9 / 2);
  EXPECT_EQ(peaks_of({.name = "NVIDIA H100 80GB HBM3"})->device, "H100 SXM");
  EXPECT_EQ(peaks_of({.name = "NVIDIA H100 PCIe"})->device, "H100 PCIe");
  EXPECT_EQ(peaks_of({.name = "NVIDIA H200"})->device, "H200 SXM");
  EXPECT_EQ(peaks_of({.name = "NVIDIA A100-SXM4-40GB"})->bandwidth.value(), 1555e9);
  EXPECT_EQ(peaks_of({.name = "Tesla V100-SXM2-16GB"})->device, "V100");
  EXPECT_EQ(peaks_of({.name = "AMD Instinct MI300A", .units = 228})->bf16.value(), 980.6e12);
  EXPECT_FALSE(peaks_of({.name = "AMD Instinct MI300X"})->is_empty());
  EXPECT_TRUE(peaks_of({.name = "AMD Instinct MI308X", .units = 80})->is_empty());
  EXPECT_FALSE(peaks_of({.name = "Some GPU"}));
  EXPECT_FALSE(peaks_of({.name = ""}));
}

// fp32 against bf16: 8 times on CDNA3, but 4 on CDNA2 and 2 on the MI100.
TEST(Peaks, RatiosAreTheDevices) {
  const auto ratio = [](const char* name) {
    const auto peaks = peaks_of({.name = name}).value();
    return *peaks.bf16 / *peaks.fp32;
  };
  EXPECT_DOUBLE_EQ(ratio("AMD Instinct MI300X"), 8);
  EXPECT_DOUBLE_EQ(ratio("AMD Instinct MI250X"), 4);
  EXPECT_DOUBLE_EQ(ratio("AMD Instinct MI100"), 2);
  EXPECT_NEAR(ratio("NVIDIA H100 80GB HBM3"), 14.8, 0.1);
  EXPECT_FALSE(peaks_of({.name = "AMD Radeon RX 7900 XTX"})->fp32);
}

}  // namespace
}  // namespace hipwright::trace
