// SPDX-License-Identifier: MIT
// --warp native: a warp becomes the wave of the target where every use of its size is understood.
#include "port/pass.h"
#include "port/source/context.h"
#include "port/wave/whole_wave.h"

namespace hipwright::port::passes {

namespace {

void apply(SourceContext& context) {
  const Waves::Decision* decision =
      context.waves == nullptr ? nullptr : context.waves->of(context.source);
  if (decision == nullptr || !decision->is_native) return;
  if (context.amd.lanes_beside(context.source) != nullptr) return;  // half_waves reports it
  for (const TextEdit& edit : decision->edits) {
    context.needs.compat = true;
    context.change(edit.span, edit.replacement, "HP303", "a warp is a wave of the target");
  }
  if (looks_at_other_lanes(context.file)) context.needs.compat = true;
}

}  // namespace

Pass whole_waves() {
  return {.codes = {"HP303"}, .after = {"project_rules"}, .before = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
