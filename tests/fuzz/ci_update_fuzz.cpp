// SPDX-License-Identifier: MIT
// Updates of a workflow that people edited: what was updated once stays as it is the second time.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ci/init/init.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const ci::NewWorkflow workflow =
      ci::plan_workflows({.components = {{.kind = ci::Preset::kCpp}}},
                         {.targets = arch::parse_targets("gfx942,gfx1100").value()})
          .front();
  const auto once = ci::update_workflow(text, workflow, "rocm.yml");
  if (!once) {
    HW_ASSERT(!once.error().message().empty());
    return 0;
  }
  const auto twice = ci::update_workflow(once->text, workflow, "rocm.yml");
  HW_ASSERT(twice && twice->text == once->text);
  return 0;
}
