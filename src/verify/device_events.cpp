// SPDX-License-Identifier: MIT
#include "verify/device_events.h"

#include <fmt/format.h>

#include "base/counted.h"

namespace hipwright::verify {

namespace {

Verdict verdict_of(EventKind kind) {
  switch (kind) {
    case EventKind::kFault:
    case EventKind::kRejected:
      return Verdict::kFail;
    case EventKind::kUnsupportedInstruction:
    case EventKind::kUnsupportedApi:
    case EventKind::kLimit:
      return Verdict::kNotChecked;
    case EventKind::kStart:
    case EventKind::kMessage:
      break;
  }
  return Verdict::kPass;
}

// The event's own text, or else what its fields say.
std::string text_of(const DeviceEvent& event) {
  std::string text = event.text;
  while (text.ends_with('\n')) text.pop_back();
  if (!text.empty()) return text;
  text = to_string(event.kind);
  for (const std::string* each : {&event.api, &event.kernel, &event.instruction, &event.place})
    if (!each->empty()) text += ": " + *each;
  return text;
}

}  // namespace

Ending ending_of(const DeviceEvents& events) {
  for (const DeviceEvent& event : events.list)
    if (const Verdict verdict = verdict_of(event.kind); verdict != Verdict::kPass)
      return {verdict, text_of(event)};
  if (events.unreadable != 0)
    return {Verdict::kNotChecked, fmt::format("{} of the software GPU cannot be read",
                                              counted(events.unreadable, "record"))};
  if (!events.list.empty() && !events.has_start())
    return {Verdict::kNotChecked, "the first records of the software GPU are missing"};
  return {};
}

std::string text_of(const DeviceEvents& events) {
  std::string text;
  for (const DeviceEvent& event : events.list)
    if (event.kind != EventKind::kStart)
      text += fmt::format("{}{}", text.empty() ? "" : "\n", text_of(event));
  return text;
}

}  // namespace hipwright::verify
