// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "base/file.h"
#include "base/json.h"
#include "paths.h"
#include "perf/measure/benchmark_list.h"
#include "perf/measure/device_memory.h"
#include "perf/measure/kernel_counts.h"
#include "perf/measure/machine.h"
#include "perf/measure/measure.h"
#include "perf/measure/program_metrics.h"

namespace hipwright::perf {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::SizeIs;

void write(const fs::path& file, const std::string& text) {
  ASSERT_TRUE(make_directories(file.parent_path()));
  ASSERT_TRUE(write_file_atomic(file, text));
}

Record measured(const std::vector<Item>& items, MeasureOptions options = {}) {
  options.warmup = 0;
  options.max_runs = options.runs;
  const auto records = measure(items, {{"", "here"}}, options);
  EXPECT_TRUE(records) << records.error().message();
  return records ? records->at(0) : Record{};
}

Item shell(const std::string& script) {
  return {"item", {"sh", "-c", script}};
}

TEST(List, HasNamesQuotesCommentsAndOtherLists) {
  const auto items = parse_list(
      "# comment\n\n ./bench --size 3 \nfast one = ./bench 'a b' \"c \\\"d\" e\\ "
      "f\nexamples\\\\v1/a.py\n",
      "list");
  ASSERT_TRUE(items) << items.error().message();
  ASSERT_THAT(*items, SizeIs(3));
  EXPECT_EQ((*items)[0].name, "./bench --size 3");
  EXPECT_THAT((*items)[0].argv, ElementsAre("./bench", "--size", "3"));
  EXPECT_EQ((*items)[1].name, "fast one");
  EXPECT_THAT((*items)[1].argv, ElementsAre("./bench", "a b", "c \"d", "e f"));
  EXPECT_EQ((*items)[2].name, "examples/v1/a.py");
  EXPECT_EQ((*items)[2].argv[0], "python3");
}

TEST(List, NamesOthersRelativeToItself) {
  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  write(scratch->path() / "lists/all.txt", "@more/gpu.txt\n./a\n");
  write(scratch->path() / "lists/more/gpu.txt", "./b\n");
  const auto items = read_items({"@" + (scratch->path() / "lists/all.txt").string(), "x.py"});
  ASSERT_TRUE(items) << items.error().message();
  ASSERT_THAT(*items, SizeIs(3));
  EXPECT_EQ((*items)[0].name, "b");
  EXPECT_EQ((*items)[2].argv, (std::vector<std::string>{"python3", "x.py"}));
}

TEST(List, MistakesNameTheLine) {
  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  const fs::path loop = scratch->path() / "loop.txt";
  write(loop, "@loop.txt\n");
  EXPECT_THAT(read_items({"@" + loop.string()}).error().message(), HasSubstr("deep"));
  EXPECT_THAT(parse_list("./a\n'open\n", "l").error().message(), HasSubstr("l:2"));
  EXPECT_THAT(parse_list("a\\", "l").error().message(), HasSubstr("backslash"));
  EXPECT_THAT(parse_list("''\n", "l").error().message(), HasSubstr("no command"));
  EXPECT_THAT(parse_list("x = ./a\nx = ./b\n", "l").error().message(), HasSubstr("two benchmarks"));
  EXPECT_FALSE(read_items({"@/dev/zero"}));
  EXPECT_FALSE(read_items({"@missing.txt"}));
  EXPECT_FALSE(read_items({}));
}

TEST(List, OtherWordsAreOneCommand) {
  const auto items = read_items({"./bench", "a.py", "@x"});
  ASSERT_TRUE(items);
  EXPECT_THAT((*items)[0].argv, ElementsAre("./bench", "a.py", "@x"));
}

TEST(Measure, KeepsEverySampleOfTimeAndMemory) {
  const Record record = measured({shell("exit 0")});
  const Benchmark& benchmark = record.benchmarks[0];
  EXPECT_EQ(benchmark.status, RunStatus::kSuccess);
  for (const std::string_view metric : {kDuration, kHostMemory}) {
    ASSERT_NE(benchmark.measurement(metric), nullptr) << metric;
    EXPECT_THAT(benchmark.measurement(metric)->samples, SizeIs(10));
  }
  EXPECT_THAT(record.machine, Contains(Key("host_cpu")));
  EXPECT_EQ(record.label, "here");
}

TEST(Measure, MemoryIsThatOfTheProgram) {
  MeasureOptions options{.runs = 1};
  const Record small = measured({shell("exit 0")}, options);
  const Record large = measured(
      {shell("text=$(head -c 100000000 /dev/zero | tr '\\0' a); [ ${#text} = 100000000 ]")},
      options);
  ASSERT_EQ(large.benchmarks[0].status, RunStatus::kSuccess) << large.benchmarks[0].error;
  const Measurement* before = small.benchmarks[0].measurement(kHostMemory);
  const Measurement* after = large.benchmarks[0].measurement(kHostMemory);
  ASSERT_TRUE(before != nullptr && after != nullptr);
  EXPECT_GT(after->samples[0].value, before->samples[0].value + 90);
}

TEST(Measure, FailuresAreStatuses) {
  const Record record = measured({{"bad", {"sh", "-c", "echo why >&2; exit 3"}},
                                  {"signal", {"sh", "-c", "kill -9 $$"}},
                                  {"skip", {"sh", "-c", "echo no GPU; exit 77"}},
                                  {"none", {"./no-such-program"}},
                                  {"slow", {"sleep", "100"}}},
                                 {.runs = 2, .timeout = std::chrono::seconds(1)});
  const auto& all = record.benchmarks;
  EXPECT_EQ(all[0].status, RunStatus::kError);
  EXPECT_EQ(all[0].error, "exit code 3: why");
  EXPECT_EQ(all[0].exit_code, 3);
  EXPECT_THAT(all[1].error, HasSubstr("signal 9"));
  EXPECT_EQ(all[2].status, RunStatus::kSkipped);
  EXPECT_EQ(all[2].error, "no GPU");
  EXPECT_EQ(all[3].status, RunStatus::kMissing);
  EXPECT_EQ(all[4].error, "timed out after 1 s");
  for (const Benchmark& each : all) EXPECT_THAT(each.measurements, IsEmpty());
}

TEST(Measure, AFailureAfterGoodRunsLeavesNoSamples) {
  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  const Record record = measured({shell(
      fmt::format("cd {} && echo x >> n && [ $(wc -l < n) -lt 5 ]", scratch->path().string()))});
  EXPECT_EQ(record.benchmarks[0].status, RunStatus::kError);
  EXPECT_THAT(record.benchmarks[0].measurements, IsEmpty());
}

TEST(Measure, SidesTakeTurnsInTheirDirectories) {
  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  for (const char* side : {"base", "head"})
    write(scratch->path() / side / "bench.sh",
          fmt::format("#!/bin/sh\necho {} >> ../order\n", side));
  const auto records =
      measure({{"b", {"sh", "./bench.sh"}}},
              {{scratch->path() / "base", "base"}, {scratch->path() / "head", "head"}},
              {.warmup = 1, .runs = 3, .max_runs = 3});
  ASSERT_TRUE(records);
  EXPECT_EQ(*read_file(scratch->path() / "order"),
            "base\nhead\nbase\nhead\nhead\nbase\nbase\nhead\n");
  EXPECT_FALSE((*records)[0].session.empty());
  EXPECT_EQ((*records)[0].session, (*records)[1].session);
  EXPECT_THAT((*records)[1].benchmarks[0].measurement(kDuration)->samples, SizeIs(3));
}

TEST(Measure, StopsWhenTheResultsArePrecise) {
  const auto records =
      measure({shell("echo '{\"metric\": \"work\", \"value\": 5}' >> $HIPWRIGHT_PERF_METRICS")},
              {{"", ""}}, {.runs = 10, .max_runs = 12, .precision = 100});
  ASSERT_TRUE(records);
  EXPECT_THAT((*records)[0].benchmarks[0].measurement("work")->samples, SizeIs(10));
}

TEST(Metrics, AreWhatTheProgramReports) {
  const auto metrics = parse_metrics(
      "{\"metric\": \"t\", \"value\": 2, \"unit\": \"tokens/s\", \"better\": \"higher\"}\n\n"
      "{\"metric\": \"t\", \"value\": 3, \"unit\": \"tokens/s\", \"better\": \"higher\"}\n",
      4, "m");
  ASSERT_TRUE(metrics) << metrics.error().message();
  ASSERT_THAT(*metrics, SizeIs(1));
  EXPECT_EQ((*metrics)[0].better, Better::kHigher);
  EXPECT_THAT((*metrics)[0].samples, SizeIs(2));
  EXPECT_EQ((*metrics)[0].samples[0].round, 4U);
}

TEST(Metrics, DamagedLinesAreErrors) {
  for (const char* text :
       {"x", "{}", "{\"metric\": \"t\"}", "{\"metric\": \"t\", \"value\": 0}",
        "{\"metric\": \"duration_s\", \"value\": 1}", "{\"metric\": \"\", \"value\": 1}",
        "{\"metric\": \"t\", \"value\": 1}\n{\"metric\": \"t\", \"value\": 1, \"unit\": \"s\"}"})
    EXPECT_FALSE(parse_metrics(text, 0, "m")) << text;
  const Record record = measured({shell("echo oops >> $HIPWRIGHT_PERF_METRICS")});
  EXPECT_EQ(record.benchmarks[0].status, RunStatus::kError);
}

TEST(Counts, OfCodeObjectsAreTheirResources) {
  const auto counts = file_counts(tests_folder() / "fixtures/inspect/axpy.hipfb");
  ASSERT_TRUE(counts) << counts.error().message();
  ASSERT_THAT(*counts, SizeIs(4));
  const KernelCounts& reverse = (*counts)[1];
  EXPECT_EQ(reverse.kernel, "reverse");
  EXPECT_EQ(reverse.target, "gfx1100");
  EXPECT_EQ(reverse.counts.at("vgprs"), 63U);
  EXPECT_EQ(reverse.counts.at("lds_bytes"), 24576U);
  EXPECT_EQ(reverse.counts.at("vgpr_spills"), 0U);
  EXPECT_EQ(reverse.counts.at("occupancy"), 10U);
  EXPECT_GT(reverse.counts.at("code_bytes"), 0U);
}

// A kernel of a report, with as many instructions.
std::string report(unsigned instructions, const std::string& more = "") {
  const std::string traffic = R"({"accesses": 2, "bytes": 64, "lines": 1})";
  return fmt::format(
      R"({{"finished": true, "kernels": [{{"kernel": "k", "target": "gfx942", "launches": 1, "waves": 4,
          "instructions": {{"total": {}}}, "global": {{"loads": {}, "stores": {}, "atomics": {}}},
          "scalar_bytes": 8, "scratch_accesses": 0, "lds": {{"bytes": 0, "bank_conflicts": 3}}{}}}]}})",
      instructions, traffic, traffic, traffic, more);
}

TEST(Counts, OfRunsAreTheReports) {
  auto counts = parse_run_report(report(100), "r");
  ASSERT_TRUE(counts) << counts.error().message();
  EXPECT_EQ((*counts)[0].counts.at("instructions"), 100U);
  EXPECT_EQ((*counts)[0].counts.at("lds_bank_conflicts"), 3U);
  EXPECT_EQ((*counts)[0].counts.at("global_load_bytes"), 64U);
  const auto other = parse_run_report(report(101), "r");
  mark_unstable(*counts, *other);
  EXPECT_THAT((*counts)[0].unstable, ElementsAre("instructions"));
  add_counts(*counts, *other);
  EXPECT_EQ((*counts)[0].counts.at("instructions"), 201U);
}

TEST(Counts, DamagedReportsAreErrors) {
  EXPECT_FALSE(parse_run_report("{}", "r"));
  EXPECT_THAT(parse_run_report(R"({"finished": false, "kernels": []})", "r").error().message(),
              HasSubstr("did not end"));
  std::string negative = report(100);
  negative.replace(negative.find("100"), 3, "-10");
  EXPECT_THAT(parse_run_report(negative, "r").error().message(),
              HasSubstr("$.kernels[0].instructions.total"));
}

TEST(Counts, NamesakesAreNumbered) {
  std::vector<KernelCounts> kernels{{.kernel = "k", .target = "a"},
                                    {.kernel = "k", .target = "b"},
                                    {.kernel = "k", .target = "a"}};
  number_namesakes(kernels);
  EXPECT_EQ(kernels[1].kernel, "k");
  EXPECT_EQ(kernels[2].kernel, "k #2");
}

// The files of a machine with two GPUs, as the kernel's documentation describes them.
TEST(Machine, IsReadFromTheSystemsFiles) {
  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  const fs::path& root = scratch->path();
  write(root / "proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 9654\n");
  write(root / "proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n");
  write(root / "proc/sys/kernel/osrelease", "6.8.0\n");
  write(root / "proc/sys/kernel/version", "#1 SMP\n");
  write(root / "sys/fs/cgroup/cpu.max", "150000 100000\n");
  write(root / "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3700000\n");
  write(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  write(root / "run/.containerenv", "engine=\"podman\"\nimageid=\"sha256:abc\"\n");
  const fs::path nodes = root / "sys/class/kfd/kfd/topology/nodes";
  write(nodes / "0/properties", "cpu_cores_count 8\ngfx_target_version 0\n");
  write(nodes / "10/properties",
        "simd_count 384\nsimd_per_cu 4\ngfx_target_version 90010\nmax_engine_clk_fcompute 1700\n");
  write(nodes / "2/properties",
        "simd_count 1216\nsimd_per_cu 4\ngfx_target_version 90402\nmax_engine_clk_fcompute 2100\n"
        "drm_render_minor 128\n");
  write(root / "sys/class/drm/renderD128/device/power_dpm_force_performance_level", "auto\n");
  write(root / "sys/module/amdgpu/version", "6.10.5\n");
  const Machine machine = probe_machine(root);
  EXPECT_EQ(machine.at("host_cpu"), "AMD EPYC 9654");
  EXPECT_EQ(machine.at("host_cpus"), "0-7, quota 150000 100000");
  EXPECT_EQ(machine.at("host_clocks"), "3700000 kHz, performance");
  EXPECT_EQ(machine.at("os_kernel"), "6.8.0 #1 SMP");
  EXPECT_EQ(machine.at("gpu0"), "gfx942, 304 CUs, 2100 MHz, performance level auto");
  EXPECT_EQ(machine.at("gpu1"), "gfx90a, 96 CUs, 1700 MHz");
  EXPECT_EQ(machine.at("amdgpu_driver"), "6.10.5");
  EXPECT_EQ(machine.at("container"), "sha256:abc");
}

TEST(Machine, WithoutFilesIsUnknownAndNotEmpty) {
  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  const Machine machine = probe_machine(scratch->path());
  EXPECT_EQ(machine.at("host_cpu"), "unknown");
  EXPECT_EQ(machine.at("os_kernel"), "unknown");
  EXPECT_THAT(machine, Not(Contains(Key("gpu0"))));
}

TEST(DeviceMemory, IsTheSumOverTheProcessesOfTheProgram) {
  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  const fs::path& root = scratch->path();
  EXPECT_EQ(amd_memory(root, {}), std::nullopt);
  write(root / "sys/class/kfd/kfd/proc/100/vram_1", "1000\n");
  write(root / "sys/class/kfd/kfd/proc/100/vram_2", "10\n");
  write(root / "sys/class/kfd/kfd/proc/101/vram_1", "5\n");
  write(root / "sys/class/kfd/kfd/proc/999/vram_1", "7777\n");
  write(root / "proc/100/task/100/children", "101 102 ");
  const std::vector<int> processes = with_descendants(root, 100);
  EXPECT_THAT(processes, ElementsAre(100, 101, 102));
  EXPECT_EQ(amd_memory(root, processes), 1015U);
}

}  // namespace
}  // namespace hipwright::perf
