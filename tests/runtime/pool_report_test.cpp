// SPDX-License-Identifier: MIT
// What the manager tells about its memory.
#include <set>

#include "base/json.h"
#include "runtime/pool_fixture.h"

namespace hipwright {

namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using PoolReport = PoolTest;

TEST_F(PoolReport, StatisticsAddUp) {
  open({.max_memory_fraction = 0.5}, 1_GiB);
  fake().set_used_by_others(100_MiB);
  std::vector<DeviceBuffer> buffers;
  buffers.push_back(allocate(12_MiB));
  buffers.push_back(allocate(3_MiB));
  buffers.push_back(allocate(1000));
  MemoryStats now = stats();
  EXPECT_DOUBLE_EQ(now.total_mb, 1024);
  EXPECT_DOUBLE_EQ(now.limit_mb, 512);
  EXPECT_DOUBLE_EQ(now.reserved_mb, 12 + 20 + 2);
  EXPECT_DOUBLE_EQ(now.free_mb, 1024 - 100 - 34);
  EXPECT_DOUBLE_EQ(now.allocated_mb, 15 + 1.0 / 1024);
  EXPECT_EQ(now.live_buffers, 3U);
  EXPECT_EQ(now.device_allocations, 3U);
  // Kept: 17 MiB and almost 2; the largest is 17.
  EXPECT_NEAR(now.fragmentation, 2.0 / 19, 0.001);

  buffers.clear();
  buffers.push_back(allocate(12_MiB));
  now = stats();
  EXPECT_DOUBLE_EQ(now.allocated_mb, 12);
  EXPECT_DOUBLE_EQ(now.peak_allocated_mb, 15 + 1.0 / 1024);
  EXPECT_DOUBLE_EQ(now.peak_reserved_mb, 34);
  EXPECT_EQ(now.allocations, 4U);
  EXPECT_EQ(now.hits, 1U);
  EXPECT_DOUBLE_EQ(now.hit_rate_percent, 25);

  manager().empty_cache();
  manager().reset_peak_stats();
  now = stats();
  EXPECT_DOUBLE_EQ(now.peak_allocated_mb, 12);
  EXPECT_DOUBLE_EQ(now.peak_reserved_mb, 12);
  EXPECT_EQ(now.device_frees, 2U);
  EXPECT_EQ(now.fragmentation, 0);
}

TEST_F(PoolReport, TheSummaryIsByPurposeLargestFirst) {
  open();
  EXPECT_TRUE(manager().get_allocation_summary().empty());
  const DeviceBuffer small = manager().allocate(1_MiB, {.purpose = "bias"});
  std::string made_up = "weights";  // the tag need not live on
  const DeviceBuffer one = manager().allocate(4_MiB, {.purpose = made_up});
  made_up = "xxxxxxx";
  const DeviceBuffer two = manager().allocate(4_MiB, {.purpose = "weights"});
  manager().allocate(16_MiB, {.purpose = "activations"});
  allocate(512);
  const auto rows = manager().get_allocation_summary();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].purpose, "weights");
  EXPECT_EQ(rows[0].live_buffers, 2U);
  EXPECT_DOUBLE_EQ(rows[0].allocated_mb, 8);
  EXPECT_EQ(rows[1].purpose, "bias");
  EXPECT_EQ(rows[2].purpose, "activations");
  EXPECT_EQ(rows[2].live_buffers, 0U);
  EXPECT_DOUBLE_EQ(rows[2].peak_mb, 16);
  EXPECT_EQ(rows[2].allocations, 1U);
  EXPECT_EQ(rows[3].purpose, "other");
  manager().reset_peak_stats();
  EXPECT_DOUBLE_EQ(manager().get_allocation_summary()[2].peak_mb, 0);
}

TEST_F(PoolReport, UniquePurposesAreCountedTogether) {
  open();
  for (int i = 0; i < 10'000; ++i)
    manager().allocate(512, {.purpose = "tensor " + std::to_string(i)});
  const auto rows = manager().get_allocation_summary();
  EXPECT_LE(rows.size(), 4096U);
  std::uint64_t total = 0;
  for (const auto& row : rows) total += row.allocations;
  EXPECT_EQ(total, 10'000U);
  EXPECT_THAT(rows, testing::Contains(Field(&AllocationSummary::purpose, "(more purposes)")));
}

DeviceBuffer forgotten(AMDMemoryManager& manager) {
  return manager.allocate(3000, {.purpose = "forgotten"});
}

TEST_F(PoolReport, LiveBuffersAreListedWithTheirCallSites) {
  open();
  EXPECT_EQ(manager().get_leak_report(), "");
  const unsigned line = __LINE__ + 1;
  const DeviceBuffer first = manager().allocate(2_MiB, {.purpose = "weights"});
  const DeviceBuffer second = forgotten(manager());
  manager().allocate(1000);  // freed: no leak
  const std::vector<Leak> leaks = manager().get_live_allocations();
  ASSERT_EQ(leaks.size(), 2U);
  EXPECT_EQ(leaks[0].purpose, "weights");
  EXPECT_EQ(leaks[0].bytes, 2_MiB);
  EXPECT_EQ(leaks[0].line, line);
  EXPECT_EQ(leaks[0].address, first.data());
  EXPECT_THAT(leaks[0].file, HasSubstr("pool_report_test.cpp"));
  EXPECT_EQ(leaks[1].bytes, 3000U);
  EXPECT_THAT(leaks[1].function, HasSubstr("forgotten"));
  const std::string report = manager().get_leak_report();
  EXPECT_THAT(report, HasSubstr("2 buffers with 2.0 MiB still alive on fake, oldest first"));
  EXPECT_THAT(report, HasSubstr("pool_report_test.cpp:" + std::to_string(line)));
}

TEST_F(PoolReport, AStrictManagerReportsLeaksOnDestruction) {
  for (bool strict : {true, false}) {
    open({.enable_strict_validation = strict});
    const DeviceBuffer leaked = forgotten(manager());
    testing::internal::CaptureStderr();
    manager_.reset();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("2.9 KiB for 'forgotten'") != std::string::npos, strict) << said;

    open({.enable_strict_validation = strict});
    testing::internal::CaptureStderr();
    manager_.reset();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
}

TEST_F(PoolReport, TheSnapshotCoversEverySegmentFromEndToEnd) {
  open();
  const Stream a = stream("copy");
  const DeviceBuffer one = allocate(1000), two = allocate(3_MiB, a);
  const PrivatePool pool = manager().create_private_pool();
  std::vector<DeviceBuffer> buffers;
  {
    const PrivatePool::Scope scope = pool.use();
    buffers.push_back(manager().allocate(5000, {.purpose = "graph"}));
  }
  const auto snapshot = parse_json(manager().snapshot(), "snapshot");
  ASSERT_TRUE(snapshot);
  EXPECT_EQ((*snapshot)["device"], "fake");
  ASSERT_EQ((*snapshot)["pools"].size(), 2U);
  EXPECT_EQ((*snapshot)["pools"][0]["pool"], "shared");
  EXPECT_EQ((*snapshot)["pools"][1]["pool"], "private 1");
  std::uint64_t reserved = 0, allocated = 0;
  std::set<std::string> kinds, streams;
  for (const Json& each : (*snapshot)["pools"])
    for (const Json& segment : each["segments"]) {
      kinds.insert(segment["kind"]);
      reserved += segment["bytes"].get<std::uint64_t>();
      std::uint64_t offset = 0;
      for (const Json& block : segment["blocks"]) {
        EXPECT_EQ(block["offset"], offset);
        offset += block["bytes"].get<std::uint64_t>();
        streams.insert(block["stream"]);
        if (block["state"] == "live") allocated += block["bytes"].get<std::uint64_t>();
      }
      EXPECT_EQ(segment["bytes"], offset);
    }
  EXPECT_EQ((*snapshot)["reserved_bytes"], reserved);
  EXPECT_EQ((*snapshot)["allocated_bytes"], allocated);
  EXPECT_THAT(kinds, ElementsAre("large", "small"));
  EXPECT_THAT(streams, ElementsAre("copy", "default"));
  const Json& graph = (*snapshot)["pools"][1]["segments"][0]["blocks"][0];
  EXPECT_EQ(graph["purpose"], "graph");
  EXPECT_EQ(graph["requested_bytes"], 5000);
  EXPECT_THAT(graph["file"].get<std::string>(), HasSubstr("pool_report_test.cpp"));
}

}  // namespace

}  // namespace hipwright
