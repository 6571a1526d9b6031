// SPDX-License-Identifier: MIT
// The records of the software GPU: every line is a record or counted as unreadable, and what is
// read survives being written again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/device_event.h"
#include "base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const hipwright::DeviceEvents events = hipwright::parse_events(text);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) +
                     (!text.empty() && !text.ends_with('\n'));
  HW_ASSERT(events.list.size() + events.unreadable == lines);
  for (const hipwright::DeviceEvent& event : events.list) {
    const hipwright::DeviceEvents again = hipwright::parse_events(hipwright::line_of(event));
    HW_ASSERT(again.unreadable == 0 && again.list.size() == 1);
    HW_ASSERT(again.list[0].kind == event.kind);
    HW_ASSERT(event.text.size() > 1000 || again.list[0].text == event.text);
  }
  return 0;
}
