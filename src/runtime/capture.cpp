// SPDX-License-Identifier: MIT
#include "runtime/capture.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "hipwright/error.h"

namespace hipwright::runtime {

namespace {

constinit thread_local ActiveCapture* active = nullptr;

// Of all threads.
struct Captures {
  std::mutex mutex;
  std::vector<const ActiveCapture*> list;

  const ActiveCapture* on(const device::Device& driver) const {
    for (const ActiveCapture* const capture : list)
      if (&capture->driver() == &driver) return capture;
    return nullptr;
  }
};
Captures& captures() {
  static Captures instance;
  return instance;
}

}  // namespace

ActiveCapture::ActiveCapture(std::string graph, const device::Device& driver, const Stream& stream)
    : graph_(std::move(graph)), driver_(driver), stream_(stream) {
  active = this;
  const std::lock_guard lock(captures().mutex);
  captures().list.push_back(this);
}

ActiveCapture::~ActiveCapture() {
  active = nullptr;
  const std::lock_guard lock(captures().mutex);
  std::erase(captures().list, this);
}

ActiveCapture* ActiveCapture::current() {
  return active;
}

bool ActiveCapture::records(device::Device& driver, device::Stream stream) const {
  if (&driver != &driver_ || stream == nullptr) return false;
  if (stream == native(stream_)) return true;
  const auto state = driver.capture_state(stream);
  return state && *state != device::CaptureState::kNone;
}

void check_not_capturing(const device::Device& driver, std::string_view operation,
                         std::string_view rule, std::string_view instead) {
  if (active == nullptr || &active->driver() != &driver) return;
  throw GraphCaptureError(
      fmt::format("{} cannot be recorded in graph '{}' on {}: {}. {}", operation, active->graph(),
                  driver.id(), rule, instead),
      {.call = std::string(operation), .device = driver.id(), .advice = std::string(instead)});
}

void check_not_capturing(const device::Device& driver, std::string_view operation) {
  check_not_capturing(driver, operation,
                      "while work is recorded nothing of it runs, so there is nothing to wait for",
                      "Call it before capture_graph() or after it.");
}

void check_nobody_captures(const device::Device& driver, std::string_view operation) {
  check_not_capturing(driver, operation);
  const std::lock_guard lock(captures().mutex);
  if (const ActiveCapture* const capture = captures().on(driver))
    throw GraphCaptureError(
        fmt::format("{} waits for all streams of {}, and another thread captures graph '{}' on one "
                    "of them. Wait for a stream or an event instead, or for the end of that "
                    "capture.",
                    operation, driver.id(), capture->graph()),
        {.call = std::string(operation), .device = driver.id()});
}

bool somebody_captures(const device::Device& driver) {
  const std::lock_guard lock(captures().mutex);
  return captures().on(driver) != nullptr;
}

}  // namespace hipwright::runtime
