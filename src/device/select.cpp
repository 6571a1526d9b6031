// SPDX-License-Identifier: MIT
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "arch/target.h"
#include "device/device.h"

namespace hipwright::device {

namespace {

constexpr const char* kSelectors = "auto, hip[:N], cuda[:N], soft:TARGET[,TARGET…], cpu";

std::unexpected<Failure> bad_selector(std::string_view text, std::string why) {
  return std::unexpected(Failure(FailureKind::kConfiguration, "cannot choose the device",
                                 fmt::format("'{}'", text), std::move(why),
                                 fmt::format("Device selectors: {}.", kSelectors)));
}

std::optional<int> number(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

using Devices = std::vector<std::shared_ptr<Device>>;

Outcome<Devices> open_kind(Kind kind, const Selector& selector) {
  switch (kind) {
    case Kind::kHip:
      return open_hip();
    case Kind::kCuda:
      return open_cuda();
    case Kind::kSoft:
      return open_soft(selector.targets);
    case Kind::kCpu:
      return open_cpu();
  }
  bug("a device without a kind", __FILE__, __LINE__);
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::kHip:
      return "hip";
    case Kind::kCuda:
      return "cuda";
    case Kind::kSoft:
      return "soft";
    case Kind::kCpu:
      return "cpu";
  }
  bug("a device without a kind", __FILE__, __LINE__);
}

Outcome<Selector> parse_selector(std::string_view text) {
  Selector selector{.text = std::string(text)};
  if (text == "auto") return selector;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool has_rest = colon != std::string_view::npos;
  const std::string_view rest = has_rest ? text.substr(colon + 1) : std::string_view();

  if (name == "soft") {
    selector.kind = Kind::kSoft;
    if (rest.empty()) return bad_selector(text, "missing target of the software GPU");
    for (std::size_t begin = 0; begin <= rest.size();) {
      const std::size_t end = std::min(rest.find(',', begin), rest.size());
      // "gfx942#1": the second device with that target.
      const std::string_view one = rest.substr(begin, end - begin);
      const std::size_t mark = std::min(one.find('#'), one.size());
      const auto target = arch::parse_target(one.substr(0, mark));
      if (!target) return bad_selector(text, target.error().message());
      if (mark < one.size() && !number(one.substr(mark + 1)))
        return bad_selector(text, fmt::format("'{}' is not a device number", one.substr(mark + 1)));
      selector.targets.push_back(target->id() + std::string(one.substr(mark)));
      begin = end + 1;
    }
    return selector;
  }
  if (name == "cpu" && !has_rest) {
    selector.kind = Kind::kCpu;
    return selector;
  }
  if (name != "hip" && name != "cuda") return bad_selector(text, "unknown kind of device");
  selector.kind = name == "hip" ? Kind::kHip : Kind::kCuda;
  if (!has_rest) return selector;
  const auto index = number(rest);
  if (!index) return bad_selector(text, fmt::format("'{}' is not a device number", rest));
  selector.index = *index;
  return selector;
}

Outcome<Selector> selector_from_environment() {
  const char* text = std::getenv("HIPWRIGHT_DEVICE");
  auto selector = parse_selector(text != nullptr && *text != '\0' ? text : "auto");
  if (!selector) selector.error().call = "HIPWRIGHT_DEVICE: " + selector.error().call;
  return selector;
}

Outcome<Devices> open_all(const Selector& selector) {
  if (!selector.kind) {
    for (const Kind kind : {Kind::kHip, Kind::kCuda})
      if (auto devices = open_kind(kind, selector); devices) return devices;
    return open_cpu();
  }
  HW_TRY(Devices devices, open_kind(*selector.kind, selector));
  if (selector.index >= static_cast<int>(devices.size()))
    return std::unexpected(Failure(
        FailureKind::kDevice, "cannot choose the device", fmt::format("'{}'", selector.text),
        fmt::format("there {} {} {} device{}", devices.size() == 1 ? "is" : "are", devices.size(),
                    to_string(*selector.kind), devices.size() == 1 ? "" : "s"),
        "`hipwright devices` lists them."));
  return devices;
}

}  // namespace hipwright::device
