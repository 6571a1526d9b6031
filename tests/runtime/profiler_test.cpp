// SPDX-License-Identifier: MIT
#include <cmath>
#include <fstream>
#include <future>
#include <optional>
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "hipwright/utilities.h"
#include "runtime/fake_device.h"
#include "runtime/on_device.h"
#include "runtime/profiler/distribution.h"
#include "runtime/profiler/host_clock.h"
#include "runtime/profiler/profiler.h"
#include "runtime/profiler/trace.h"

namespace hipwright {

namespace {

using runtime::Distribution;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::UnorderedElementsAre;

// --- A trace, as a viewer reads it ---

struct TraceEvent {
  std::string name, track, category;
  double begin, end;  // microseconds
};

std::vector<TraceEvent> parse_trace(const std::string& text) {
  const Json json = *parse_json(text, "trace");
  std::map<std::pair<int, int>, std::string> tracks;
  std::vector<TraceEvent> events;
  for (const Json& event : json.at("traceEvents")) {
    const std::pair track(event.at("pid").get<int>(), event.at("tid").get<int>());
    if (event.at("ph") == "M") {
      if (event.at("name") == "thread_name") tracks[track] = event.at("args").at("name");
      continue;
    }
    EXPECT_EQ(event.at("ph"), "X");
    const double begin = event.at("ts");
    events.push_back({.name = event.at("name"),
                      .track = tracks.at(track),
                      .category = event.at("cat"),
                      .begin = begin,
                      .end = begin + event.at("dur").get<double>()});
  }
  return events;
}

// Viewers show events of a track as a tree.
void expect_nested(const std::vector<TraceEvent>& events) {
  constexpr double kRounding = 1e-3;
  for (const TraceEvent& a : events)
    for (const TraceEvent& b : events) {
      if (a.track != b.track || a.category != b.category || &a == &b) continue;
      const bool apart = a.end <= b.begin + kRounding || b.end <= a.begin + kRounding;
      const bool a_in_b = a.begin >= b.begin - kRounding && a.end <= b.end + kRounding;
      const bool b_in_a = b.begin >= a.begin - kRounding && b.end <= a.end + kRounding;
      EXPECT_TRUE(apart || a_in_b || b_in_a) << a.name << " and " << b.name << " on " << a.track;
    }
}

std::vector<TraceEvent> only(const std::vector<TraceEvent>& events, const std::string& category,
                             const std::string& name) {
  std::vector<TraceEvent> found;
  for (const TraceEvent& event : events)
    if (event.category == category && event.name == name) found.push_back(event);
  return found;
}

class Profiling : public OnDevice {
 protected:
  Profiling() { config.enable_profiling = true; }

  std::vector<TraceEvent> trace() {
    const auto folder = *TemporaryDirectory::create();
    const auto path = folder.path() / "trace.json";
    utils->export_trace(path);
    return parse_trace(*read_file(path));
  }
};

INSTANTIATE_TEST_SUITE_P(Devices, Profiling, testing::ValuesIn(kDevices), device_name);

TEST_P(Profiling, CountsAndMeasuresRegionsByName) {
  const Kernel add_to = kernel("add_to");
  const DeviceBuffer data = ints(0);
  {
    const auto outer = utils->profile_region("outer");
    for (int i = 0; i < 5; ++i) {
      const auto inner = utils->profile_region("inner");
      launch(add_to, data, 1);
    }
  }
  utils->synchronize();
  const ProfilingSummary summary = utils->get_profiling_summary();
  EXPECT_EQ(summary.pending, 0U);
  EXPECT_EQ(summary.dropped, 0U);
  EXPECT_THAT(summary.regions, UnorderedElementsAre(Key("inner"), Key("outer")));
  const RegionSummary& inner = summary.regions.at("inner");
  const RegionSummary& outer = summary.regions.at("outer");
  EXPECT_EQ(inner.count, 5U);
  EXPECT_EQ(outer.count, 1U);
  EXPECT_EQ(inner.host_only, 0U);
  EXPECT_GT(inner.min_ms, 0);
  EXPECT_LE(inner.min_ms, inner.p50_ms);
  EXPECT_LE(inner.p50_ms, inner.p99_ms);
  EXPECT_LE(inner.p99_ms, inner.max_ms);
  EXPECT_NEAR(inner.avg_ms * 5, inner.total_ms, 1e-9);
  EXPECT_EQ(outer.min_ms, outer.max_ms);
  EXPECT_LE(inner.total_ms, outer.total_ms) << "five in a row inside of one";
  EXPECT_LE(inner.host_total_ms, outer.host_total_ms);
}

TEST_P(Profiling, ResetDiscardsAllRegions) {
  { const auto region = utils->profile_region("before"); }
  std::optional<ProfileRegion> open(utils->profile_region("across"));
  utils->reset_profiling();
  open.reset();
  { const auto region = utils->profile_region("after"); }
  utils->synchronize();
  EXPECT_THAT(utils->get_profiling_summary().regions, ElementsAre(Key("after")));
}

TEST_P(Profiling, ARegionInACaptureHasHostTimeAndDoesNotChangeTheGraph) {
  const Kernel add_to = kernel("add_to");
  const DeviceBuffer data = ints(0);
  const Graph graph = utils->capture_graph("step", [&](const Stream&) {
    const auto region = utils->profile_region("captured");
    launch(add_to, data, 1);
  });
  {
    const auto region = utils->profile_region("replay");
    graph.replay();
  }
  EXPECT_THAT(content(data), testing::Each(1));
  const auto summary = utils->get_profiling_summary();
  const RegionSummary& captured = summary.regions.at("captured");
  EXPECT_EQ(captured.count, 1U);
  EXPECT_EQ(captured.host_only, 1U);
  EXPECT_EQ(captured.max_ms, 0);
  EXPECT_GT(captured.host_max_ms, 0);
  EXPECT_EQ(summary.regions.at("replay").host_only, 0U);
  EXPECT_THAT(only(trace(), "device", "captured"), IsEmpty());
}

TEST_P(Profiling, TheTraceShowsThreadsAndStreamsOnOneTimeLine) {
  const Kernel add_to = kernel("add_to");
  const DeviceBuffer data = ints(0);
  const Stream compute = utils->create_stream("compute");
  {
    const auto scope = utils->stream_context(compute);
    const auto training = utils->profile_region("training \"run\"\n1");
    for (int i = 0; i < 4; ++i) {
      const auto step = utils->profile_region("step");
      const auto kernel_region = utils->profile_region("kernel");
      launch(add_to, data, 1);
      compute.synchronize();
    }
  }
  std::thread([&] { const auto region = utils->profile_region("elsewhere"); }).join();
  const std::vector<TraceEvent> events = trace();
  EXPECT_EQ(events.size(), 2U * (1 + 4 + 4 + 1));
  expect_nested(events);
  const TraceEvent training = only(events, "host", "training \"run\"\n1").at(0);
  const TraceEvent on_device = only(events, "device", "training \"run\"\n1").at(0);
  EXPECT_EQ(on_device.track, "stream compute");
  EXPECT_THAT(training.track, HasSubstr("thread "));
  for (const TraceEvent& step : only(events, "host", "step")) {
    EXPECT_GE(step.begin, training.begin);
    EXPECT_LE(step.end, training.end);
  }
  const TraceEvent elsewhere = only(events, "host", "elsewhere").at(0);
  EXPECT_NE(elsewhere.track, training.track);
  EXPECT_EQ(only(events, "device", "elsewhere").at(0).track, "stream default");
  // Each region waited for its work, so what the host and the device say of it overlaps.
  const auto host = only(events, "host", "step");
  const auto device_steps = only(events, "device", "step");
  ASSERT_EQ(host.size(), device_steps.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    EXPECT_LT(host[i].begin, device_steps[i].end);
    EXPECT_LT(device_steps[i].begin, host[i].end);
  }
}

TEST_P(Profiling, ManyThreadsProfileAtOnce) {
  constexpr int kThreads = 6;
  constexpr int kRounds = 3000;  // more than a thread's buffer holds
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      const std::string own = "thread " + std::to_string(i);
      for (int round = 0; round < kRounds; ++round) {
        const auto outer = utils->profile_region("shared");
        const auto inner = utils->profile_region(own);
        if (round % 1000 == 0) utils->get_profiling_summary();
      }
    });
  for (std::thread& thread : threads) thread.join();
  utils->synchronize();
  const ProfilingSummary summary = utils->get_profiling_summary();
  EXPECT_EQ(summary.regions.at("shared").count + summary.dropped, kThreads * kRounds);
  EXPECT_EQ(summary.dropped, 0U);
  EXPECT_EQ(summary.regions.size(), kThreads + 1U);
  for (int i = 0; i < kThreads; ++i)
    EXPECT_EQ(summary.regions.at("thread " + std::to_string(i)).count, kRounds);
  expect_nested(only(trace(), "host", "thread 0"));
}

TEST_P(Profiling, ARegionMayEndOnAnotherThread) {
  auto region = std::make_unique<ProfileRegion>(utils->profile_region("handed over"));
  std::thread([&] { region.reset(); }).join();
  { const auto next = utils->profile_region("handed over"); }
  utils->synchronize();
  EXPECT_EQ(utils->get_profiling_summary().regions.at("handed over").count, 2U);
}

// A name is what it says, not where it stands.
TEST_P(Profiling, NamesInTheSameMemoryAreDistinguished) {
  std::string name = "first";
  { const auto region = utils->profile_region(name); }
  name = "other";
  { const auto region = utils->profile_region(name); }
  { const auto region = utils->profile_region(""); }
  utils->synchronize();
  EXPECT_THAT(utils->get_profiling_summary().regions,
              ElementsAre(Key(""), Key("first"), Key("other")));
}

TEST_P(Profiling, IsOffByDefault) {
  HIPUtilities off(device, {});
  { const auto region = off.profile_region("unseen"); }
  EXPECT_THAT(off.get_profiling_summary().regions, IsEmpty());
  EXPECT_THROW(off.export_trace("unused.json"), AMDBackendError);
}

TEST_P(Profiling, ATraceThatCannotBeWrittenExplainsWhy) {
  try {
    utils->export_trace("/nonexistent/folder/trace.json");
    FAIL() << "nothing was thrown";
  } catch (const AMDBackendError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent/folder"));
  }
}

// --- On the CPU, where a kernel can wait for the test ---

struct Gate {
  std::promise<void> open;
};
const CpuKernel kGate("profiler_gate",
                      [](const CpuBlock&, Gate* gate) { gate->open.get_future().wait(); });

class CpuProfiling : public Profiling {};
INSTANTIATE_TEST_SUITE_P(Devices, CpuProfiling, testing::Values("cpu"), device_name);

TEST_P(CpuProfiling, TheEndOfARegionDoesNotWaitForItsWork) {
  Gate gate;
  {
    const auto region = utils->profile_region("blocked");
    utils->launch(kernel("profiler_gate"), {1}, {1}, &gate);
  }
  { const auto region = utils->profile_region("behind it"); }
  ProfilingSummary summary = utils->get_profiling_summary();
  EXPECT_EQ(summary.pending, 2U);
  EXPECT_THAT(summary.regions, IsEmpty());
  gate.open.set_value();
  utils->synchronize();
  summary = utils->get_profiling_summary();
  EXPECT_EQ(summary.pending, 0U);
  EXPECT_GT(summary.regions.at("blocked").max_ms, summary.regions.at("blocked").host_max_ms)
      << "the work went on after the region's end";
  EXPECT_EQ(summary.regions.at("behind it").count, 1U);
  expect_nested(trace());
}

TEST_P(CpuProfiling, RegionsThatNeverEndDoNotFillTheMemory) {
  constexpr int kMany = 70'000;
  Gate gate;
  utils->launch(kernel("profiler_gate"), {1}, {1}, &gate);
  for (int i = 0; i < kMany; ++i) const auto region = utils->profile_region("waiting");
  ProfilingSummary summary = utils->get_profiling_summary();
  EXPECT_EQ(summary.pending, 65536U);
  EXPECT_EQ(summary.dropped, kMany - 65536U);
  gate.open.set_value();
  utils->synchronize();
  summary = utils->get_profiling_summary();
  EXPECT_EQ(summary.pending, 0U);
  EXPECT_EQ(summary.regions.at("waiting").count, 65536U);
}

TEST_P(CpuProfiling, TwoThreadsOnOneStreamGetTracksThatNest) {
  const Stream shared = utils->create_stream("shared");
  std::promise<void> first_began, second_began;
  std::thread other([&] {
    const auto scope = utils->stream_context(shared);
    first_began.get_future().wait();
    const auto region = utils->profile_region("second");
    second_began.set_value();
    utils->launch(kernel("add_to"), {1}, {1}, static_cast<int*>(nullptr), 0, 0U);
    shared.synchronize();
  });
  {
    const auto scope = utils->stream_context(shared);
    const auto region = utils->profile_region("first");
    first_began.set_value();
    second_began.get_future().wait();
  }
  other.join();
  const auto events = trace();
  expect_nested(events);
  EXPECT_THAT(only(events, "device", "second").at(0).track, HasSubstr("stream shared"));
}

// --- Pieces ---

TEST(ProfilerDistribution, IsExactForFewValues) {
  Distribution values;
  for (int i = 100; i >= 1; --i) values.add(i * 1'000'000);
  EXPECT_EQ(values.count(), 100U);
  EXPECT_DOUBLE_EQ(values.average_ms(), 50.5);
  EXPECT_DOUBLE_EQ(values.smallest_ms(), 1);
  EXPECT_DOUBLE_EQ(values.largest_ms(), 100);
  EXPECT_DOUBLE_EQ(values.percentile_ms(0.5), 50);
  EXPECT_DOUBLE_EQ(values.percentile_ms(0.99), 99);
  EXPECT_DOUBLE_EQ(values.total_ms(), 5050);
}

TEST(ProfilerDistribution, StaysWithinOnePercentForMany) {
  for (const double scale : {1.0, 1e3, 1e6, 1e10}) {
    Distribution values;
    std::vector<double> exact;
    double value = 1;
    for (int i = 0; i < 20'000; ++i) {
      value = std::fmod(value * 16807, 2147483647.0);
      exact.push_back(std::floor((value / 2147483647.0 + 0.01) * 1000 * scale));
      values.add(static_cast<std::int64_t>(exact.back()));
    }
    std::sort(exact.begin(), exact.end());
    for (const double share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
      const double expected = exact[static_cast<std::size_t>(std::ceil(share * 20'000)) - 1] * 1e-6;
      EXPECT_NEAR(values.percentile_ms(share), expected, expected * 0.01) << scale << " " << share;
    }
    EXPECT_DOUBLE_EQ(values.largest_ms(), exact.back() * 1e-6);
    EXPECT_DOUBLE_EQ(values.smallest_ms(), exact.front() * 1e-6);
  }
}

TEST(ProfilerDistribution, HandlesExtremeValues) {
  Distribution values;
  EXPECT_EQ(values.percentile_ms(0.5), 0);
  EXPECT_EQ(values.smallest_ms(), 0);
  for (int i = 0; i < 3000; ++i) values.add(i % 2 == 0 ? std::int64_t{-5} : INT64_MAX);
  EXPECT_EQ(values.smallest_ms(), 0);
  EXPECT_GT(values.percentile_ms(0.99), 9e12);
}

TEST(ProfilerClock, AdvancesAtTheRateOfTheSteadyClock) {
  runtime::HostClock clock;
  const std::uint64_t begin = clock.ticks();
  const auto steady_begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - steady_begin < std::chrono::milliseconds(20)) {
  }
  const auto inner = std::chrono::steady_clock::now() - steady_begin;
  clock.refine();
  const std::uint64_t end = clock.ticks();
  EXPECT_GE(clock.nanoseconds(end) - clock.nanoseconds(begin),
            std::chrono::nanoseconds(inner).count() * 99 / 100);
}

TEST(ProfilerTrace, PutsOverlappingRegionsOnSeparateTracks) {
  runtime::Trace trace{.device = "hip:0 \"GPU\"", .names = {"a", "b", "c", "s"}, .threads = {"t"}};
  const auto add = [&](std::uint32_t name, std::int64_t begin, std::int64_t end) {
    trace.regions.push_back({.name = name,
                             .thread = 0,
                             .stream = 3,
                             .host_begin = begin,
                             .host_end = end,
                             .device_begin = begin,
                             .device_end = end});
  };
  add(2, 1000, 2000);
  add(0, 1000, 5000);
  add(1, 4000, 9000);  // begins in the first, ends after it
  const auto events = parse_trace(runtime::trace_json(trace));
  expect_nested(events);
  EXPECT_EQ(only(events, "device", "a").at(0).track, "stream s");
  EXPECT_EQ(only(events, "device", "c").at(0).track, "stream s");
  EXPECT_EQ(only(events, "device", "b").at(0).track, "stream s (2)");
  EXPECT_DOUBLE_EQ(only(events, "host", "a").at(0).begin, 1.0);
  EXPECT_DOUBLE_EQ(only(events, "host", "a").at(0).end, 5.0);
}

class TimedFake : public device::FakeDevice {
 public:
  using FakeDevice::FakeDevice;
  using FakeDevice::synchronize;
  device::Done synchronize(device::Event) override { return {}; }
  device::Outcome<double> elapsed_ms(device::Event, device::Event) override { return 0.001; }
};

TEST(Profiler, ShortLivedThreadsLeaveNoEventsBehind) {
  const auto fake = std::make_shared<TimedFake>(std::uint64_t{1} << 30, /*manual=*/false);
  runtime::Profiler profiler(fake);
  const auto many_threads = [&] {
    for (int i = 0; i < 500; ++i)
      std::thread([&] { profiler.end(profiler.begin("region")); }).join();
    EXPECT_EQ(profiler.summary().pending, 0U);
    return fake->live_events();
  };
  const std::size_t once = many_threads();
  // Logs that nobody has looked at yet hold some; with one more for every thread it were 5 times.
  for (int i = 0; i < 4; ++i) EXPECT_LT(many_threads(), 2 * once);
}

}  // namespace

}  // namespace hipwright
