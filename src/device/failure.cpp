// SPDX-License-Identifier: MIT
#include "device/failure.h"

#include <fmt/format.h>

namespace hipwright::device {

std::string_view to_string(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNotAvailable:
      return "not available";
    case FailureKind::kDevice:
      return "device";
    case FailureKind::kCapture:
      return "capture";
    case FailureKind::kMemory:
      return "memory";
    case FailureKind::kCompilation:
      return "compilation";
    case FailureKind::kConfiguration:
      return "configuration";
  }
  bug("a failure without a kind", __FILE__, __LINE__);
}

std::string Failure::message() const {
  std::string text = call;
  // A call is a function's name, or a phrase that states a failure.
  const bool is_name = call.find(' ') == std::string::npos;
  if (is_name) text += " failed";
  if (!device.empty()) text += (is_name ? " on " : " ") + device;
  if (!why.empty()) text += ": " + why;
  if (!code_name.empty()) text += fmt::format(" ({}, {})", code_name, code);
  if (device_lost) text += ". The device is lost for this process; start a new one";
  if (!advice.empty()) {
    if (!text.ends_with('.') && !text.ends_with('\n')) text += '.';
    text += (text.ends_with('\n') ? "" : " ") + advice;
  }
  return text;
}

}  // namespace hipwright::device
