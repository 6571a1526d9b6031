// SPDX-License-Identifier: MIT
#include "trace/read/read.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include "base/file.h"
#include "trace/traces.h"

namespace hipwright::trace {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Trace read(const std::string& text) {
  auto trace = read_trace_text(text, "t.json");
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message());
  return trace ? *std::move(trace) : Trace{};
}

TEST(Window, KeepsKernelsThatBeginInItAndTheirLaunches) {
  const auto folder = TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const std::string path = folder->path() / "t.json";
  ASSERT_TRUE(write_file_atomic(
      path, trace_text({op_event("warm-up", 0, 1e6), call_event("launch", 1, 5, 1),
                        kernel_event("a", 10, 5, 0, 1), op_event("aten::mm", 2e6, 60),
                        call_event("launch", 2e6 + 10, 5, 2), kernel_event("b", 3e6, 5, 0, 2),
                        op_event("later", 4e6, 9), kernel_event("c", 4e6, 5, 0, 3)})));
  const Trace trace = read_trace({path}, {.from = 2'500'000'000, .to = 4'000'000'000}).value();
  ASSERT_EQ(trace.gpu.size(), 1U);
  EXPECT_EQ(trace.text(trace.gpu[0].name), "b");
  ASSERT_EQ(trace.calls.size(), 1U);
  EXPECT_EQ(trace.gpu[0].call, 0U);
  ASSERT_EQ(trace.ops.size(), 1U);
  EXPECT_EQ(trace.text(trace.ops[0].name), "aten::mm");
  EXPECT_THAT(trace.notes, Contains("only a window of the trace: 1 of 3 GPU events"));
  EXPECT_EQ(read_trace({path}, {.from = 4'000'000'000}).value().gpu.size(), 1U);
  EXPECT_THAT(read_trace({path}, {.from = 5'000'000'000}).error().message(),
              HasSubstr("They begin 0.000010 to 4.000000 s after the first event."));
}

TEST(Kineto, ConnectsKernelCallAndOperation) {
  const Trace trace = read(trace_text({op_event("aten::linear", 0, 100),
                                       op_event("aten::addmm", 10, 80, "[[4],[2,3],[3,4]]",
                                                R"("float","c10::BFloat16","c10::BFloat16")"),
                                       call_event("hipLaunchKernel", 20, 5, 7),
                                       kernel_event("gemm", 30.5, 10.25, 3, 7)}));
  ASSERT_EQ(trace.gpu.size(), 1U);
  const GpuEvent& event = trace.gpu[0];
  EXPECT_EQ(event.time.begin, 30'500);
  EXPECT_EQ(event.time.end, 40'750);
  EXPECT_EQ(trace.streams[event.stream], (Stream{0, 3}));
  EXPECT_EQ(trace.text(trace.calls[event.call].name), "hipLaunchKernel");
  const Op& op = trace.ops[event.op];
  EXPECT_EQ(trace.text(op.name), "aten::addmm");
  EXPECT_EQ(trace.text(op.shapes), "[[4],[2,3],[3,4]]");
  EXPECT_EQ(trace.text(op.types), "float,c10::BFloat16,c10::BFloat16");
  EXPECT_EQ(trace.text(trace.ops[op.parent].name), "aten::linear");
  EXPECT_TRUE(trace.is_complete);
}

TEST(Kineto, SaysWhatIsMissingInOneLinePerKind) {
  const Trace trace = read(trace_text({kernel_event("a", 0, 1), kernel_event("b", 2, 1)}));
  EXPECT_THAT(trace.notes,
              ElementsAre(HasSubstr("no host calls"), HasSubstr("no framework operations")));
  EXPECT_TRUE(trace.is_complete);
}

TEST(Kineto, KeepsWhatIsValidBesideWhatIsNot) {
  const Trace trace = read(trace_text(
      {kernel_event("a", 0, 1), R"({"ph":"X","cat":"kernel","name":"inf","ts":1,"dur":inf})",
       kernel_event("c", 4, 1), R"({"ph":"X","cat":"kernel","name":"huge","ts":1e300,"dur":1})",
       R"({"ph":"X","cat":"kernel","name":"before","ts":9,"dur":-1})"}));
  EXPECT_EQ(trace.gpu.size(), 2U);
  EXPECT_FALSE(trace.is_complete);
  EXPECT_THAT(trace.notes, Contains(HasSubstr("not valid JSON")));
  EXPECT_THAT(trace.notes, Contains(HasSubstr("omitted 2 events without a valid time")));
}

TEST(Kineto, ReadsNamesThatAreNotUtf8) {
  const Trace trace = read(trace_text({kernel_event("caf\xE9", 0, 1)}));
  EXPECT_EQ(trace.text(trace.gpu.at(0).name), "caf?");
}

TEST(Kineto, ReadsATraceThatEndsInTheMiddle) {
  std::string text =
      trace_text({kernel_event("a", 0, 1), kernel_event("b", 2, 1), kernel_event("c", 4, 1)});
  text.resize(text.size() - 30);
  const Trace trace = read(text);
  EXPECT_EQ(trace.gpu.size(), 2U);
  EXPECT_FALSE(trace.is_complete);
  EXPECT_THAT(trace.notes, Contains(HasSubstr("ends in the middle")));
}

TEST(Kineto, RejectsFilesWithoutATrace) {
  for (const char* text :
       {"", " ", "{}", "[]", "[1,2]", "{\"traceEvents\":{}}", "nonsense", "{\"traceEvents\":[]}"}) {
    const auto trace = read_trace_text(text, "t.json");
    ASSERT_FALSE(trace) << text;
    EXPECT_THAT(trace.error().message(), HasSubstr("t.json")) << text;
  }
}

TEST(Kineto, ReadsWhatPyTorchWritesWithoutIt) {
  const Trace trace = read(
      R"([{"name": "aten::mm", "ph": "X", "ts": 10.5, "dur": 20, "tid": 1, "pid": "CPU functions", "args": {}},
{"name": "aten::mm", "ph": "s", "ts": 10.5, "tid": 1, "pid": "CPU functions", "id": 1, "cat": "cpu_to_cuda", "args": {}},
{"name": "gemm", "ph": "X", "ts": 15, "dur": 4, "tid": 0, "pid": "CUDA functions", "args": {}}])");
  ASSERT_EQ(trace.ops.size(), 1U);
  EXPECT_EQ(trace.text(trace.ops[0].name), "aten::mm");
  ASSERT_EQ(trace.gpu.size(), 1U);
  EXPECT_EQ(trace.text(trace.gpu[0].name), "gemm");
}

TEST(Kineto, TakesTheLastOfCallsWithOneNumber) {
  const Trace trace =
      read(trace_text({call_event("hipGetDevice", 0, 1, 7), call_event("hipLaunchKernel", 2, 1, 7),
                       kernel_event("k", 5, 1, 0, 7)}));
  EXPECT_EQ(trace.text(trace.calls[trace.gpu[0].call].name), "hipLaunchKernel");
}

TEST(Kineto, SurvivesDeepNestingInAnEvent) {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  const Trace trace = read(trace_text(
      {kernel_event("a", 0, 1),
       R"({"ph":"X","cat":"kernel","name":"deep","ts":1,"dur":1,"args":{"grid":)" + deep + "}}"}));
  EXPECT_EQ(trace.gpu.size(), 1U);
  EXPECT_FALSE(trace.is_complete);
}

TEST(HipwrightProfiler, ItsTraceIsRead) {
  const Trace trace = read(
      R"({"displayTimeUnit":"ns","otherData":{"device":"hip:0 AMD Instinct MI300X","regions":1,"regions_left_out":0},"traceEvents":[
{"ph":"X","name":"step","cat":"host","pid":1,"tid":1,"ts":0.000,"dur":9.000},
{"ph":"X","name":"step","cat":"device","pid":2,"tid":2,"ts":1.000,"dur":8.000}]})");
  EXPECT_EQ(trace.format, "hipwright profiler");
  EXPECT_EQ(trace.gpu.at(0).time.length(), 8000);
  EXPECT_EQ(trace.devices.at(0).name, "AMD Instinct MI300X");
}

constexpr char kRocprof[] =
    R"json({"rocprofiler-sdk-tool":[{"agents":[{"id":{"handle":5},"type":2,"name":"gfx942","product_name":"AMD Instinct MI300X","cu_count":304,"wave_front_size":64}],
"buffer_records":{"kernel_dispatch":[{"kind":11,"operation":2,"thread_id":1,"correlation_id":{"internal":4,"external":0},"start_timestamp":1000,"end_timestamp":3500,
"dispatch_info":{"agent_id":{"handle":5},"queue_id":{"handle":1},"kernel_id":8,"workgroup_size":{"x":256,"y":1,"z":1},"grid_size":{"x":1024,"y":2,"z":1}},"stream_id":{"handle":0}}],
"hip_api":[{"kind":3,"operation":1,"correlation_id":{"internal":4},"thread_id":1,"start_timestamp":500,"end_timestamp":700}],
"memory_copy":[{"kind":9,"operation":1,"correlation_id":{"internal":5},"thread_id":1,"start_timestamp":4000,"end_timestamp":4500,"src_agent_id":{"handle":1},"dst_agent_id":{"handle":5},"bytes":64}]},
"strings":{"buffer_records":[{"kind":"NONE","operations":[]},{},{},{"kind":"HIP","operations":["hipFree","hipLaunchKernel"]},{},{},{},{},{},{"kind":"MEMORY_COPY","operations":["NONE","HOST_TO_DEVICE"]}]},
"kernel_symbols":[{"kernel_id":8,"kernel_name":"_Zadd.kd","formatted_kernel_name":"add(float*)"}]}]})json";

TEST(Rocprofv3Json, NamesThatComeLaterAreFound) {
  const Trace trace = read(kRocprof);
  EXPECT_EQ(trace.format, "rocprofv3 JSON");
  ASSERT_EQ(trace.gpu.size(), 2U);
  EXPECT_EQ(trace.text(trace.gpu[0].name), "add(float*)");
  EXPECT_EQ(trace.gpu[0].time.length(), 2500);
  EXPECT_EQ(trace.gpu[0].grid[1], 2U);
  EXPECT_EQ(trace.text(trace.calls.at(trace.gpu[0].call).name), "hipLaunchKernel");
  EXPECT_EQ(trace.text(trace.gpu[1].name), "HOST_TO_DEVICE");
  EXPECT_EQ(trace.gpu[1].kind, GpuKind::kCopy);
  EXPECT_EQ(trace.gpu[1].bytes, 64U);
}

class Files : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    const std::filesystem::path path = folder_.path() / name;
    EXPECT_TRUE(write_file_atomic(path, content));
    return path.string();
  }
  TemporaryDirectory folder_ = TemporaryDirectory::create().value();
};

TEST_F(Files, PackedTraceIsTheSame) {
  const std::string text = trace_text({kernel_event("a", 0, 1), kernel_event("b", 2, 1)});
  const std::string path = (folder_.path() / "t.json.gz").string();
  gzFile packed = gzopen(path.c_str(), "wb");
  gzwrite(packed, text.data(), static_cast<unsigned>(text.size()));
  gzclose(packed);
  EXPECT_EQ(read_trace({path}).value().gpu.size(), 2U);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_FALSE(read_trace({path}));
}

TEST_F(Files, CsvOfEachProfiler) {
  const std::string v3 = file(
      "k.csv",
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_"
      "Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"Workgroup_"
      "Size_X\",\"Grid_Size_X\"\n"
      "\"KERNEL_DISPATCH\",\"Agent 4\",1,2,9,1,3,\"void f<int, 3>(int*)\",11,1000,4000,64,128\n");
  const std::string api = file("a.csv",
                               "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_"
                               "Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
                               "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",1,9,11,500,600\n");
  const Trace both = read_trace({v3, api}).value();
  EXPECT_EQ(both.format, "rocprofv3 CSV");
  EXPECT_EQ(both.text(both.gpu.at(0).name), "void f<int, 3>(int*)");
  EXPECT_EQ(both.gpu[0].time.length(), 3000);
  EXPECT_EQ(both.gpu[0].call, 0U);
  EXPECT_EQ(both.streams[both.gpu[0].stream], (Stream{4, 2}));

  const std::string v1 =
      file("r.csv",
           "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"queue-index\",\"pid\",\"tid\","
           "\"grd\",\"wgr\",\"BeginNs\",\"EndNs\",\"DurationNs\"\n"
           "0,\"copy \"\"it\"\".kd\",2,0,0,1,1,64,64,10,30,20\n");
  const Trace old = read_trace({v1}).value();
  EXPECT_EQ(old.text(old.gpu.at(0).name), "copy \"it\".kd");
  EXPECT_EQ(old.gpu[0].time.length(), 20);

  const std::string nsys =
      file("n.csv",
           "Start (us),Duration (us),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Bytes "
           "(MB),Device,Ctx,Strm,Name\n"
           "1.5,2.25,3,8,1,1,256,1,1,,NVIDIA H100 PCIe (1),1,7,\"gemm<float, 4>\"\n"
           "5,1,4,,,,,,,2.5,NVIDIA H100 PCIe (1),1,7,[CUDA memcpy Host-to-Device]\n");
  const Trace trace = read_trace({nsys}).value();
  EXPECT_EQ(trace.format, "nsys CSV");
  EXPECT_EQ(trace.gpu.at(0).time.begin, 1500);
  EXPECT_EQ(trace.gpu.at(0).time.length(), 2250);
  EXPECT_EQ(trace.gpu.at(1).kind, GpuKind::kCopy);
  EXPECT_EQ(trace.gpu.at(1).bytes, 2'500'000U);
  EXPECT_EQ(trace.devices.at(0).name, "NVIDIA H100 PCIe");
}

TEST(NsysSqlite, TablesAreRead) {
  const Trace trace =
      read_trace({(tests_folder() / "fuzz/corpus/trace_sqlite/nsys").string()}).value();
  EXPECT_EQ(trace.format, "nsys SQLite");
  ASSERT_EQ(trace.gpu.size(), 3U);
  EXPECT_EQ(trace.text(trace.gpu[0].name), "my_gemm<float, 4>(float*)");
  EXPECT_EQ(trace.text(trace.calls.at(trace.gpu[0].call).name), "cudaLaunchKernel_v7000");
  EXPECT_EQ(trace.gpu[0].block[0], 256U);
  EXPECT_EQ(trace.text(trace.gpu[1].name), "Memcpy HtoD");
  EXPECT_EQ(trace.gpu[1].bytes, 4096U);
  EXPECT_EQ(trace.gpu[2].kind, GpuKind::kFill);
  EXPECT_EQ(trace.devices.at(0).name, "NVIDIA H200");
}

TEST(Rocpd, BothLayoutsOfTheTablesAreRead) {
  for (const char* const name : {"rocpd", "rocpd_tracks"}) {
    const auto read = read_trace({(tests_folder() / "fuzz/corpus/trace_sqlite" / name).string()});
    ASSERT_TRUE(read) << name << ": " << read.error().message();
    const Trace& trace = *read;
    EXPECT_EQ(trace.format, "rocprofv3 database");
    ASSERT_EQ(trace.gpu.size(), 2U) << name;
    const GpuEvent& copy = trace.gpu[0];
    EXPECT_EQ(trace.text(copy.name), "MEMORY_COPY_HOST_TO_DEVICE");
    EXPECT_EQ(copy.kind, GpuKind::kCopy);
    EXPECT_EQ(copy.bytes, 4096U);
    const GpuEvent& kernel = trace.gpu[1];
    EXPECT_EQ(trace.text(kernel.name), "gemm(float*)");
    EXPECT_EQ(kernel.time.begin, 2000);
    EXPECT_EQ(kernel.time.end, 5000);
    EXPECT_EQ(kernel.block[0], 256U);
    EXPECT_EQ(trace.streams[kernel.stream], (Stream{4, 3})) << name;
    EXPECT_EQ(trace.streams[copy.stream], (Stream{4, 3})) << name;
    EXPECT_EQ(trace.text(trace.calls.at(kernel.call).name), "hipLaunchKernel");
    EXPECT_EQ(trace.text(trace.calls.at(copy.call).name), "hipMemcpyAsync");
    ASSERT_EQ(trace.ops.size(), 1U);
    EXPECT_EQ(trace.text(trace.ops[0].name), "step 1");
    EXPECT_EQ(trace.devices.at(0).name, "AMD Instinct MI300X");
    EXPECT_EQ(trace.devices[0].gfx, "gfx942");
    EXPECT_TRUE(trace.is_complete);
  }
}

constexpr char kV3Kernels[] =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\","
    "\"End_Timestamp\"\n\"KERNEL_DISPATCH\",2,1,\"f(int*)\",11,1000,4000\n";

TEST_F(Files, AllCsvFilesOfARocprofv3RunCanBeGivenTogether) {
  const std::vector<std::string> files{
      file(
          "1_agent_info.csv",
          "\"Node_Id\",\"Agent_Type\",\"Cu_Count\",\"Wave_Front_Size\",\"Name\",\"Product_Name\"\n"
          "0,\"CPU\",0,0,\"EPYC\",\"EPYC\"\n2,\"GPU\",304,64,\"gfx942\",\"AMD Instinct MI300X\"\n"),
      file("1_kernel_trace.csv", kV3Kernels),
      file("1_kernel_stats.csv",
           "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"f\",1,3000,3000,"
           "100\n"),
      file("1_memory_allocation_trace.csv",
           "\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Start_Timestamp\",\"End_"
           "Timestamp\"\n\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_ALLOCATE\",2,1024,10,20\n"),
      file("1_marker_api_trace.csv",
           "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_"
           "Timestamp\",\"End_Timestamp\"\n\"MARKER_CORE_API\",\"step\",1,1,11,0,9000\n")};
  const Trace trace = read_trace(files).value();
  ASSERT_EQ(trace.gpu.size(), 1U);
  EXPECT_EQ(trace.gpu[0].call, kNone);  // the range has the kernel's number and is no launch
  EXPECT_EQ(trace.devices.at(0).name, "AMD Instinct MI300X");
  EXPECT_EQ(trace.devices[0].units, 304U);
  EXPECT_EQ(trace.streams[0].device, 2);
  EXPECT_EQ(trace.text(trace.ops.at(0).name), "step");
  EXPECT_THAT(trace.notes, Contains(HasSubstr("1_kernel_stats.csv has totals")));
  EXPECT_THAT(trace.notes, Contains(HasSubstr("1_memory_allocation_trace.csv has memory")));
  EXPECT_TRUE(trace.is_complete);
}

TEST_F(Files, TablesOfTotalsAreRejectedWithWhatToGiveInstead) {
  for (const char* const text :
       {"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"f\",1,3,3,100\n",
        "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
        "(ns),Name\n100,3,1,3,3,3,3,0,f\n",
        "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
        "(ns),Name\n100,3,1,3,3,3,3,0,cudaLaunchKernel\n",
        "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n1,1,1,1,1,1,0,"
        "[CUDA memcpy HtoD]\n"}) {
    const auto read = read_trace({file("sum.csv", text)});
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message(), HasSubstr("totals")) << text;
    EXPECT_THAT(read.error().message(), HasSubstr("cuda_gpu_trace")) << text;
  }
}

TEST_F(Files, ADispatchWithSeveralCountersIsOneKernel) {
  const Trace trace =
      read_trace(
          {file(
              "c.csv",
              "\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Kernel_Name\",\"Counter_"
              "Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n"
              "1,2,1,9,\"f\",\"SQ_WAVES\",4,1000,2000\n1,2,1,9,\"f\",\"GRBM_COUNT\",4,1000,2000\n"
              "2,2,1,9,\"f\",\"SQ_WAVES\",4,3000,4000\n")})
          .value();
  EXPECT_EQ(trace.gpu.size(), 2U);
}

TEST_F(Files, SeveralNsysTablesInOneFile) {
  const Trace trace =
      read_trace({file("n.csv",
                       "Processing [a.sqlite] with [/opt/nsys/reports/cuda_gpu_trace.py]...\n"
                       "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,"
                       "StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,"
                       "Device,Ctx,GreenCtx,Strm,Name\n"
                       "2000,500,7,8,1,1,256,1,1,32,0.0,0.0,,,,,NVIDIA H200 (0),1,,7,gemm\n\n"
                       "Processing [a.sqlite] with [/opt/nsys/reports/cuda_api_trace.py]...\n"
                       "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name\n"
                       "1000,300,cudaLaunchKernel,0,7,1,1,20,python\n")})
          .value();
  ASSERT_EQ(trace.gpu.size(), 1U);
  EXPECT_EQ(trace.text(trace.calls.at(trace.gpu[0].call).name), "cudaLaunchKernel");
  EXPECT_TRUE(trace.is_complete);
}

TEST_F(Files, ACsvFileCutInARowSaysSo) {
  const std::string text = kV3Kernels;
  EXPECT_TRUE(read_trace({file("k.csv", text)}).value().is_complete);
  const Trace cut = read_trace({file("k.csv", text + "\"KERNEL_DISPATCH\",2,1,\"g\",12")}).value();
  EXPECT_EQ(cut.gpu.size(), 1U);
  EXPECT_FALSE(cut.is_complete);
  EXPECT_THAT(cut.notes, Contains(HasSubstr("ends in the middle of a row")));
}

TEST(Kineto, ACutFileWithoutEventsNamesTheCut) {
  const std::string text = trace_text({kernel_event("a", 0, 1)});
  for (std::size_t size = 1; size < text.size(); ++size) {
    const auto trace = read_trace_text(text.substr(0, size), "t.json");
    if (trace) continue;
    EXPECT_THAT(trace.error().message(), HasSubstr("ends in the middle")) << size;
  }
}

TEST(Kineto, DialectsOfOtherWritersAreRead) {
  const Trace trace = read(
      R"({"displayTimeUnit":"ns","traceEvents":[
{"cat":"kernel","name":"no phase","pid":0,"tid":7,"ts":10,"dur":2},
{"cat":"kernel","name":"neither","pid":0,"tid":7,"ts":10},
{"ph":"X","cat":"Kernel","name":"texts","pid":"0","tid":"7","ts":"20.5","dur":"2"},
{"ph":"X","cat":"hip_runtime","name":"one","pid":"main","tid":"a","ts":1,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"hip_runtime","name":"two","pid":"main","tid":"b","ts":1,"dur":2,"args":{"correlation":2}}]})");
  ASSERT_EQ(trace.gpu.size(), 2U);
  EXPECT_EQ(trace.gpu[1].time.begin, 20'500);
  EXPECT_EQ(trace.streams.size(), 1U);
  EXPECT_EQ(trace.threads.size(), 2U);
  EXPECT_THAT(trace.notes, Contains("omitted 1 event without a phase"));
}

TEST_F(Files, CsvOfSomethingElseIsRejectedWithTheLine) {
  EXPECT_THAT(read_trace({file("x.csv", "a,b,c\n1,2,3\n")}).error().message(),
              HasSubstr("x.csv:1"));
  EXPECT_FALSE(read_trace({file("y.csv", "")}));
  EXPECT_FALSE(read_trace({file("z.txt", "hello\n")}));
  EXPECT_FALSE(read_trace({folder_.path().string()}));
  EXPECT_FALSE(read_trace({(folder_.path() / "missing").string()}));
}

TEST_F(Files, ProfilersOwnFilesAreRejectedWithWhatToDo) {
  const std::string binary("QUADD\0\1,\n,", 10);
  EXPECT_THAT(read_trace({file("run.nsys-rep", binary)}).error().message(),
              HasSubstr("nsys export --type sqlite"));
  EXPECT_THAT(read_trace({file("run.pftrace", binary)}).error().message(),
              HasSubstr("--output-format json"));
  EXPECT_THAT(read_trace({file("run.json", binary)}).error().message(), HasSubstr("binary file"));
}

TEST(Names, ShortFormKeepsWhatMatters) {
  EXPECT_EQ(
      short_name(
          "void at::native::vectorized_elementwise_kernel<4, at::native::BUnaryFunctor<float, "
          "float, float, at::native::binary_internal::MulFunctor<float> >, "
          "std::array<char*, 2ul> >(int, float)"),
      "vectorized_elementwise_kernel MulFunctor");
  EXPECT_EQ(short_name("void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
                       "namespace)::silu_kernel(at::TensorIteratorBase&)::{lambda()#1}>(int)"),
            "vectorized_elementwise_kernel silu_kernel");
  EXPECT_EQ(short_name("_Z3addPf"), "add");
  EXPECT_EQ(short_name("_ZN2ck12_GLOBAL__N_14gemmIQQ"), "ck::gemm");
  EXPECT_EQ(short_name("_ZN99999999999999999999"), "_ZN99999999999999999999");
  EXPECT_EQ(short_name("attn_fwd"), "attn_fwd");
  EXPECT_EQ(short_name("Memcpy DtoH (Device -> Host)"), "Memcpy DtoH (Device -> Host)");
  EXPECT_LE(short_name(std::string(5000, 'x')).size(), 80U);
  EXPECT_EQ(short_name("(((((<<<{{{"), "(((((<<<{{{");
}

}  // namespace
}  // namespace hipwright::trace
