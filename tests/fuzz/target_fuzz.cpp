// SPDX-License-Identifier: MIT
// Any bytes are a target or an error; what was understood is understood again from its id.
#include <algorithm>
#include <cstdint>

#include "arch/target.h"

using namespace hipwright;

namespace {

void check(const arch::Target& target) {
  HW_ASSERT(target.info != nullptr && !arch::members(target).empty());
  HW_ASSERT(!target.sramecc || target.supports_sramecc());
  HW_ASSERT(!target.xnack || target.supports_xnack());
  const auto again = arch::parse_target(target.id());
  HW_ASSERT(again && *again == target);
}

void check(const Error& error) {
  const std::string message = error.message();
  HW_ASSERT(!error.what.empty() && !error.why.empty() && message.size() < 1000);
  HW_ASSERT(std::ranges::none_of(message, [](unsigned char c) { return c < 0x20; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto target = arch::parse_target(text)) {
    check(*target);
  } else {
    check(target.error());
  }
  const auto targets = arch::parse_targets(text);
  if (!targets) {
    check(targets.error());
    return 0;
  }
  std::string joined;
  for (const arch::Target& target : *targets) {
    check(target);
    HW_ASSERT(std::ranges::count(*targets, target) == 1);
    joined += target.id() + ",";
  }
  HW_ASSERT(!targets->empty());
  HW_ASSERT(arch::parse_targets(joined).value() == *targets);
  return 0;
}
