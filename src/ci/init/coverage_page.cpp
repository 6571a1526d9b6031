// SPDX-License-Identifier: MIT
#include "ci/init/coverage_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "ci/arches/arches.h"
#include "ci/init/steps.h"

namespace hipwright::ci {

namespace {

struct Variable {
  const char *name, *meaning;
  bool (*wanted)(const Repository&, const InitOptions&);
};

bool always(const Repository&, const InitOptions&) {
  return true;
}
bool with_windows(const Repository&, const InitOptions& options) {
  return options.windows;
}
bool with_gpu(const Repository&, const InitOptions& options) {
  return options.gpu_runners;
}
bool with_wheels(const Repository& repository, const InitOptions&) {
  return std::ranges::any_of(repository.components,
                             [](const Component& each) { return each.kind != Preset::kCpp; });
}
bool with_torch(const Repository& repository, const InitOptions&) {
  return std::ranges::any_of(repository.components, &Component::uses_torch);
}
bool with_extension(const Repository& repository, const InitOptions&) {
  return std::ranges::any_of(repository.components, [](const Component& each) {
    return each.kind == Preset::kTorchExtension;
  });
}

constexpr Variable kVariables[] = {
    {"HIPWRIGHT_URL", "where to download hipwright's tarball", always},
    {"HIPWRIGHT_SHA256", "its digest", always},
    {"HIPWRIGHT_HIP_ARCHES", "targets to compile for, instead of those in the table above", always},
    {"SPILL_LIMIT", "kernels that may spill registers (0)", always},
    {"ROCM_PATH", "ROCm on self-hosted Linux runners (/opt/rocm)", with_gpu},
    {"ROCM_PATH_HOSTED",
     "ROCM_PATH on hosted Linux runners (hipwright's SDK; for wheels AMD's "
     "packages)",
     always},
    {"ROCM_EXTRA_LIB_DIRS", "further library directories, separated by colons", always},
    {"ROCM_EXTRA_BIN_DIRS", "further program directories, separated by colons", always},
    {"ROCM_PATH_WINDOWS", "the HIP SDK on self-hosted Windows runners (the newest one)",
     with_windows},
    {"ROCM_EXTRA_LIB_DIRS_WINDOWS", "as above, separated by semicolons", with_windows},
    {"ROCM_EXTRA_BIN_DIRS_WINDOWS", "as above, separated by semicolons", with_windows},
    {"ROCM_PATH_WINDOWS_HOSTED",
     "the HIP SDK on hosted Windows runners (installed from HIP_SDK_URL)", with_windows},
    {"HIP_SDK_URL", "installer of the HIP SDK for hosted Windows runners", with_windows},
    {"GPU_RUNNER_GFX", "target of the self-hosted Linux runners", with_gpu},
    {"GPU_RUNNER_GFX_WINDOWS", "target of the self-hosted Windows runners",
     [](const Repository& repository, const InitOptions& options) {
       return with_gpu(repository, options) && with_windows(repository, options);
     }},
    {"ROCM_VERSION", "ROCm release to build wheels with (6.4.3)", with_extension},
    {"TORCH", "PyTorch to install (torch), for example torch==2.8.0", with_torch},
    {"TORCH_INDEX",
     "index of PyTorch for ROCm; its release must be ROCM_VERSION's, and the "
     "driver of the GPU runners must support it",
     with_torch},
    {"TORCH_INDEX_WINDOWS", "the same for Windows", with_torch},
    {"TORCH_INDEX_CPU", "index of PyTorch without GPU", with_torch},
    {"HIP_TESTS", "pytest's selection of tests for GPUs (gpu)", with_wheels},
    {"EXPECTED_FEATURES", "what the built package must say of itself: package.attribute=value …",
     with_wheels},
    {"PACKAGE_INDEX_URL", "index to upload released wheels to; empty: no upload", with_wheels},
    {"PACKAGE_INDEX_USER",
     "its user (__token__); the token is the secret PACKAGE_INDEX_TOKEN of "
     "the environment package-index",
     with_wheels},
};

std::string coverage(const Repository& repository, const InitOptions& options) {
  const bool compiles = std::ranges::any_of(
      repository.components, [](const Component& each) { return each.kind != Preset::kPython; });
  const bool runs_software = std::ranges::any_of(repository.components, [](const Component& each) {
    return each.kind == Preset::kCpp && each.has_ctest;
  });
  if (!compiles) return "The code has no targets of its own; the GPUs of the runners count.\n";
  std::string text =
      "| target | wave | Linux | Windows | software GPU | GPU (Linux) | GPU (Windows) |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  std::vector<unsigned> sizes;
  for (const arch::Target& target : options.targets) {
    const unsigned size = target.info->default_wave_size();
    const bool is_first = std::ranges::find(sizes, size) == sizes.end();
    if (is_first) sizes.push_back(size);
    const bool on_windows = options.windows && is_on_windows(target);
    text += fmt::format("| {} ({}) | {} | compiled | {} | {} | {} | {} |\n", target.id(),
                        target.info->architecture.value, size, on_windows ? "compiled" : "-",
                        runs_software && is_first ? "tested" : "-",
                        options.gpu_runners ? "if a runner has it" : "-",
                        options.gpu_runners && on_windows ? "if a runner has it" : "-");
  }
  return text;
}

}  // namespace

std::string coverage_page(const Repository& repository, const InitOptions& options) {
  std::string text =
      "# CI for ROCm\n\nWritten by `hipwright ci init`; `hipwright ci update` brings this page up "
      "to date unless it was edited.\n\n## What is covered\n\n" +
      coverage(repository, options) +
      "\nBefore a release, look at the summary of the last run: a job that was skipped covered "
      "nothing.\n";
  if (options.gpu_runners) {
    text +=
        "\n## Runners\n\nThe GPUs attached to each runner; fill it in, so that whoever releases "
        "sees which hardware was tested.\n\n"
        "| runner | labels | GPUs | target | ROCm or driver |\n| --- | --- | --- | --- | --- |\n"
        "| | self-hosted, Linux, ROCm | | | |\n";
    if (options.windows) text += "| | self-hosted, Windows, ROCm | | | |\n";
    text += fmt::format(
        "\nSet up a Linux runner with `sudo {0}/setup-runner.sh --user USER`{1}; `--check` only "
        "says what would change. Register runners with `--ephemeral`.\n",
        kScripts,
        options.windows ? fmt::format(", a Windows runner with `{}/setup-runner.ps1`", kScripts)
                        : "");
  }
  text += "\n## Repository variables\n\n| variable | meaning (default) |\n| --- | --- |\n";
  for (const Variable& each : kVariables)
    if (each.wanted(repository, options))
      text += fmt::format("| `{}` | {} |\n", each.name, each.meaning);
  text +=
      "\nPull requests of forks may not see repository variables: `hipwright ci init --url URL "
      "--sha256 DIGEST` writes where hipwright is into the workflows.\n"
      "\n## Baselines\n\nThe perf jobs compare with `.github/rocm/baselines/NAME.json`. Until "
      "there is one they warn, and upload the record to commit. A changed compiler or machine "
      "makes them fail as not comparable: look at the new record, and commit it.\n";
  if (options.gpu_runners)
    text += fmt::format(
        "\nProfiles are measured for the programs listed in `{}/benchmarks*.txt`; an empty list "
        "skips those jobs.\n",
        kScripts);
  return text;
}

}  // namespace hipwright::ci
