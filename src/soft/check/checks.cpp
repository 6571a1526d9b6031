// SPDX-License-Identifier: MIT
#include "soft/check/checks.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>

#include "soft/check/accesses.h"
#include "soft/check/allocated.h"
#include "soft/check/barriers.h"
#include "soft/check/device_heap.h"
#include "soft/check/formats.h"
#include "soft/check/objects.h"
#include "soft/check/races.h"
#include "soft/check/registers.h"
#include "soft/check/report.h"
#include "soft/check/stream_races.h"
#include "soft/check/waits.h"

namespace hipwright::soft {

namespace {

// What the threads of one launch share.
struct LaunchShadow {
  LaunchShadow(Findings& findings, StreamRaces& streams, const LaunchRequest* request)
      : races(std::make_shared<LaunchRaces>(
            findings, LaunchRaces::Operation{&streams, request ? request->operation : 0})) {}
  std::shared_ptr<LaunchRaces> races;
  std::atomic<bool> counted{false};
};

// The checks of one workgroup.
struct GroupChecks {
  GroupChecks(const CheckOptions& options, Findings& findings, DeviceHeap& device_heap,
              FidelitySink* fidelity, const std::shared_ptr<LaunchRaces>& launch) {
    if (options.registers || options.lanes || fidelity) registers.emplace(findings, fidelity);
    if (options.waits) waits.emplace(findings);
    if (options.races) races.emplace(findings, launch);
    if (options.barriers) barriers.emplace(findings);
    if (options.bounds) heap.emplace(device_heap);
    if (options.bounds) objects.emplace(findings);
  }
  std::optional<RegisterCheck> registers;
  std::optional<WaitCheck> waits;
  std::optional<RaceCheck> races;
  std::optional<BarrierCheck> barriers;
  std::optional<HeapCalls> heap;
  std::optional<ObjectCheck> objects;
};

// Whether the kernel may go on as if these lanes had not made the access. Not where it would never
// end: a recursion without end moves away from its stack, and who waits for a misaligned atomic to
// take effect waits forever.
bool can_be_skipped(const Wave& wave, const Access& access, std::uint64_t lanes) {
  constexpr std::uint64_t kOverrun = 16384;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = access.addresses[std::countr_zero(lanes)];
    if (access.space == Space::kScratch && address >= wave.group->scratch_per_lane + kOverrun)
      return false;
    if (access.kind == AccessKind::kAtomic && address % access.bytes != 0) return false;
  }
  return true;
}

// One host thread of a launch.
class Checker : public Watch, private FidelitySink {
 public:
  Checker(const CheckOptions& options, Findings& findings, DeviceHeap& heap, MadeSpecials& made,
          Report& report, const LaunchRequest* request, std::shared_ptr<LaunchShadow> launch)
      : options_(options),
        findings_(findings),
        heap_(heap),
        formats_(findings, made),
        report_(report),
        request_(request),
        launch_(std::move(launch)) {}
  ~Checker() override {
    if (options_.report) {
      KernelCounts counts = tally_.take(request_, !launch_->counted.exchange(true));
      if (counts.workgroups != 0) report_.add(counts);
    }
  }

  void begin(Workgroup& group) override {
    auto& checks = groups_[&group];
    if (!checks)
      checks = std::make_unique<GroupChecks>(
          options_, findings_, heap_, options_.report ? static_cast<FidelitySink*>(this) : nullptr,
          launch_->races);
    current_group_ = nullptr;
    if (checks->registers) checks->registers->begin(group);
    if (checks->waits) checks->waits->begin(group);
    if (checks->races) checks->races->begin(group);
    if (checks->barriers) checks->barriers->begin(group);
    if (checks->heap) checks->heap->begin(group);
    if (checks->objects) checks->objects->begin(group);
    if (options_.report) tally_.begin(group);
  }
  void end(Workgroup& group) override {
    GroupChecks& checks = of(group);
    if (checks.barriers) checks.barriers->end(group);
  }
  void before(Wave& wave, const Inst& inst) override {
    GroupChecks& checks = of(*wave.group);
    if (checks.waits) checks.waits->before(wave, inst);
    if (checks.barriers) checks.barriers->before(wave, inst);
    if (checks.races) checks.races->before(wave, inst);
    if (checks.registers) checks.registers->before(wave, inst);
    if (options_.registers) check_allocated(findings_, wave, inst);
    if (options_.formats) formats_.before(wave, inst);
    if (checks.heap) checks.heap->before(wave, inst);
    if (options_.report) tally_.before(wave, inst);
  }
  void after(Wave& wave, const Inst&) override {
    if (GroupChecks& checks = of(*wave.group); checks.races) checks.races->after(wave);
  }
  void access(Wave& wave, const Inst& inst, const Access& access) override {
    GroupChecks& checks = of(*wave.group);
    if (options_.bounds) check_arguments(findings_, wave, inst, access);
    if (checks.objects) checks.objects->access(wave, inst, access);
    if (options_.alignment) check_alignment(findings_, wave, inst, access);
    if (checks.registers) checks.registers->access(wave, inst, access);
    if (checks.races) checks.races->access(wave, inst, access);
    if (checks.barriers) checks.barriers->access(wave, access);
    if (checks.heap) checks.heap->access(wave, inst, access);
    if (options_.report) tally_.access(wave, access);
  }
  bool bad_address(Wave& wave, const Inst& inst, const Access& access,
                   std::uint64_t lanes) override {
    if (!options_.bounds) return false;
    report_bad_address(findings_, wave, inst, access, lanes);
    return options_.keep_going && can_be_skipped(wave, access, lanes);
  }
  void barrier(Workgroup& group) override {
    GroupChecks& checks = of(group);
    if (checks.barriers) checks.barriers->met(group);
    if (checks.races) checks.races->barrier(group);
  }
  void stuck(Workgroup& group, const Wave& waiting) override {
    GroupChecks& checks = of(group);
    if (checks.barriers) checks.barriers->stuck(group, waiting);
  }

 private:
  GroupChecks& of(Workgroup& group) {
    if (current_group_ != &group) {
      current_group_ = &group;
      current_ = groups_.at(&group).get();
    }
    return *current_;
  }
  void approximate_use(const Wave& wave, const Inst& inst, bool branch) override {
    tally_.approximate_use(wave, inst, branch);
  }

  const CheckOptions& options_;
  Findings& findings_;
  DeviceHeap& heap_;
  FormatCheck formats_;
  Report& report_;
  const LaunchRequest* request_;
  std::shared_ptr<LaunchShadow> launch_;
  std::unordered_map<const Workgroup*, std::unique_ptr<GroupChecks>> groups_;
  const Workgroup* current_group_ = nullptr;
  GroupChecks* current_ = nullptr;
  Tally tally_;
};

}  // namespace

struct Checks::Impl {
  CheckOptions options;
  Findings findings;
  MadeSpecials made;
  Report report;
  StreamRaces streams{findings};
  DeviceHeap heap{findings};
  std::mutex mutex;
  // Running launches, by their request.
  std::unordered_map<const LaunchRequest*, std::weak_ptr<LaunchShadow>> launches;

  std::unique_ptr<Watch> make(const LaunchRequest* request) {
    std::shared_ptr<LaunchShadow> shadow;
    {
      const std::lock_guard lock(mutex);
      std::erase_if(launches, [](const auto& each) { return each.second.expired(); });
      std::weak_ptr<LaunchShadow>& known = launches[request];
      shadow = request ? known.lock() : nullptr;
      if (!shadow) known = shadow = std::make_shared<LaunchShadow>(findings, streams, request);
    }
    return std::make_unique<Checker>(options, findings, heap, made, report, request,
                                     std::move(shadow));
  }
};

Checks::Checks(CheckOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
  // One analysis serves both, and fidelity.
  if (!options.registers)
    for (const FindingKind kind :
         {FindingKind::kUninitialisedStore, FindingKind::kUninitialisedAddress,
          FindingKind::kUninitialisedBranch})
      impl_->findings.mute(kind);
  if (!options.lanes) impl_->findings.mute(FindingKind::kInactiveLane);
}
Checks::~Checks() = default;

WatchFactory Checks::watch_factory() {
  return [impl = impl_.get()](const LaunchRequest& request) { return impl->make(&request); };
}
std::unique_ptr<Watch> Checks::watch() {
  return impl_->make(nullptr);
}
Findings& Checks::findings() {
  return impl_->findings;
}
StreamRaces* Checks::stream_races() {
  return impl_->options.races ? &impl_->streams : nullptr;
}
Report& Checks::report() {
  return impl_->report;
}

}  // namespace hipwright::soft
