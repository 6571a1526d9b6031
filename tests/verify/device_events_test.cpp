// SPDX-License-Identifier: MIT
#include "verify/device_events.h"

#include <gtest/gtest.h>

#include "verify/program/outcome.h"

namespace hipwright::verify {
namespace {

DeviceEvents events_of(std::initializer_list<EventKind> kinds) {
  DeviceEvents events;
  events.list.push_back({.kind = EventKind::kStart});
  for (const EventKind kind : kinds)
    events.list.push_back({.kind = kind, .text = std::string(to_string(kind))});
  return events;
}

// A program that exits with 0 and prints a result.
ProgramRun run_of(DeviceEvents events) {
  ProgramRun ran{.device = "soft:gfx942", .events = std::move(events)};
  ran.finished.out = "sum 12\n";
  return ran;
}

TEST(DeviceEvents, AFaultFailsAndWhatTheSoftwareGpuLacksIsNotChecked) {
  const std::pair<EventKind, Verdict> cases[] = {
      {EventKind::kMessage, Verdict::kPass},
      {EventKind::kFault, Verdict::kFail},
      {EventKind::kRejected, Verdict::kFail},
      {EventKind::kUnsupportedInstruction, Verdict::kNotChecked},
      {EventKind::kUnsupportedApi, Verdict::kNotChecked},
      {EventKind::kLimit, Verdict::kNotChecked},
  };
  for (const auto& [kind, verdict] : cases)
    EXPECT_EQ(ending_of(run_of(events_of({kind}))).verdict, verdict) << to_string(kind);
}

TEST(DeviceEvents, TheFirstConsequenceDecides) {
  EXPECT_EQ(ending_of(events_of({EventKind::kUnsupportedApi, EventKind::kFault})).verdict,
            Verdict::kNotChecked);
  EXPECT_EQ(ending_of(events_of({EventKind::kFault, EventKind::kUnsupportedApi})).verdict,
            Verdict::kFail);
}

TEST(DeviceEvents, WhatCannotBeReadIsNeverAPass) {
  DeviceEvents damaged = events_of({});
  damaged.unreadable = 1;
  EXPECT_EQ(ending_of(damaged).verdict, Verdict::kNotChecked);
  EXPECT_FALSE(has_results(run_of(damaged)));
  DeviceEvents headless = events_of({EventKind::kMessage});
  headless.list.erase(headless.list.begin());
  EXPECT_EQ(ending_of(headless).verdict, Verdict::kNotChecked);
  EXPECT_TRUE(missed_the_device(run_of({})));
  EXPECT_FALSE(missed_the_device(run_of(events_of({}))));
}

TEST(DeviceEvents, AStoppedKernelIsNotFreeOfFindings) {
  for (const EventKind kind : {EventKind::kUnsupportedInstruction, EventKind::kFault}) {
    ProgramRun ran = run_of(events_of({kind}));
    ran.checks = {.is_there = true, .is_finished = true, .findings = {}, .kernels = 1};
    Check check;
    judge_report(check, ran);
    EXPECT_EQ(check.verdict, Verdict::kNotChecked) << to_string(kind);
    EXPECT_NE(check.evidence.find(to_string(kind)), std::string::npos) << check.evidence;
  }
}

// What the program itself prints has no consequence but that of its words.
TEST(DeviceEvents, TheProgramsOwnTextIsNoRecord) {
  ProgramRun ran = run_of(events_of({}));
  ran.finished.err = "hipwright: glTF is not implemented by the software GPU\n";
  EXPECT_EQ(ending_of(ran).verdict, Verdict::kPass);
}

}  // namespace
}  // namespace hipwright::verify
