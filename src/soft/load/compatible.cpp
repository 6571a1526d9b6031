// SPDX-License-Identifier: MIT
#include "soft/load/compatible.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "arch/names.h"
#include "soft/decode/targets.h"

namespace hipwright::soft {

namespace {

bool same_processor(const arch::Target& code, const arch::Target& device) {
  if (code.processor == device.processor) return true;
  const arch::Generic* group = arch::find_generic(code.processor);
  return group && std::find(group->members.begin(), group->members.end(), device.processor) !=
                      group->members.end();
}

bool same_setting(std::optional<bool> code, std::optional<bool> device) {
  return !code || !device || *code == *device;
}

}  // namespace

bool is_loadable(const arch::Target& code, const arch::Target& device) {
  return same_processor(code, device) && same_setting(code.xnack, device.xnack) &&
         same_setting(code.sramecc, device.sramecc);
}

Status check_loadable(const arch::Target& code, std::string_view device,
                      const std::string& origin) {
  HW_TRY(const arch::Target target, arch::parse_target(device));
  if (!isa_of(target.processor))
    return fail("cannot load the code object", origin,
                fmt::format("the software GPU does not support {}", target.id()),
                "supported targets are " + supported_targets_text());
  if (is_loadable(code, target)) return {};
  return fail("cannot load the code object", origin,
              fmt::format("it is for {}, but the device is {}", code.id(), target.id()),
              fmt::format("compile it with --offload-arch={}", target.processor));
}

}  // namespace hipwright::soft
