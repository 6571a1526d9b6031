// SPDX-License-Identifier: MIT
#include "soft/hip/config.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "arch/processors.h"
#include "soft/decode/targets.h"

namespace hipwright::soft::hip {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Result<std::uint64_t> number(const char* name, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail(std::string("cannot use ") + name, text, "it is not a number");
  return value;
}

}  // namespace

Result<arch::Target> parse_device(const std::string& text) {
  HW_TRY(arch::Target target, arch::parse_target(text));
  if (target.is_generic())
    return fail("cannot use the target", text, "a generic target is not a device",
                "Name one of its members, for example " + std::string(target.info->gfx) + ".");
  if (!is_supported(target))
    return fail("cannot use the target", target.processor, "the software GPU does not support it",
                "Supported targets are " + supported_targets_text() + ".");
  // Bare names mean what such a device reports where it is installed.
  if (target.supports_sramecc() && !target.sramecc) target.sramecc = true;
  if (target.supports_xnack() && !target.xnack) target.xnack = false;
  return target;
}

Result<std::vector<arch::Target>> parse_devices(std::string_view text) {
  std::vector<arch::Target> devices;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    HW_TRY(arch::Target device, parse_device(std::string(text.substr(begin, end - begin))));
    devices.push_back(std::move(device));
    begin = end + 1;
  }
  return devices;
}

std::vector<int> visible_devices(std::string_view list, int count) {
  std::vector<int> visible;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view entry = list.substr(begin, end - begin);
    int number = 0;
    const auto [stop, error] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
    if (error != std::errc{} || number < 0 || number >= count ||
        entry != std::string_view(std::to_string(number)))
      break;
    static_cast<void>(stop);
    if (std::ranges::find(visible, number) == visible.end()) visible.push_back(number);
    begin = end + 1;
  }
  return visible;
}

namespace {

// ROCR_VISIBLE_DEVICES first, even if it is empty; of what it leaves, HIP_VISIBLE_DEVICES or, if
// that is empty, CUDA_VISIBLE_DEVICES.
Status hide_devices(Config& config) {
  const auto keep = [&](const char* name, const std::string& list) -> Status {
    if (config.targets.empty()) {
      HW_TRY(arch::Target only, parse_device(std::string(arch::kDefaultTarget)));
      config.targets.push_back(std::move(only));
    }
    std::vector<arch::Target> kept;
    for (const int each : visible_devices(list, static_cast<int>(config.targets.size())))
      kept.push_back(config.targets[static_cast<std::size_t>(each)]);
    config.targets = std::move(kept);
    if (config.targets.empty()) config.hidden_by = std::string(name) + "=" + list;
    return {};
  };
  if (const char* list = std::getenv("ROCR_VISIBLE_DEVICES"))
    HW_CHECK(keep("ROCR_VISIBLE_DEVICES", list));
  if (!config.hidden_by.empty()) return {};
  for (const char* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})
    if (const std::string list = variable(name); !list.empty()) return keep(name, list);
  return {};
}

}  // namespace

Result<Config> config_from_environment() {
  Config config;
  if (const std::string text = variable("HIPWRIGHT_SOFT_TARGET"); !text.empty()) {
    HW_TRY(config.targets, parse_devices(text));
  }
  HW_CHECK(hide_devices(config));
  if (const std::string text = variable("HIPWRIGHT_SOFT_SCHEDULE"); !text.empty()) {
    HW_TRY(config.schedule, parse_schedule(text));
  }
  if (const std::string text = variable("HIPWRIGHT_SOFT_THREADS"); !text.empty()) {
    HW_TRY(const std::uint64_t threads, number("HIPWRIGHT_SOFT_THREADS", text));
    config.schedule.threads = static_cast<unsigned>(threads);
  }
  if (const std::string text = variable("HIPWRIGHT_SOFT_STEP_LIMIT"); !text.empty()) {
    HW_TRY(config.step_limit, number("HIPWRIGHT_SOFT_STEP_LIMIT", text));
  }
  if (const std::string text = variable("HIPWRIGHT_SOFT_KERNELS"); !text.empty()) {
    if (text != "none")
      return fail("cannot use HIPWRIGHT_SOFT_KERNELS", text, "the only value is none");
    config.runs_kernels = false;
  }
  if (const std::string text = variable("HIPWRIGHT_SOFT_STATUS"); !text.empty()) {
    if (text != "1") return fail("cannot use HIPWRIGHT_SOFT_STATUS", text, "the only value is 1");
    config.fails_exit = true;
  }
  config.checks = every_check(false);
  if (const std::string text = variable("HIPWRIGHT_SOFT_CHECK"); !text.empty()) {
    HW_TRY(config.checks, parse_checks(text));
  }
  config.report = variable("HIPWRIGHT_SOFT_REPORT");
  if (const std::string text = variable("HIPWRIGHT_SOFT_COUNT"); !text.empty()) {
    if (text != "1") return fail("cannot use HIPWRIGHT_SOFT_COUNT", text, "the only value is 1");
    config.counts = true;
  }
  config.checks.report = config.counts || !config.report.empty();
  return config;
}

}  // namespace hipwright::soft::hip
