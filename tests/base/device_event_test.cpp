// SPDX-License-Identifier: MIT
#include "base/device_event.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"

namespace hipwright {
namespace {

const DeviceEvent kFault{.kind = EventKind::kFault,
                         .text = "invalid memory access\n  in kernel \"k\"",
                         .kernel = "k(float*)",
                         .instruction = "global_store_dword v[0:1], v2, off",
                         .place = "_Z1kPf+0x40"};

TEST(DeviceEvent, IsOneLineAndComesBackWhole) {
  const std::string line = line_of(kFault);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const DeviceEvents events = parse_events(line_of({.kind = EventKind::kStart}) + line);
  EXPECT_EQ(events.unreadable, 0U);
  EXPECT_TRUE(events.has_start());
  EXPECT_THAT(events.list, testing::ElementsAre(DeviceEvent{.kind = EventKind::kStart}, kFault));
}

TEST(DeviceEvent, EveryKindHasAName) {
  for (const EventKind kind : {EventKind::kStart, EventKind::kFault, EventKind::kRejected,
                               EventKind::kUnsupportedInstruction, EventKind::kUnsupportedApi,
                               EventKind::kLimit, EventKind::kMessage}) {
    const DeviceEvents events = parse_events(line_of({.kind = kind}));
    ASSERT_EQ(events.list.size(), 1U) << to_string(kind);
    EXPECT_EQ(events.list[0].kind, kind);
  }
}

TEST(DeviceEvent, EveryCutOfARecordIsUnreadable) {
  const std::string line = line_of(kFault);
  for (std::size_t size = 1; size < line.size(); ++size) {
    const DeviceEvents events = parse_events(line.substr(0, size));
    EXPECT_EQ(events.unreadable, 1U) << size;
    EXPECT_TRUE(events.list.empty()) << size;
  }
}

TEST(DeviceEvent, MalformedLinesAreCountedAndTheRestIsRead) {
  for (const std::string wrong :
       {"", "{}", "[]", "null", "fault", R"({"kind":"triumph"})", R"({"kind":7})",
        R"({"kind":"fault","text":{}})", R"({"kind":"fault"}{"kind":"start"})", "\xff\xfe",
        R"({"kind":1e999})"}) {
    const DeviceEvents events = parse_events(wrong + "\n" + line_of(kFault));
    EXPECT_EQ(events.unreadable, 1U) << wrong;
    EXPECT_THAT(events.list, testing::ElementsAre(kFault)) << wrong;
  }
  const std::string deep(200'000, '[');
  EXPECT_EQ(parse_events(deep + "\n").unreadable, 1U);
}

TEST(DeviceEvent, ALongOrBrokenTextIsStillARecord) {
  const DeviceEvents events = parse_events(
      line_of({.kind = EventKind::kFault, .text = std::string(1 << 20, '\x01'), .kernel = "\xff"}));
  EXPECT_EQ(events.unreadable, 0U);
  ASSERT_EQ(events.list.size(), 1U);
  EXPECT_EQ(events.list[0].kind, EventKind::kFault);
}

TEST(DeviceEvent, AFileThatIsNotARecordFileIsUnreadable) {
  const auto folder = TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const auto file = folder->path() / "events.jsonl";
  EXPECT_EQ(read_events(file).unreadable, 0U);
  ASSERT_TRUE(write_file_atomic(file, line_of(kFault)));
  EXPECT_THAT(read_events(file).list, testing::ElementsAre(kFault));
  EXPECT_EQ(read_events(folder->path()).unreadable, 1U);
  const auto pipe = folder->path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_events(pipe).unreadable, 1U);  // and does not wait for a writer
}

}  // namespace
}  // namespace hipwright
