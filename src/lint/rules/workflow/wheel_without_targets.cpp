// SPDX-License-Identifier: MIT
// ROCm wheel built without a list of targets.
//
// ## What it finds
//
// A job for ROCm that builds a wheel while no variable or flag of the file names the targets.
//
// ## Why it matters
//
// The build takes the targets of the machine's GPU, or a default: the wheel works on the runner,
// and fails with `hipErrorNoBinaryForGpu` elsewhere.
//
// ## Example
//
// ```yaml
// - run: python -m build --wheel
// ```
//
// ## Use instead
//
// ```yaml
// - env:
//     PYTORCH_ROCM_ARCH: gfx90a;gfx942;gfx1100;gfx1201
//   run: python -m build --wheel
// ```
//
// ## When it is not a bug
//
// - The list is in setup.py or pyproject.toml: suppress it with that reason.
#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

bool names_targets(std::string_view text) {
  return has_any(text, {"ROCM_ARCH", "HIP_ARCH", "GPU_TARGETS", "AMDGPU_TARGETS", "offload-arch",
                        "HIP_ARCHITECTURES", "gfx9", "gfx1", "ci arches"});
}

bool is_for_rocm(const File& file, const Job& job) {
  if (contains_word(job.name, "rocm") || contains_word(job.name, "hip")) return true;
  for (const Node* label : file.labels(job))
    if (contains_word(label->value, "rocm")) return true;
  for (const Step& step : job.steps)
    if (step.run != nullptr && has_any(step.run->value, {"hipcc", "whl/rocm", "/opt/rocm"}))
      return true;
  return false;
}

void find(WorkflowCheck& check) {
  for (const Node& node : check.file.yaml().nodes())
    if (names_targets(node.value)) return;
  for (const Job& job : check.file.jobs()) {
    if (!is_for_rocm(check.file, job)) continue;
    for (const Step& step : job.steps) {
      if (step.run == nullptr) continue;
      for (const std::string_view build :
           {"-m build", "bdist_wheel", "pip wheel", "cibuildwheel"}) {
        const std::size_t at = step.run->value.find(build);
        if (at == std::string::npos) continue;
        check.report(
            source_span(*step.run, {at, at + build.size()}), Confidence::kMedium,
            "no variable or flag names the targets of this wheel: set PYTORCH_ROCM_ARCH or "
            "HIPWRIGHT_HIP_ARCHES");
        break;
      }
    }
  }
}

}  // namespace

Rule wheel_without_targets() {
  return {.code = "HC404",
          .name = "wheel-without-targets",
          .summary = "ROCm wheel built without a list of targets",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
