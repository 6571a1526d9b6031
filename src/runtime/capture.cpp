// SPDX-License-Identifier: MIT
#include "runtime/capture.h"

#include <utility>

#include <fmt/format.h>

#include "hipwright/error.h"

namespace hipwright::runtime {

namespace {

constinit thread_local ActiveCapture* active = nullptr;

}  // namespace

ActiveCapture::ActiveCapture(std::string graph, const device::Device& driver, const Stream& stream)
    : graph_(std::move(graph)), driver_(driver), stream_(stream) {
  active = this;
}

ActiveCapture::~ActiveCapture() {
  active = nullptr;
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

}  // namespace hipwright::runtime
