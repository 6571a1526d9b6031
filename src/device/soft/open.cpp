// SPDX-License-Identifier: MIT
// The HIP device, opened on the software GPU's runtime library.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>

#include "device/hip/device.h"
#include "toolchain/soft_library.h"

namespace hipwright::device {

namespace {

constexpr const char* kOpen = "cannot open a software GPU";

// Exports of the library besides HIP's functions (soft/hip/devices.cpp).
using DeviceFunction = int(const char* target, int nth);
using ErrorFunction = const char*();

// "gfx942#1" is the second device with that target.
struct Wanted {
  std::string target;
  int nth = -1;  // not said
};
Wanted wanted_of(const std::string& text) {
  const std::size_t mark = text.find('#');
  Wanted wanted{.target = text.substr(0, mark)};
  if (mark != std::string::npos)
    std::from_chars(text.data() + mark + 1, text.data() + text.size(), wanted.nth);
  return wanted;
}

Outcome<hip::Runtime*> open_library() {
  const auto names = toolchain::soft_library_names();
  auto library = toolchain::DynamicLibrary::open_any(names);
  if (!library)
    return std::unexpected(
        Failure(FailureKind::kNotAvailable, kOpen, {},
                fmt::format("{} was not found or not loaded (tried {}): {}",
                            toolchain::kSoftLibrary, fmt::join(names, ", "), library.error().why),
                "Install hipwright, or set HIPWRIGHT_SOFT_LIBRARY to the library's path."));
  return hip::Runtime::of(*std::move(library));
}

}  // namespace

Outcome<std::vector<std::shared_ptr<Device>>> open_soft(const std::vector<std::string>& targets) {
  HW_TRY(hip::Runtime * runtime, open_library());
  const auto& library = runtime->library();
  auto* const device_of = library.function<DeviceFunction*>("hipwright_soft_device");
  auto* const error_of = library.function<ErrorFunction*>("hipwright_soft_error");
  if (device_of == nullptr || error_of == nullptr)
    return std::unexpected(Failure(FailureKind::kNotAvailable, kOpen, library.path().string(),
                                   "the library is not the software GPU's, or has another version",
                                   "Reinstall hipwright."));
  std::vector<std::shared_ptr<Device>> devices;
  std::map<std::string, int> seen;
  for (const std::string& text : targets) {
    Wanted wanted = wanted_of(text);
    if (wanted.nth < 0) wanted.nth = seen[wanted.target]++;
    const std::string id = wanted.nth == 0 ? "soft:" + wanted.target
                                           : fmt::format("soft:{}#{}", wanted.target, wanted.nth);
    const int ordinal = device_of(wanted.target.c_str(), wanted.nth);
    if (ordinal < 0)
      return std::unexpected(Failure(FailureKind::kNotAvailable, kOpen, id, error_of()));
    HW_TRY(auto device, runtime->device(Kind::kSoft, ordinal, ordinal, id));
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace hipwright::device
