// SPDX-License-Identifier: MIT
#include "ci/doctor/doctor.h"

#include <functional>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "ci/doctor/fleet.h"
#include "ci/host/files.h"
#include "paths.h"

namespace hipwright::ci {
namespace {

using testing::Contains;
using testing::HasSubstr;

HostFacts saved(const std::string& name) {
  const auto path = tests_folder() / "ci/facts" / (name + ".json");
  return read_facts(read_file(path).value(), path.string()).value();
}

// The worst result of each check.
std::map<std::string, CheckResult> worst(const HostFacts& facts, const char* profile) {
  constexpr int kRank[] = {0, 1, 3, 2};
  std::map<std::string, CheckResult> all;
  for (const CheckResult& result : examine(facts, *find_profile(profile)).value().results) {
    auto [at, is_new] = all.try_emplace(std::string(result.check), result);
    if (kRank[static_cast<int>(result.status)] > kRank[static_cast<int>(at->second.status)])
      at->second = result;
  }
  return all;
}

// "gpu-access=fail", for everything that does not pass.
std::set<std::string> not_passed(const HostFacts& facts, const char* profile) {
  std::set<std::string> all;
  for (const auto& [check, result] : worst(facts, profile))
    if (result.status != CheckStatus::kPass)
      all.insert(check + "=" + std::string(to_string(result.status)));
  return all;
}

using Set = std::set<std::string>;

TEST(Doctor, FindsNothingWrongWithHealthyRunners) {
  EXPECT_EQ(not_passed(saved("mi300x_healthy"), "linux-runner"), Set{});
  EXPECT_EQ(not_passed(saved("windows_healthy"), "windows-runner"), Set{});
}

TEST(Doctor, DiagnosesMachinesAsAPersonWould) {
  EXPECT_EQ(
      not_passed(saved("container_without_kfd"), "developer"),
      (Set{"container=warn", "gpu-access=warn", "gpu-hang=unknown", "gpu-memory-errors=unknown",
           "gpu-processes=unknown", "gpu-targets=warn", "kernel-driver=warn", "leaked-vram=unknown",
           "pytorch=warn", "rocm-version=unknown", "rocminfo=warn"}));
  EXPECT_EQ(not_passed(saved("desktop_with_igpu"), "developer"),
            (Set{"iommu=warn", "mixed-gpus=warn"}));
  EXPECT_EQ(not_passed(saved("mi250x_denied"), "linux-runner"),
            (Set{"ephemeral-runner=warn", "gfx-override=fail", "gpu-access=fail", "job-hooks=warn",
                 "pytorch=fail", "rocm-libraries=fail", "rocminfo=fail", "service-account=fail"}));
  EXPECT_EQ(not_passed(saved("strix_halo_override"), "developer"), (Set{"gfx-override=fail"}));
  EXPECT_EQ(not_passed(saved("windows_broken"), "windows-runner"),
            (Set{"display-driver=warn", "ephemeral-runner=unknown", "gpu-targets=unknown",
                 "hip-sdk=fail", "memory=fail", "package-managers=warn", "paths=fail",
                 "visual-studio=fail", "windows-release=fail"}));
}

TEST(Doctor, SaysWhatToDo) {
  auto found = worst(saved("container_without_kfd"), "developer");
  EXPECT_THAT(found["gpu-access"].fix, HasSubstr("--device=/dev/kfd --device=/dev/dri"));
  found = worst(saved("mi250x_denied"), "linux-runner");
  EXPECT_THAT(found["gpu-access"].evidence, HasSubstr("gid 109 render"));
  EXPECT_EQ(found["gpu-access"].fix, "sudo usermod -aG render runner; then log in again");
  EXPECT_THAT(found["rocm-libraries"].fix, HasSubstr("hipblaslt"));
  EXPECT_THAT(found["gfx-override"].evidence, HasSubstr("gfx90a run code for gfx942"));
}

struct Fault {
  const char* check;
  CheckStatus status;
  std::function<void(HostFacts&)> plant;
  const char* evidence;
};

constexpr CheckStatus kWarn = CheckStatus::kWarn, kFail = CheckStatus::kFail;

const Fault kLinuxFaults[] = {
    {"gpu-access", kFail, [](HostFacts& f) { f.nodes[0].opens = false; }, "/dev/kfd does not open"},
    {"kernel-driver", kFail, [](HostFacts& f) { f.driver_loaded = false; }, "not loaded"},
    {"gpu-targets", kWarn, [](HostFacts& f) { f.kfd[0].gfx = "gfx1999"; }, "gfx1999"},
    {"rocminfo", kFail, [](HostFacts& f) { f.rocminfo.timed_out = true; }, "did not finish"},
    {"gfx-override", kFail,
     [](HostFacts& f) { f.environment["HSA_OVERRIDE_GFX_VERSION"] = "10.3.0"; }, "gfx1030"},
    {"mixed-gpus", kWarn, [](HostFacts& f) { f.kfd[7].gfx = "gfx90a"; }, "different targets"},
    {"visible-devices", kFail, [](HostFacts& f) { f.environment["HIP_VISIBLE_DEVICES"] = "8"; },
     "there are 8"},
    {"visible-devices", kFail, [](HostFacts& f) { f.environment["ROCR_VISIBLE_DEVICES"] = ""; },
     "hides every GPU"},
    {"gpu-processes", kWarn,
     [](HostFacts& f) {
       f.processes = {{.pid = 77, .name = "python3", .is_alive = true, .vram = 1ULL << 30}};
     },
     "python3 (pid 77"},
    {"leaked-vram", kFail, [](HostFacts& f) { f.cards[2].vram_used = 90ULL << 30; },
     "belong to no process"},
    {"gpu-hang", kWarn, [](HostFacts& f) { f.kernel_log = {"amdgpu: ring gfx timeout"}; },
     "ring gfx timeout"},
    {"gpu-memory-errors", kFail, [](HostFacts& f) { f.cards[1].uncorrectable_errors = 2; },
     "2 uncorrectable"},
    {"build-tools", kFail, [](HostFacts& f) { f.programs["cmake"].version = "3.22.1"; },
     "older than 3.26"},
    {"build-tools", kFail, [](HostFacts& f) { f.programs.erase("ninja"); }, "ninja is not"},
    {"rocm", kFail, [](HostFacts& f) { f.programs.erase("hipcc"); }, "not in PATH"},
    {"rocm", kWarn, [](HostFacts& f) { f.rocm_version = "5.7.1"; }, "older than 6.0"},
    {"rocm-version", kWarn, [](HostFacts& f) { f.kfd[0].gfx = "gfx950", f.rocm_version = "6.4.1"; },
     "gfx950 from ROCm 7.0"},
    {"rocm-libraries", kFail, [](HostFacts& f) { f.libraries.erase("libhipblaslt.so"); },
     "libhipblaslt.so"},
    {"rocm-environment", kFail,
     [](HostFacts& f) { f.environment["PYTORCH_ROCM_ARCH"] = "gfx942;gfx942:xnack-"; },
     "PYTORCH_ROCM_ARCH"},
    {"pytorch", kFail, [](HostFacts& f) { f.torch->hip = "", f.torch->cuda = "12.8"; },
     "built for CUDA 12.8"},
    {"pytorch", kWarn, [](HostFacts& f) { f.torch->hip = "6.4.1"; }, "ROCm 7.0.2 is installed"},
    {"memory", kFail, [](HostFacts& f) { f.memory_total = 32ULL << 30; }, "needs 64 GiB"},
    {"memory", kFail, [](HostFacts& f) { f.memory_limit = 16ULL << 30; }, "cgroup limits"},
    {"disk", kFail, [](HostFacts& f) { f.disks[0].free = 1ULL << 30; }, "1.0 GiB free"},
    {"disk", kFail,
     [](HostFacts& f) {
       f.disks[0] = {"/", 100ULL << 30, 90ULL << 30};
     },
     "needs 200 GB"},
    {"cpu-limit", kWarn, [](HostFacts& f) { f.cpu_limit = 4; }, "4.0 of 256"},
    {"numa-balancing", kWarn, [](HostFacts& f) { f.numa_balancing = true; }, "is on"},
    {"iommu", kWarn, [](HostFacts& f) { f.kernel_command_line = "quiet"; }, "pass-through"},
    {"container", kWarn,
     [](HostFacts& f) {
       f.container = {true, "docker", 64ULL << 20};
     },
     "/dev/shm"},
    {"network", kFail,
     [](HostFacts& f) {
       f.network->at(2) = {"pypi.org", false, "timed out"};
     },
     "pypi.org is not reachable"},
    {"service-account", kFail, [](HostFacts& f) { f.runner->account.groups = {44}; },
     "may not open /dev/kfd"},
    {"ephemeral-runner", kWarn, [](HostFacts& f) { f.runner->ephemeral = false; }, "not ephemeral"},
    {"job-hooks", kWarn,
     [](HostFacts& f) { f.runner->ephemeral = false, f.runner->has_job_started_hook = false; },
     "before each job"},
};

const Fault kWindowsFaults[] = {
    {"windows-release", kFail, [](HostFacts& f) { f.windows->build = 22000; }, "22621"},
    {"hip-sdk", kFail, [](HostFacts& f) { f.windows->amdhip64_loads = false; }, "does not load"},
    {"visual-studio", kFail, [](HostFacts& f) { f.windows->visual_cpp = false; }, "C++ tools"},
    {"paths", kFail, [](HostFacts& f) { f.windows->long_paths = false; }, "260"},
    {"paths", kFail, [](HostFacts& f) { f.windows->workspace = "C:\\my work"; }, "space"},
    {"display-driver", kFail, [](HostFacts& f) { f.windows->display_adapters.clear(); },
     "no AMD display adapter"},
    {"package-managers", kWarn, [](HostFacts& f) { f.windows->winget = false; }, "neither"},
};

TEST(Doctor, EachCheckFindsItsFault) {
  std::set<std::string_view> seen;
  const auto check = [&](const Fault& fault, HostFacts facts, const char* profile) {
    fault.plant(facts);
    const auto found = worst(facts, profile);
    ASSERT_TRUE(found.contains(fault.check)) << fault.check;
    const CheckResult& result = found.at(fault.check);
    EXPECT_EQ(to_string(result.status), to_string(fault.status)) << fault.check << result.evidence;
    EXPECT_THAT(result.evidence, HasSubstr(fault.evidence)) << fault.check;
    EXPECT_FALSE(result.fix.empty()) << fault.check;
    seen.insert(fault.check);
  };
  for (const Fault& fault : kLinuxFaults) check(fault, saved("mi300x_healthy"), "linux-runner");
  for (const Fault& fault : kWindowsFaults)
    check(fault, saved("windows_healthy"), "windows-runner");
  for (const Check& each : all_checks()) EXPECT_THAT(seen, Contains(each.name)) << "has no case";
}

// A machine about which nothing is known passes nothing that was not looked at.
TEST(Doctor, AbsentFactsAreNeverAPass) {
  for (const char* os : {"linux", "windows"}) {
    HostFacts empty;
    empty.os = os;
    const std::string profile = std::string(os) + "-runner";
    for (const auto& [check, result] : worst(empty, profile.c_str()))
      if (result.status == CheckStatus::kPass)
        EXPECT_THAT((std::set<std::string>{"gfx-override", "visible-devices", "container",
                                           "mixed-gpus", "numa-balancing"}),
                    Contains(check))
            << result.evidence;
  }
}

TEST(Doctor, GuardsTheAdviceToReset) {
  HostFacts facts = saved("mi300x_next_day");
  EXPECT_THAT(worst(facts, "linux-runner")["gpu-hang"].fix, HasSubstr("amd-smi reset"));
  facts.processes = {{.pid = 4711, .name = "vllm", .is_alive = true}};
  EXPECT_THAT(worst(facts, "linux-runner")["gpu-hang"].fix,
              HasSubstr("Do not reset yet: pid 4711"));
}

TEST(Doctor, RefusesAProfileForAnotherSystem) {
  const auto found = examine(saved("windows_healthy"), *find_profile("linux-runner"));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(), HasSubstr("profile linux-runner is for linux"));
}

TEST(Facts, SurviveARoundTrip) {
  for (const char* name : {"mi300x_healthy", "container_without_kfd", "windows_broken"}) {
    const HostFacts facts = saved(name);
    const std::string text = json_text(facts_json(facts));
    EXPECT_EQ(json_text(facts_json(read_facts(text, "again").value())), text) << name;
  }
}

TEST(Facts, NamesTheFieldThatIsWrong) {
  const std::string begin = R"({"schema": "hipwright-host-facts/1", "os": "linux", )";
  const std::pair<std::string, const char*> cases[] = {
      {"{}", "\"schema\""},
      {"[1]", "\"schema\""},
      {begin + R"("cpus": "many"})", "field cpus: expected a whole number"},
      {begin + R"("cpus": -1})", "field cpus: expected a whole number"},
      {begin + R"("cpus": 99999999999})", "field cpus: expected a whole number"},
      {begin + R"("disk": []})", "unknown field disk"},
      {begin + R"("disks": [{"path": "/", "size": 1}]})", "unknown field disks[0].size"},
      {begin + R"("nodes": {}})", "field nodes: expected an array"},
      {R"({"schema": "hipwright-host-facts/1", "os": "beos"})", "field os"}};
  for (const auto& [text, expected] : cases) {
    const auto facts = read_facts(text, "facts.json");
    ASSERT_FALSE(facts) << text;
    EXPECT_THAT(facts.error().message(), HasSubstr(expected));
  }
}

TEST(Files, HoldNumbersAndValues) {
  const TemporaryDirectory folder = TemporaryDirectory::create().value();
  const auto number = [&](const char* text) {
    EXPECT_TRUE(write_file_atomic(folder.path() / "f", text));
    return number_file(folder.path() / "f");
  };
  EXPECT_EQ(number("42\n"), 42U);
  EXPECT_EQ(number("0"), 0U);
  EXPECT_EQ(number("many"), std::nullopt);
  EXPECT_EQ(number(""), std::nullopt);
  EXPECT_EQ(number_file(folder.path() / "missing"), std::nullopt);
  const std::string status = "VmRSSx:\t1 kB\nVmRSS:\t2048 kB\n";
  EXPECT_EQ(value_in(status, "VmRSS"), "2048 kB");
  EXPECT_EQ(value_in(status, "VmSwap"), std::nullopt);
}

TEST(Fleet, ReportsTheLatestStateAndWhatChanged) {
  const auto fleet =
      examine_fleet({saved("mi300x_next_day"), saved("windows_healthy"), saved("mi300x_healthy")},
                    nullptr)
          .value();
  ASSERT_EQ(fleet.size(), 2U);
  EXPECT_EQ(fleet[0].host, "WIN-R9700");
  EXPECT_TRUE(fleet[0].changes.empty());
  const FleetHost& host = fleet[1];
  EXPECT_EQ(host.snapshots, 2U);
  EXPECT_EQ(host.examination.worst(), CheckStatus::kFail);
  EXPECT_THAT(host.changes, Contains(HasSubstr("GPUs 8 x gfx942 -> 7 x gfx942")));
  EXPECT_THAT(host.changes, Contains(HasSubstr("leaked-vram pass -> fail")));
  EXPECT_THAT(host.changes, Contains(HasSubstr("gpu-hang pass -> warn")));
  EXPECT_THAT(fleet_text(fleet, false), HasSubstr("\nfailed:\n" + host.host + ": leaked-vram: "));
}

}  // namespace
}  // namespace hipwright::ci
