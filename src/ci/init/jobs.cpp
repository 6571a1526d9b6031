// SPDX-License-Identifier: MIT
// The jobs of a generated workflow. What is safe is the default: pinned actions, no credentials in
// checkouts, forks never on self-hosted runners, no event text in scripts, a limit for each job.
#include <algorithm>

#include <fmt/format.h>

#include "ci/init/init.h"

namespace hipwright::ci {

namespace {

constexpr Action kCheckout{"actions/checkout", "08c6903cd8c0fde910a37f88322edcfb5dd907a8",
                           "v5.0.0"};
constexpr Action kUpload{"actions/upload-artifact", "ea165f8d65b6e75b540449e92b4886f43607fa02",
                         "v4.6.2"};
constexpr Action kDownload{"actions/download-artifact", "634f93cb2916e3fdff6788551b99b062d0335ce0",
                           "v5.0.0"};
constexpr Action kPython{"actions/setup-python", "a26af69be951a213d495a4c3e4e4022e16d87065",
                         "v5.6.0"};

constexpr const char* kHosted = "ubuntu-24.04";
constexpr const char* kTrusted =
    "github.event_name != 'pull_request' || "
    "github.event.pull_request.head.repo.full_name == github.repository";

NewStep checkout() {
  return {.name = "Check out", .uses = &kCheckout, .with = {{"persist-credentials", "false"}}};
}

NewStep upload(std::string name, std::string path, bool always = false) {
  NewStep step{.name = always ? "Upload logs" : "Upload the build", .uses = &kUpload};
  if (always) step.condition = "always()";
  step.with = {{"name", std::move(name)},
               {"path", std::move(path)},
               {"if-no-files-found", always ? "ignore" : "error"}};
  return step;
}

NewStep download(std::string name, std::string path) {
  return {.name = "Download the build",
          .uses = &kDownload,
          .with = {{"name", std::move(name)}, {"path", std::move(path)}}};
}

NewStep install() {
  return {
      .name = "Install hipwright",
      .env = {{"HIPWRIGHT_URL", "${{ vars.HIPWRIGHT_URL }}"},
              {"HIPWRIGHT_SHA256", "${{ vars.HIPWRIGHT_SHA256 }}"}},
      .run =
          "if command -v hipwright >/dev/null; then exit 0; fi\n"
          "if [ -z \"$HIPWRIGHT_URL\" ] || [ -z \"$HIPWRIGHT_SHA256\" ]; then\n"
          "  echo \"::error::set the repository variables HIPWRIGHT_URL and HIPWRIGHT_SHA256\"\n"
          "  exit 1\n"
          "fi\n"
          "curl -fsSL --retry 3 -o \"$RUNNER_TEMP/hipwright.tar.gz\" \"$HIPWRIGHT_URL\"\n"
          "echo \"$HIPWRIGHT_SHA256  $RUNNER_TEMP/hipwright.tar.gz\" | sha256sum -c -\n"
          "mkdir -p \"$RUNNER_TEMP/hipwright\"\n"
          "tar -xzf \"$RUNNER_TEMP/hipwright.tar.gz\" -C \"$RUNNER_TEMP/hipwright\" "
          "--strip-components 1\n"
          "echo \"$RUNNER_TEMP/hipwright/bin\" >> \"$GITHUB_PATH\"\n"};
}

NewJob lint_job() {
  NewJob job{.id = "lint", .name = "Lint", .runs_on = kHosted, .timeout_minutes = 15};
  job.steps = {
      checkout(),
      install(),
      {.name = "Find ROCm bugs", .run = "hipwright lint --format github --min-confidence high\n"},
      {.name = "Check the workflows", .run = "hipwright ci check --format github\n"}};
  return job;
}

// Registers that spill make a kernel slow without failing a test.
constexpr const char* kSpillGate =
    "find build -type f \\( -perm -u+x -o -name '*.so' \\) ! -path '*/CMakeFiles/*' -print0 |\n"
    "  xargs -0 -r hipwright inspect --json > kernels.json || true # files without GPU code\n"
    "python3 - <<'PY'\n"
    "import json, os\n"
    "with open('kernels.json') as file:\n"
    "    files = json.load(file)['files']\n"
    "kernels = [kernel for file in files for image in file.get('images', []) "
    "for kernel in image.get('kernels', [])]\n"
    "spilling = [kernel for kernel in kernels if kernel['vgpr_spills'] > 0]\n"
    "for kernel in spilling:\n"
    "    print(f\"{kernel['target']} {kernel['name']}: {kernel['vgpr_spills']} VGPRs spill\")\n"
    "print(f'{len(kernels)} kernels, {len(spilling)} with spilled registers')\n"
    "if not kernels:\n"
    "    raise SystemExit('the build contains no kernels')\n"
    "if len(spilling) > int(os.environ['SPILL_LIMIT']):\n"
    "    raise SystemExit('more kernels spill registers than SPILL_LIMIT allows')\n"
    "PY\n";

NewJob compile_job(const std::vector<std::string>& gfx) {
  NewJob job{.id = "compile",
             .name = "Compile for ${{ matrix.gfx }}",
             .runs_on = kHosted,
             .timeout_minutes = 45,
             .matrix_values = gfx};
  job.env = {{"GFX", "${{ matrix.gfx }}"}};
  job.steps = {checkout(),
               install(),
               {.name = "Configure",
                .run = "rocm=$(hipwright sdk path)\n"
                       "export ROCM_PATH=$rocm PATH=$rocm/bin:$PATH\n"
                       "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release "
                       "-DCMAKE_PREFIX_PATH=\"$rocm\" \\\n"
                       "  -DCMAKE_HIP_ARCHITECTURES=\"$GFX\" -DGPU_TARGETS=\"$GFX\"\n"},
               {.name = "Build",
                .run = "rocm=$(hipwright sdk path)\n"
                       "export ROCM_PATH=$rocm PATH=$rocm/bin:$PATH\n"
                       "cmake --build build --parallel\n"},
               {.name = "Check registers",
                .env = {{"SPILL_LIMIT", "${{ vars.SPILL_LIMIT || '0' }}"}},
                .run = kSpillGate},
               {.name = "Pack the build", .run = "tar -czf build.tar.gz build\n"},
               upload("build-${{ matrix.gfx }}", "build.tar.gz")};
  return job;
}

NewJob software_job(const std::vector<std::string>& gfx) {
  NewJob job{.id = "software-gpu",
             .name = "Test on a software GPU (${{ matrix.gfx }})",
             .needs = {"compile"},
             .runs_on = kHosted,
             .timeout_minutes = 45,
             .matrix_values = gfx};
  job.env = {{"GFX", "${{ matrix.gfx }}"}};
  job.steps = {checkout(),
               install(),
               download("build-${{ matrix.gfx }}", "."),
               {.name = "Run the tests",
                .run = "tar -xzf build.tar.gz\n"
                       "mkdir -p logs\n"
                       "hipwright run --device \"soft:$GFX\" -- ctest --test-dir build "
                       "--no-tests=error --output-on-failure \\\n"
                       "  --output-junit \"$PWD/logs/software-$GFX.xml\"\n"},
               upload("logs-software-${{ matrix.gfx }}", "logs", true)};
  return job;
}

NewStep doctor(const char* profile) {
  return {.name = "Check the runner",
          .run = fmt::format("if command -v hipwright >/dev/null; then\n"
                             "  hipwright doctor --profile {} --no-network || [ $? = 3 ]\n"
                             "else\n"
                             "  rocminfo | grep -E '^  (Name|Marketing Name):'\n"
                             "fi\n",
                             profile)};
}

NewStep diagnostics() {
  return {.name = "Collect diagnostics",
          .condition = "failure()",
          .run =
              "mkdir -p logs\n"
              "timeout 20 dmesg 2>/dev/null | grep -iE 'amdgpu|kfd|oom' | tail -100 > "
              "logs/kernel.txt || true\n"
              "timeout 20 rocminfo > logs/rocminfo.txt 2>&1 || true\n"
              "ls -l /dev/kfd /dev/dri > logs/devices.txt 2>&1 || true\n"};
}

NewJob gpu_job(const std::string& gfx) {
  NewJob job{.id = "gpu-linux",
             .name = "Test on a GPU (Linux)",
             .needs = {"compile"},
             .condition = kTrusted,
             .runs_on = "[self-hosted, Linux, ROCm]",
             .timeout_minutes = 30};
  job.env = {{"ROCM_PATH", "${{ vars.ROCM_PATH || '/opt/rocm' }}"},
             {"GFX", fmt::format("${{{{ vars.GPU_RUNNER_GFX || '{}' }}}}", gfx)}};
  job.steps = {checkout(),
               doctor("linux-runner"),
               download(fmt::format("build-${{{{ vars.GPU_RUNNER_GFX || '{}' }}}}", gfx), "."),
               {.name = "Run the tests",
                .run = "tar -xzf build.tar.gz\n"
                       "mkdir -p logs\n"
                       "export LD_LIBRARY_PATH=\"$ROCM_PATH/lib:${LD_LIBRARY_PATH:-}\"\n"
                       "echo \"repeat with: ctest --test-dir build --output-on-failure\"\n"
                       "ctest --test-dir build --no-tests=error --output-on-failure "
                       "--output-junit \"$PWD/logs/gpu.xml\"\n"},
               diagnostics(),
               upload("logs-gpu-linux", "logs", true)};
  return job;
}

NewJob python_test_job(bool torch) {
  NewJob job{.id = "test", .name = "Test without a GPU", .runs_on = kHosted, .timeout_minutes = 30};
  job.steps = {checkout(),
               {.name = "Set up Python", .uses = &kPython, .with = {{"python-version", "3.11"}}},
               {.name = "Install the project",
                .run = std::string("python -m pip install --upgrade pip pytest\n") +
                       (torch ? "python -m pip install torch --index-url "
                                "https://download.pytorch.org/whl/cpu\n"
                              : "") +
                       "python -m pip install -e .\n"},
               {.name = "Run the tests",
                .run = "mkdir -p logs\npython -m pytest -m 'not gpu' --junitxml logs/tests.xml\n"},
               upload("logs-test", "logs", true)};
  return job;
}

NewJob python_gpu_job() {
  NewJob job{.id = "gpu-linux",
             .name = "Test on a GPU (Linux)",
             .condition = kTrusted,
             .runs_on = "[self-hosted, Linux, ROCm]",
             .timeout_minutes = 60};
  job.env = {
      {"ROCM_PATH", "${{ vars.ROCM_PATH || '/opt/rocm' }}"},
      {"PYTORCH_ROCM_ARCH", "${{ vars.PYTORCH_ROCM_ARCH }}"},
      {"TORCH_INDEX", "${{ vars.TORCH_INDEX || 'https://download.pytorch.org/whl/rocm6.4' }}"}};
  job.steps = {
      checkout(),
      doctor("linux-runner"),
      {.name = "Install the project",
       .run = "python3 -m venv .venv\n"
              ".venv/bin/python -m pip install --upgrade pip pytest\n"
              ".venv/bin/python -m pip install torch --index-url \"$TORCH_INDEX\"\n"
              ".venv/bin/python -m pip install --no-build-isolation -e .\n"},
      {.name = "Validate HIP",
       .run = ".venv/bin/python - <<'PY'\n"
              "import torch\n"
              "assert torch.version.hip, f'PyTorch {torch.__version__} is not a ROCm build'\n"
              "assert torch.cuda.is_available(), 'no GPU is visible to PyTorch'\n"
              "print(torch.version.hip, torch.cuda.get_device_name(0))\n"
              "PY\n"},
      {.name = "Run the tests",
       .run = "mkdir -p logs\n"
              "# Exit code 5: no test was selected, which is a failure, too.\n"
              ".venv/bin/python -m pytest -m gpu --junitxml logs/gpu.xml\n"},
      diagnostics(),
      upload("logs-gpu-linux", "logs", true)};
  return job;
}

NewJob summary_job(const std::vector<NewJob>& jobs) {
  NewJob job{.id = "summary",
             .name = "Summary",
             .condition = "always()",
             .runs_on = kHosted,
             .timeout_minutes = 5};
  for (const NewJob& each : jobs) job.needs.push_back(each.id);
  job.steps = {{.name = "Fail if a job failed",
                .env = {{"RESULTS", "${{ toJSON(needs) }}"}},
                .run = "python3 - <<'PY'\n"
                       "import json, os\n"
                       "results = {name: job['result'] for name, job in "
                       "json.loads(os.environ['RESULTS']).items()}\n"
                       "with open(os.environ['GITHUB_STEP_SUMMARY'], 'a') as summary:\n"
                       "    for name, result in results.items():\n"
                       "        print(f'- {name}: {result}', file=summary)\n"
                       "failed = [name for name, result in results.items() if result not in "
                       "('success', 'skipped')]\n"
                       "raise SystemExit('failed: ' + ', '.join(failed) if failed else 0)\n"
                       "PY\n"}};
  return job;
}

// The first target of each wave size: the software GPU runs both.
std::vector<std::string> one_of_each_wave(const std::vector<arch::Target>& targets) {
  std::vector<std::string> chosen;
  std::vector<unsigned> sizes;
  for (const arch::Target& target : targets) {
    const unsigned size = target.info->default_wave_size();
    if (std::ranges::find(sizes, size) != sizes.end()) continue;
    sizes.push_back(size);
    chosen.push_back(target.id());
  }
  return chosen;
}

}  // namespace

NewWorkflow plan_workflow(const Repository& repository, const InitOptions& options) {
  NewWorkflow workflow{.name = "rocm"};
  workflow.head = fmt::format(
      "# Preset {}. Edit freely: `hipwright ci update` keeps parts that were edited by hand.\n"
      "on:\n  push:\n    branches: [{}]\n  pull_request:\n  workflow_dispatch:\n",
      to_string(repository.preset), repository.default_branch);
  std::vector<std::string> gfx;
  for (const arch::Target& target : options.targets) gfx.push_back(target.id());
  workflow.jobs.push_back(lint_job());
  if (repository.preset == Preset::kCpp) {
    const std::vector<std::string> run = one_of_each_wave(options.targets);
    workflow.jobs.push_back(compile_job(gfx));
    if (repository.has_ctest) {
      workflow.jobs.push_back(software_job(run));
      if (options.gpu_runners) workflow.jobs.push_back(gpu_job(run.front()));
    }
  } else {
    if (repository.has_pytest)
      workflow.jobs.push_back(python_test_job(repository.preset == Preset::kTorchExtension));
    if (options.gpu_runners && repository.has_pytest) workflow.jobs.push_back(python_gpu_job());
  }
  workflow.jobs.push_back(summary_job(workflow.jobs));
  return workflow;
}

}  // namespace hipwright::ci
