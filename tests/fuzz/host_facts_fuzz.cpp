// SPDX-License-Identifier: MIT
// Any bytes are facts or an error; what was read is checked, and read again the same. The same
// bytes are also an output of rocminfo.
#include <cstdint>

#include "base/json.h"
#include "ci/doctor/doctor.h"
#include "toolchain/gpu_detection.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto found = toolchain::detect_targets({.rocminfo = text, .hipconfig = text}))
    for (const arch::Target& target : found->targets) HW_ASSERT(!target.sramecc && !target.xnack);
  const auto facts = ci::read_facts(text, "facts");
  if (!facts) {
    HW_ASSERT(!facts.error().message().empty());
    return 0;
  }
  const std::string written = json_text(ci::facts_json(*facts));
  const auto again = ci::read_facts(written, "again");
  HW_ASSERT(again && json_text(ci::facts_json(*again)) == written);
  for (const ci::Profile& profile : ci::profiles())
    if (const auto examination = ci::examine(*facts, profile))
      HW_ASSERT(!ci::examination_text(*examination, *facts, profile, false).empty());
  return 0;
}
