// SPDX-License-Identifier: MIT
// Everything that the runtime reports goes through here: to the file of HIPWRIGHT_SOFT_EVENTS as a
// record, or to standard error as text.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/device_event.h"
#include "soft/hip/api.h"

namespace hipwright::soft::hip {

namespace {

std::string_view label_of(EventKind kind) {
  switch (kind) {
    case EventKind::kFault:
    case EventKind::kRejected:
    case EventKind::kUnsupportedInstruction:
    case EventKind::kLimit:
      return "hipwright: error: ";
    case EventKind::kStart:
    case EventKind::kUnsupportedApi:
    case EventKind::kMessage:
      break;
  }
  return "hipwright: ";
}

// One write: lines of several threads do not mix.
void print(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// Opened for each record: the program may close descriptors that it does not know. With O_APPEND
// and a single write, records of several processes do not mix.
bool append(const char* path, const std::string& line) {
  const int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool is_whole = ::write(file, line.data(), line.size()) == ssize_t(line.size());
  ::close(file);
  return is_whole;
}

const char* events_file() {
  static const char* const path = [] {
    const char* value = std::getenv(kEventsVariable);
    return value != nullptr && *value != '\0' ? ::strdup(value) : nullptr;
  }();
  return path;
}

// Without the record, the failure that it reports would look like a success.
void send(const char* path, const DeviceEvent& event) {
  static std::mutex mutex;
  static auto* const sent = new std::set<std::string>;  // lives until after the last exit handler
  const std::lock_guard lock(mutex);
  const auto is_sent = [&](const DeviceEvent& each) {
    const std::string line = line_of(each);
    return sent->contains(line) || (append(path, line) && sent->insert(line).second);
  };
  // Comes first: a call to an unsupported function does not start the runtime.
  if (is_sent({.kind = EventKind::kStart}) && is_sent(event)) return;
  const int reason = errno;
  print(fmt::format("{}{}", label_of(event.kind), event.text));
  print(fmt::format("hipwright: error: cannot write to {} ({}): {}", path, kEventsVariable,
                    errno_text(reason)));
  std::abort();
}

}  // namespace

void notify(const DeviceEvent& event) {
  if (const char* path = events_file(); path != nullptr)
    send(path, event);
  else if (event.kind != EventKind::kStart)
    print(fmt::format("{}{}", label_of(event.kind), event.text));
}

void say(std::string_view text) {
  notify({.kind = EventKind::kMessage, .text = std::string(text)});
}

void say_finding(const std::string& text) {
  if (const char* path = events_file(); path != nullptr)
    send(path, {.kind = EventKind::kMessage, .text = text});
  else
    print(text);
}

hipError_t refuse(hipError_t code, const Error& error) {
  notify({.kind = EventKind::kRejected, .text = error.message()});
  return code;
}

hipError_t not_implemented(const char* what) noexcept {
  try {
    static std::mutex mutex;
    static auto* const said = new std::set<std::string>;
    const std::lock_guard lock(mutex);
    if (said->insert(what).second)
      notify({.kind = EventKind::kUnsupportedApi,
              .text = std::string(what) + " is not implemented by the software GPU",
              .api = what});
  } catch (const std::exception&) {
    // Out of memory: the error code must suffice.
  }
  return record(hipErrorNotSupported);
}

}  // namespace hipwright::soft::hip

// For the generated stubs, which know no type of the API.
extern "C" int hipwright_stub(const char* name) noexcept {
  return hipwright::soft::hip::not_implemented(name);
}
