// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "base/json.h"
#include "perf/compare/compare.h"
#include "perf/compare/report.h"

namespace hipwright::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

double uniform(Random& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) / 9007199254740992.0;
}

double normal(Random& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(6.283185307179586 * uniform(random));
}

Measurement measurement(std::string name, const std::vector<double>& values) {
  Measurement result{.name = std::move(name), .unit = "s"};
  for (std::size_t i = 0; i < values.size(); ++i)
    result.samples.push_back({values[i], static_cast<unsigned>(i)});
  return result;
}

// Twelve runs around `level`.
std::vector<double> around(double level) {
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.push_back(level * (1 + 0.002 * (i % 5)));
  return values;
}

Record record_of(std::vector<Measurement> measurements) {
  Record record{.tool = "1", .machine = {{"host_cpu", "A"}, {"os_kernel", "6.1"}}};
  record.benchmarks.push_back({.name = "bench", .measurements = std::move(measurements)});
  return record;
}

Record with_kernel(std::map<std::string, std::uint64_t, std::less<>> counts,
                   std::string_view source = kCodeObject) {
  Record record = record_of({});
  record.benchmarks[0].kernels.push_back({.kernel = "axpy(float*)",
                                          .target = "gfx942",
                                          .source = std::string(source),
                                          .producer = "clang 22",
                                          .counts = std::move(counts)});
  return record;
}

Row only_row(const Comparison& comparison) {
  EXPECT_THAT(comparison.rows, SizeIs(1));
  return comparison.rows.empty() ? Row{} : comparison.rows[0];
}

Row compared(const std::vector<double>& base, const std::vector<double>& head) {
  return only_row(compare(record_of({measurement("duration_s", base)}),
                          record_of({measurement("duration_s", head)})));
}

TEST(Compare, VerdictsOfMeasurements) {
  EXPECT_EQ(compared(around(1), around(1)).verdict, Verdict::kSame);
  EXPECT_EQ(compared(around(1), around(1.1)).verdict, Verdict::kRegressed);
  EXPECT_EQ(compared(around(1.1), around(1)).verdict, Verdict::kImproved);
  EXPECT_EQ(compared(around(1), around(1.02)).verdict, Verdict::kSame);
  EXPECT_EQ(compared(around(1.02), around(1)).verdict, Verdict::kSame);
}

TEST(Compare, TenSamplesAreEnough) {
  const std::vector<double> base{1, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007, 1.008, 1.009};
  std::vector<double> head;
  for (const double value : base) head.push_back(1.1 * value);
  EXPECT_EQ(compared(base, head).verdict, Verdict::kRegressed);
}

TEST(Compare, AChangeThatIsNotSignificantIsInconclusive) {
  const CompareOptions options{.p = 1e-9};
  const Record slow = record_of({measurement("t", around(1.1))}),
               fast = record_of({measurement("t", around(1))});
  EXPECT_EQ(only_row(compare(fast, slow, options)).verdict, Verdict::kInconclusive);
  EXPECT_EQ(only_row(compare(slow, fast, options)).verdict, Verdict::kInconclusive);
}

TEST(Compare, OtherUnitsOrDirectionsAreIncomparable) {
  const Record base = record_of({measurement("t", around(1))});
  Record head = base;
  head.benchmarks[0].measurements[0].unit = "ms";
  EXPECT_EQ(only_row(compare(base, head)).verdict, Verdict::kIncomparable);
  head = base;
  head.benchmarks[0].measurements[0].better = Better::kHigher;
  EXPECT_EQ(only_row(compare(base, head)).verdict, Verdict::kIncomparable);
}

TEST(Compare, MoreIsBetterWhereTheMetricSaysSo) {
  Record base = record_of({measurement("tokens_per_s", around(100))});
  Record head = record_of({measurement("tokens_per_s", around(120))});
  for (Record* each : {&base, &head}) each->benchmarks[0].measurements[0].better = Better::kHigher;
  EXPECT_EQ(only_row(compare(base, head)).verdict, Verdict::kImproved);
  EXPECT_EQ(only_row(compare(head, base)).verdict, Verdict::kRegressed);
}

TEST(Compare, FewSamplesAreInconclusive) {
  const Row row = compared({1, 1, 1}, {2, 2, 2});
  EXPECT_EQ(row.verdict, Verdict::kInconclusive);
  EXPECT_THAT(row.reason, HasSubstr("3 samples"));
}

TEST(Compare, SamplesOfOneProcessAreInconclusive) {
  Measurement base = measurement("t", around(1)), head = measurement("t", around(2));
  for (Measurement* each : {&base, &head})
    for (Sample& sample : each->samples) sample.round = 0;
  EXPECT_EQ(only_row(compare(record_of({base}), record_of({head}))).verdict,
            Verdict::kInconclusive);
}

TEST(Compare, NoiseIsInconclusiveAndNeverTheSame) {
  std::vector<double> noisy;
  for (int i = 0; i < 12; ++i) noisy.push_back(i % 2 ? 1 : 1.6);
  EXPECT_EQ(compared(noisy, noisy).verdict, Verdict::kInconclusive);
}

// Two processes, each with a level of its own: their samples differ, the programs need not.
TEST(Compare, DifferencesBetweenProcessesAreNoise) {
  Measurement base{.name = "t"}, head{.name = "t"};
  for (unsigned i = 0; i < 20; ++i) {
    const double wiggle = 1 + 0.0001 * i;
    base.samples.push_back({(i < 10 ? 1.0 : 1.2) * wiggle, i / 10});
    head.samples.push_back({(i < 10 ? 1.2 : 1.25) * wiggle, i / 10});
  }
  EXPECT_EQ(only_row(compare(record_of({base}), record_of({head}))).verdict,
            Verdict::kInconclusive);
}

TEST(Compare, OtherMachinesAreIncomparableWhateverTheNumbers) {
  const Record base = record_of({measurement("duration_s", around(1))});
  Record head = record_of({measurement("duration_s", around(3))});
  head.machine["os_kernel"] = "6.5";
  const Comparison comparison = compare(base, head);
  EXPECT_EQ(only_row(comparison).verdict, Verdict::kIncomparable);
  EXPECT_THAT(comparison.mismatches, ElementsAre("os_kernel: 6.1 / 6.5"));
  EXPECT_FALSE(comparison.failed());
  EXPECT_FALSE(comparison.is_decided());
  EXPECT_EQ(only_row(compare(base, head, {.ignored = {"os_kernel"}})).verdict, Verdict::kRegressed);
}

TEST(Compare, AFactThatOneSideLacksIsAMismatch) {
  const Record base = record_of({measurement("duration_s", around(1))});
  Record head = base;
  head.machine["gpu0"] = "gfx942";
  EXPECT_THAT(compare(base, head).mismatches, ElementsAre("gpu0: none / gfx942"));
}

TEST(Compare, WhatTheHeadLacksFails) {
  const Record base = record_of({measurement("duration_s", around(1))});
  Record head = base;
  head.benchmarks.clear();
  EXPECT_EQ(only_row(compare(base, head)).verdict, Verdict::kMissing);
  head = base;
  head.benchmarks[0].status = RunStatus::kError;
  head.benchmarks[0].error = "exit code 1";
  const Row row = only_row(compare(base, head));
  EXPECT_EQ(row.verdict, Verdict::kMissing);
  EXPECT_THAT(row.reason, HasSubstr("exit code 1"));
  head = base;
  head.benchmarks[0].measurements[0].name = "other";
  EXPECT_TRUE(compare(base, head).failed());
  EXPECT_THAT(compare(head, base).rows[0].verdict, Verdict::kMissing);
}

TEST(Compare, WhatTheBaseLacksIsOnlyNamed) {
  const Record head = record_of({measurement("duration_s", around(1))});
  Record base = head;
  base.benchmarks[0].name = "another";
  Record both = base;
  both.benchmarks.push_back(head.benchmarks[0]);
  const Comparison comparison = compare(base, both);
  EXPECT_THAT(comparison.added, ElementsAre("bench"));
  EXPECT_FALSE(comparison.failed());
}

TEST(Compare, OneMoreSpillFailsWithTheKernelsName) {
  const Comparison comparison =
      compare(with_kernel({{"vgpr_spills", 0}}), with_kernel({{"vgpr_spills", 1}}));
  EXPECT_EQ(only_row(comparison).verdict, Verdict::kRegressed);
  EXPECT_TRUE(comparison.failed());
  EXPECT_THAT(comparison_text(comparison, false), HasSubstr("axpy(float*) (gfx942)  vgpr_spills"));
  EXPECT_THAT(comparison_markdown(comparison), HasSubstr("**regressed**"));
}

TEST(Compare, CountsHaveNoTolerance) {
  EXPECT_EQ(only_row(compare(with_kernel({{"instructions", 100000}}, kSoftwareGpu),
                             with_kernel({{"instructions", 100001}}, kSoftwareGpu)))
                .verdict,
            Verdict::kRegressed);
  EXPECT_EQ(
      only_row(compare(with_kernel({{"instructions", 5}}), with_kernel({{"instructions", 4}})))
          .verdict,
      Verdict::kImproved);
  EXPECT_EQ(
      only_row(compare(with_kernel({{"occupancy", 8}}), with_kernel({{"occupancy", 4}}))).verdict,
      Verdict::kRegressed);
}

TEST(Compare, CountsOfAnotherMachineCompare) {
  const Record base = with_kernel({{"vgprs", 10}});
  Record head = with_kernel({{"vgprs", 12}});
  head.machine["host_cpu"] = "B";
  EXPECT_EQ(only_row(compare(base, head)).verdict, Verdict::kRegressed);
}

TEST(Compare, CountsOfAnotherCompilerOrCounterDoNot) {
  Record head = with_kernel({{"vgprs", 12}});
  head.benchmarks[0].kernels[0].producer = "clang 23";
  EXPECT_EQ(only_row(compare(with_kernel({{"vgprs", 10}}), head)).verdict, Verdict::kIncomparable);
  EXPECT_EQ(
      only_row(compare(with_kernel({{"vgprs", 10}}), head, {.ignored = {"compiler"}})).verdict,
      Verdict::kRegressed);
  head = with_kernel({{"instructions", 12}}, kSoftwareGpu);
  head.tool = "2";
  EXPECT_EQ(only_row(compare(with_kernel({{"instructions", 10}}, kSoftwareGpu), head)).verdict,
            Verdict::kIncomparable);
}

TEST(Compare, CountsThatChangeFromRunToRunAreInconclusive) {
  Record head = with_kernel({{"instructions", 12}}, kSoftwareGpu);
  head.benchmarks[0].kernels[0].unstable = {"instructions"};
  EXPECT_EQ(only_row(compare(with_kernel({{"instructions", 10}}, kSoftwareGpu), head)).verdict,
            Verdict::kInconclusive);
}

TEST(Compare, AKernelThatVanishedIsMissing) {
  Record head = with_kernel({{"vgprs", 12}});
  head.benchmarks[0].kernels[0].kernel = "other()";
  const Comparison comparison = compare(with_kernel({{"vgprs", 12}}), head);
  EXPECT_EQ(only_row(comparison).verdict, Verdict::kMissing);
  EXPECT_THAT(comparison.added, SizeIs(1));
}

// The gate as a whole on noise as machines make it: slow spells that hit both sides, and runs that
// something interrupted.
Record noisy(Random& random, const std::vector<double>& machine, double level,
             const std::string& session) {
  std::vector<double> values;
  for (const double now : machine) {
    double value = level * now * std::exp(0.04 * normal(random));
    if (uniform(random) < 0.05) value *= 1 + uniform(random);
    values.push_back(value);
  }
  Record record = record_of({measurement("duration_s", values)});
  record.session = session;
  return record;
}

unsigned alarms(double planted, const std::string& session, std::uint64_t seed) {
  Random random(seed);
  unsigned count = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<double> machine;
    double spell = 1;
    for (int k = 0; k < 60; ++k) {
      if (uniform(random) < 0.1) spell = 1 + 0.3 * uniform(random);
      machine.push_back(spell);
    }
    const Record base = noisy(random, machine, 1, session);
    const Record head = noisy(random, machine, planted, session);
    count += only_row(compare(base, head)).verdict == Verdict::kRegressed;
  }
  return count;
}

TEST(Gate, CatchesTenPercentAndIsQuietOnTheSameProgram) {
  EXPECT_GE(alarms(1.1, "together", 1), 190U);
  EXPECT_LE(alarms(1.0, "together", 2), 1U);
  EXPECT_LE(alarms(1.0, "", 3), 1U);
}

TEST(Report, TellsHostileNamesFromMarkup) {
  Record base = record_of({measurement("duration_s", around(1))});
  base.benchmarks[0].name = "<script>alert(1)</script> | @everyone\n\x1b[31m";
  const Comparison comparison = compare(base, base);
  const std::string markdown = comparison_markdown(comparison);
  EXPECT_THAT(markdown, Not(HasSubstr("<script>")));
  EXPECT_THAT(markdown, Not(HasSubstr("@everyone")));
  EXPECT_THAT(markdown, HasSubstr("\\|"));
  EXPECT_THAT(comparison_text(comparison, false), Not(HasSubstr("\x1b")));
}

TEST(Report, JsonHasTheDeltasOfProfiles) {
  const Json json = comparison_json(compare(record_of({measurement("duration_s", around(1))}),
                                            record_of({measurement("duration_s", around(1.5))})));
  EXPECT_NEAR(json["deltas"]["bench"]["duration_delta_pct"].get<double>(), 50, 1e-9);
  EXPECT_NEAR(json["deltas"]["bench"]["duration_delta_s"].get<double>(), 0.502, 0.001);
  EXPECT_EQ(json["verdicts"]["regressed"], 1);
}

TEST(Report, DevicesAreSideBySide) {
  Record amd = record_of({measurement("duration_s", around(1))});
  amd.machine["gpu0"] = "gfx942, 304 CUs";
  Record nvidia = record_of({measurement("duration_s", around(2))});
  nvidia.machine["nvidia_gpu0"] = "NVIDIA H200";
  Record cpu = record_of({});
  cpu.benchmarks[0].status = RunStatus::kSkipped;
  const std::string text = devices_text({amd, nvidia, cpu}, false);
  EXPECT_THAT(text, HasSubstr("gfx942, 304 CUs"));
  EXPECT_THAT(text, HasSubstr("NVIDIA H200"));
  EXPECT_THAT(text, HasSubstr("(2.00x)"));
  EXPECT_THAT(text, HasSubstr("skipped"));
}

}  // namespace
}  // namespace hipwright::perf
