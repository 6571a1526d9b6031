// SPDX-License-Identifier: MIT
// Container without the GPU devices.
//
// ## What it finds
//
// A container job on a GPU runner, or `docker run` of a ROCm image, without `/dev/kfd`.
//
// ## Why it matters
//
// The container sees no GPU: `rocminfo` fails, PyTorch falls back to the CPU, and tests that skip
// without a GPU are green.
//
// ## Example
//
// ```yaml
// container:
//   image: rocm/pytorch@sha256:…
// ```
//
// ## Use instead
//
// ```yaml
// container:
//   image: rocm/pytorch@sha256:…
//   options: --device=/dev/kfd --device=/dev/dri --group-add 109 --ipc=host
// ```
//
// ## When it is not a bug
//
// - A container that only compiles: run it on a hosted runner, or suppress it with that reason.
#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

bool is_gpu_label(std::string_view label) {
  const std::string word = lowered(label);
  return has_any(word, {"rocm", "gpu", "gfx", "mi2", "mi3", "amd"});
}

void find(WorkflowCheck& check) {
  const File& file = check.file;
  for (const Job& job : file.jobs()) {
    bool on_gpu = false;
    if (file.is_self_hosted(job))
      for (const Node* label : file.labels(job)) on_gpu |= is_gpu_label(label->value);
    const Node* options = file.get(job.container, "options");
    if (on_gpu && job.container != nullptr &&
        (options == nullptr || !has_any(options->value, {"/dev/kfd", "--privileged", "${{"})))
      report(check, *job.container, Confidence::kMedium,
             "the container gets no GPU: add options: --device=/dev/kfd --device=/dev/dri "
             "--group-add GID");
    for (const Step& step : job.steps) {
      if (step.run == nullptr) continue;
      const std::size_t at = step.run->value.find("docker run");
      if (on_gpu && at != std::string::npos && contains_word(step.run->value, "rocm") &&
          !has_any(step.run->value, {"/dev/kfd", "--privileged", "docker_args", "DOCKER_ARGS"}))
        check.report(source_span(*step.run, {at, at + 10}), Confidence::kMedium,
                     "the container gets no GPU: add --device=/dev/kfd --device=/dev/dri");
    }
  }
}

}  // namespace

Rule container_without_gpu() {
  return {.code = "HC402",
          .name = "container-without-gpu",
          .summary = "container without the GPU devices",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
