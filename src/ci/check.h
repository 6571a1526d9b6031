// SPDX-License-Identifier: MIT
// A check of a machine is one file, checks/<area>/<name>.cpp: a pure function from facts to
// results. The file defines one function with its own name in hipwright::ci::checks, from which the
// build generates the list of all checks. Each result says what was seen and what to do.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ci/host/facts.h"

namespace hipwright::ci {

// kUnknown: the facts do not say. It is never a pass.
enum class CheckStatus { kPass, kWarn, kFail, kUnknown };
std::string_view to_string(CheckStatus status);

struct CheckResult {
  std::string_view check;  // "gpu-access"
  CheckStatus status = CheckStatus::kPass;
  std::string evidence;  // what was seen
  std::string fix;       // a command where there is one; empty for a pass
};

// What a machine is for decides what it needs.
struct Profile {
  std::string_view name;
  std::string_view summary;
  std::string_view os;  // empty: any
  double memory_gib = 0, disk_gib = 0;
  bool is_runner = false;
  std::vector<std::string_view> hosts;  // that jobs download from
};
std::span<const Profile> profiles();
const Profile* find_profile(std::string_view name);
const Profile& default_profile();  // developer

class Checkup {
 public:
  Checkup(std::string_view check, const HostFacts& of_host, const Profile& for_profile,
          std::vector<CheckResult>& out)
      : facts(of_host), profile(for_profile), check_(check), out_(out) {}

  const HostFacts& facts;
  const Profile& profile;

  void pass(std::string evidence) { add(CheckStatus::kPass, std::move(evidence), {}); }
  void warn(std::string evidence, std::string fix) {
    add(CheckStatus::kWarn, std::move(evidence), std::move(fix));
  }
  void fail(std::string evidence, std::string fix) {
    add(CheckStatus::kFail, std::move(evidence), std::move(fix));
  }
  void unknown(std::string evidence, std::string fix) {
    add(CheckStatus::kUnknown, std::move(evidence), std::move(fix));
  }
  // What a runner must have is a failure there, and a warning on a developer's machine.
  void need(std::string evidence, std::string fix) {
    add(profile.is_runner ? CheckStatus::kFail : CheckStatus::kWarn, std::move(evidence),
        std::move(fix));
  }

 private:
  void add(CheckStatus status, std::string evidence, std::string fix) {
    out_.push_back({check_, status, std::move(evidence), std::move(fix)});
  }
  std::string_view check_;
  std::vector<CheckResult>& out_;
};

struct Check {
  std::string_view name;   // "gpu-access"
  std::string_view title;  // "GPU device nodes open"
  std::string_view os;     // "linux", "windows"; empty: both
  void (*run)(Checkup& checkup) = nullptr;
  bool only_runners = false;
};

// By file name, so by area.
const std::vector<Check>& all_checks();

// What several checks ask of the facts.
struct GpuSeen {
  std::string gfx;
  bool is_apu = false;
};
// The GPUs of the machine, from the best source that names any; without HSA_OVERRIDE_GFX_VERSION's
// effect where the kernel driver says what they are.
std::vector<GpuSeen> gpus_of(const HostFacts& facts);

// A variable's value; empty when it is not set.
std::string_view variable(const HostFacts& facts, const std::string& name);

// "6.4.1" to {6, 4, 1}; stops at the first part that is not a number.
std::vector<unsigned> version_numbers(std::string_view version);

std::string gib(std::uint64_t bytes);  // "31.3 GiB"

}  // namespace hipwright::ci
