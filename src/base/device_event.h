// SPDX-License-Identifier: MIT
// What the software GPU reports to the process that started the program: one JSON object per line,
// appended to the file that HIPWRIGHT_SOFT_EVENTS names. Messages on standard error are for people;
// programs read these records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright {

constexpr const char* kEventsVariable = "HIPWRIGHT_SOFT_EVENTS";

enum class EventKind : std::uint8_t {
  kStart,                   // a process uses the software GPU
  kFault,                   // a kernel failed
  kRejected,                // a call failed that fails on hardware, too: no code for the device
  kUnsupportedInstruction,  // a kernel stopped at an instruction that the software GPU lacks
  kUnsupportedApi,          // the program called a function that the software GPU lacks
  kLimit,                   // this machine or a setting ended it: memory, number of instructions
  kMessage,                 // anything else that people may want to know
};

std::string_view to_string(EventKind kind);  // "unsupported-api"

struct DeviceEvent {
  EventKind kind = EventKind::kMessage;
  std::string text;         // for people; may have several lines
  std::string kernel;       // demangled
  std::string instruction;  // "image_load v[0:3], v[0:1], s[0:7] …"
  std::string api;          // "hipIpcGetMemHandle"
  std::string place;        // "_Z6kernelPf+0x40"

  bool operator==(const DeviceEvent&) const = default;
};

// One line with its line break. Long texts are cut.
std::string line_of(const DeviceEvent& event);

struct DeviceEvents {
  std::vector<DeviceEvent> list;  // in the order in which they were written
  std::size_t unreadable = 0;     // lines that are cut or malformed: anything may have happened

  // Whether a process used the software GPU.
  bool has_start() const;
};

// Reads what any number of processes wrote. Never fails: what it cannot read, it counts.
DeviceEvents parse_events(std::string_view text);
// A file that does not exist has no events.
DeviceEvents read_events(const std::filesystem::path& file);

}  // namespace hipwright
