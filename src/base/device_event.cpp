// SPDX-License-Identifier: MIT
#include "base/device_event.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/file.h"
#include "base/json.h"

namespace hipwright {

namespace fs = std::filesystem;

namespace {

struct KindName {
  EventKind kind;
  std::string_view name;
};
constexpr KindName kKinds[] = {
    {EventKind::kStart, "start"},
    {EventKind::kFault, "fault"},
    {EventKind::kRejected, "rejected"},
    {EventKind::kUnsupportedInstruction, "unsupported-instruction"},
    {EventKind::kUnsupportedApi, "unsupported-api"},
    {EventKind::kLimit, "limit"},
    {EventKind::kMessage, "message"},
};

struct Field {
  const char* key;
  std::string DeviceEvent::*member;
};
constexpr Field kFields[] = {
    {"text", &DeviceEvent::text},
    {"kernel", &DeviceEvent::kernel},
    {"instruction", &DeviceEvent::instruction},
    {"api", &DeviceEvent::api},
    {"place", &DeviceEvent::place},
};

constexpr std::size_t kLongestText = 8000;        // of one field
constexpr std::size_t kLongestLine = 1U << 18;    // every byte of every field may be escaped
constexpr std::uintmax_t kMostBytes = 64U << 20;  // of a file

std::optional<EventKind> kind_of(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &KindName::name);
  return found == std::end(kKinds) ? std::nullopt : std::optional(found->kind);
}

std::optional<DeviceEvent> event_of(std::string_view line) {
  if (line.size() > kLongestLine) return std::nullopt;
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto kind = json.find("kind");
  if (kind == json.end() || !kind->is_string()) return std::nullopt;
  const auto known = kind_of(kind->get_ref<const std::string&>());
  if (!known) return std::nullopt;
  DeviceEvent event{.kind = *known};
  for (const Field& field : kFields) {
    const auto value = json.find(field.key);
    if (value == json.end()) continue;
    if (!value->is_string()) return std::nullopt;
    event.*field.member = value->get<std::string>();
  }
  return event;
}

}  // namespace

std::string_view to_string(EventKind kind) {
  return std::ranges::find(kKinds, kind, &KindName::kind)->name;
}

std::string line_of(const DeviceEvent& event) {
  Json json = {{"kind", to_string(event.kind)}};
  for (const Field& field : kFields)
    if (const std::string& value = event.*field.member; !value.empty())
      json[field.key] = value.substr(0, kLongestText);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool DeviceEvents::has_start() const {
  return std::ranges::find(list, EventKind::kStart, &DeviceEvent::kind) != list.end();
}

DeviceEvents parse_events(std::string_view text) {
  DeviceEvents events;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::optional<DeviceEvent> event;
    // A line without its end was cut, even if it looks whole.
    if (end != std::string_view::npos) event = event_of(text.substr(0, end));
    if (event)
      events.list.push_back(*std::move(event));
    else
      ++events.unreadable;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return events;
}

DeviceEvents read_events(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return {};
  // The program that ran may have put anything in its place.
  if (!fs::is_regular_file(status)) return {.unreadable = 1};
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kMostBytes) return {.unreadable = 1};
  const auto text = read_file(file);
  return text ? parse_events(*text) : DeviceEvents{.unreadable = 1};
}

}  // namespace hipwright
