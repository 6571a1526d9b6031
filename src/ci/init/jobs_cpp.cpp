// SPDX-License-Identifier: MIT
// Jobs of a component that CMake builds. Hosted runners compile; machines with GPUs run what was
// compiled there.
#include <fmt/format.h>

#include "ci/init/jobs.h"

namespace hipwright::ci {

namespace {

constexpr const char* kGfx = "${{ matrix.gfx }}";

// A release publishes the artifacts whose names begin with "asset-".
std::string build_name(const JobRequest& request, std::string_view system, std::string_view gfx) {
  return fmt::format("{}{}-{}-{}", request.is_release ? "asset-" : "", request.id("build"), system,
                     gfx);
}

NewJob matrix_job(const JobRequest& request, std::string_view id, std::string_view title,
                  const char* runs_on, unsigned minutes, std::string_view list) {
  NewJob job = request.job(id, title, runs_on, minutes);
  job.gfx = fmt::format("${{{{ fromJSON(needs.configure.outputs.{}) }}}}", list);
  job.env = {{"GFX", kGfx}};
  return job;
}

std::string archive(const JobRequest& request) {
  return request.id("build") + "-$GFX.tar.gz";
}

NewStep unpack(const JobRequest& request) {
  return {.name = "Unpack the build",
          .run = fmt::format("tar -xzf \"{}\"\n", archive(request)) +
                 script("relocate-tests.py", "build")};
}

// `device`: of the software GPU; empty: the machine's own.
std::string ctest(const std::string& device, std::string_view junit) {
  const auto run = [&](std::string_view quote) {
    return device.empty() ? std::string()
                          : fmt::format("hipwright run --device {0}{1}{0} -- ", quote, device);
  };
  return fmt::format(
      "mkdir -p logs\n"
      "echo \"repeat with: {}ctest --test-dir build --output-on-failure\"\n"
      "{}ctest --test-dir build --no-tests=error --output-on-failure \\\n"
      "  --output-junit \"$PWD/logs/{}\" 2>&1 | tee logs/ctest.log\n",
      run(""), run("\""), junit);
}

}  // namespace

NewJob compile_job(const JobRequest& request) {
  NewJob job =
      matrix_job(request, "compile", "Compile for ${{ matrix.gfx }}", kLinux, 60, "targets");
  job.steps = {checkout(), install(), use_rocm("sdk")};
  // A release compiles everything itself.
  if (!request.is_release) {
    job.steps.push_back(
        {.name = "Prepare the machine", .run = script("hosted-runner.sh", "ccache")});
    job.steps.push_back(cache("Restore ccache", "~/.cache/ccache",
                              fmt::format("ccache-{}-{}", request.id("linux"), kGfx)));
  }
  job.steps.insert(
      job.steps.end(),
      {{.name = "Configure",
        .run = "if command -v ccache >/dev/null; then\n"
               "  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache "
               "CMAKE_HIP_COMPILER_LAUNCHER=ccache\n"
               "fi\n"
               "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=\"$ROCM_PATH\" "
               "\\\n"
               "  -DCMAKE_HIP_ARCHITECTURES=\"$GFX\" -DGPU_TARGETS=\"$GFX\" "
               "-DCMAKE_BUILD_RPATH_USE_ORIGIN=ON\n"},
       {.name = "Build", .run = "cmake --build build --parallel\n"},
       {.name = "Check registers",
        .env = {{"SPILL_LIMIT", "${{ vars.SPILL_LIMIT || '0' }}"}},
        .run = "# Files without kernels are errors to inspect; spills.py fails if there is no "
               "kernel.\n"
               "find build -type f \\( -perm -u+x -o -name '*.so' -o -name '*.a' \\) ! -path "
               "'*/CMakeFiles/*' -print0 |\n"
               "  xargs -0 -r hipwright inspect --json > kernels.json || true\n" +
               script("spills.py", "kernels.json")},
       {.name = "Pack the build",
        .run = fmt::format("tar -czf \"{}\" --exclude='*.o' build\n", archive(request))},
       upload("Upload the build", build_name(request, "linux", kGfx),
              request.path(request.id("build") + "-${{ matrix.gfx }}.tar.gz"))});
  return job;
}

// The compiler's own remarks: hipwright does not run on Windows.
NewJob compile_windows_job(const JobRequest& request) {
  NewJob job = matrix_job(request, "compile-windows", "Compile for ${{ matrix.gfx }} on Windows",
                          kWindows, 90, "windows");
  job.condition = request.condition(false, "needs.configure.outputs.windows != '[]'");
  job.steps = {checkout(),
               {.name = "Prepare the machine", .run = windows_script("hosted-runner.ps1")}};
  if (!request.is_release)
    job.steps.push_back({.name = "Restore the HIP SDK",
                         .uses = cache("", "", "").uses,
                         .with = {{"path", "C:\\Program Files\\AMD\\ROCm"},
                                  {"key", "hip-sdk-${{ vars.HIP_SDK_URL || '25.Q3' }}"}}});
  job.steps.insert(
      job.steps.end(),
      {use_rocm_on_windows("sdk"),
       {.name = "Configure",
        .env = {{"CXXFLAGS", "-Rpass-analysis=kernel-resource-usage"},
                {"HIPFLAGS", "-Rpass-analysis=kernel-resource-usage"}},
        .run = "cmake -S . -B build -G Ninja \"-DCMAKE_BUILD_TYPE=Release\" "
               "\"-DCMAKE_PREFIX_PATH=$env:HIP_PATH\" `\n"
               "  \"-DCMAKE_C_COMPILER=$env:HIP_PATH/bin/clang.exe\" "
               "\"-DCMAKE_CXX_COMPILER=$env:HIP_PATH/bin/clang++.exe\" `\n"
               "  \"-DCMAKE_HIP_ARCHITECTURES=$env:GFX\" \"-DGPU_TARGETS=$env:GFX\"\n"},
       {.name = "Build",
        .run = "cmake --build build --parallel 2>&1 | Tee-Object build.log\n"
               "if ($LASTEXITCODE) { exit $LASTEXITCODE }\n"},
       {.name = "Check registers",
        .env = {{"SPILL_LIMIT", "${{ vars.SPILL_LIMIT || '0' }}"}},
        .run = windows_script("spills.py", "build.log")},
       {.name = "Pack the build",
        .run = fmt::format("Compress-Archive -Path build -DestinationPath "
                           "\"{}-windows-$env:GFX.zip\"\n",
                           request.id("build"))},
       upload("Upload the build", build_name(request, "windows", kGfx),
              request.path(request.id("build") + "-windows-${{ matrix.gfx }}.zip"))});
  return job;
}

NewJob software_job(const JobRequest& request) {
  NewJob job = matrix_job(request, "software-gpu", "Test on a software GPU (${{ matrix.gfx }})",
                          kLinux, 60, "software");
  job.needs.push_back(request.id("compile"));
  job.steps = {checkout(),
               install(),
               download(build_name(request, "linux", kGfx), request.path(".")),
               unpack(request),
               {.name = "Run the tests", .run = ctest("soft:$GFX", "software-$GFX.xml")},
               count_tests(false, "\"logs/software-$GFX.xml\""),
               upload_logs(request, "software-gpu-${{ matrix.gfx }}")};
  return job;
}

NewJob build_kernels_job(const JobRequest& request) {
  NewJob job = matrix_job(request, "perf", "Compare the kernels for ${{ matrix.gfx }}", kLinux, 20,
                          "targets");
  job.needs.push_back(request.id("compile"));
  job.steps = {
      checkout(),
      install(),
      download(build_name(request, "linux", kGfx), request.path(".")),
      {.name = "Compare with the baseline",
       .run = fmt::format("tar -xzf \"{}\"\n"
                          "mapfile -d '' files < <(find build -type f \\( -perm -u+x -o -name "
                          "'*.so' \\) ! -path '*/CMakeFiles/*' -print0)\n"
                          "kernels=()\n"
                          "for file in \"${{files[@]}}\"; do\n"
                          "  if hipwright inspect \"$file\" >/dev/null 2>&1; then "
                          "kernels+=(\"$file\"); fi\n"
                          "done\n",
                          archive(request)) +
              script("kernel-gate.sh", request.id("kernels") + "-\"$GFX\" \"${kernels[@]}\"")},
      upload_logs(request, "perf-${{ matrix.gfx }}")};
  return job;
}

NewJob build_gpu_job(const JobRequest& request) {
  NewJob job = request.job("gpu-linux", "Test on a GPU (Linux)", kLinuxGpu, 45, true);
  const std::string gfx = runner_gfx(request.options, false);
  job.needs.push_back(request.id("compile"));
  job.env = {{"GFX", gfx}};
  job.steps = {checkout(),
               install(),
               use_rocm("runner"),
               clean_gpu(),
               check_runner(),
               {.name = "Validate HIP",
                .run = "hipwright ci arches\n"
                       "if ! hipwright -q ci arches | grep -qx \"${GFX%%:*}\"; then\n"
                       "  echo \"::error::this runner has no $GFX: set the repository variable "
                       "GPU_RUNNER_GFX to one of the above\"\n"
                       "  exit 1\n"
                       "fi\n"},
               download(build_name(request, "linux", gfx), request.path(".")),
               unpack(request),
               {.name = "Run the tests", .run = ctest("", "gpu.xml")},
               count_tests(false, "logs/gpu.xml"),
               diagnostics(),
               clean_gpu(),
               upload_logs(request, "gpu-linux")};
  return job;
}

NewJob build_gpu_windows_job(const JobRequest& request) {
  NewJob job = request.job("gpu-windows", "Test on a GPU (Windows)", kWindowsGpu, 60, true);
  const std::string gfx = runner_gfx(request.options, true);
  job.needs.push_back(request.id("compile-windows"));
  job.env = {{"GFX", gfx}};
  job.steps = {
      checkout(),
      use_rocm_on_windows("runner"),
      {.name = "Validate HIP",
       .run = "New-Item -ItemType Directory -Force logs | Out-Null\n"
              "& \"$env:HIP_PATH/bin/hipInfo.exe\" | Tee-Object logs/hipinfo.txt\n"
              "if ($LASTEXITCODE) { exit $LASTEXITCODE }\n"
              "if (-not (Select-String -Path logs/hipinfo.txt -SimpleMatch $env:GFX -Quiet)) {\n"
              "  Write-Output \"::error::this runner has no $env:GFX : set the repository variable "
              "GPU_RUNNER_GFX_WINDOWS\"\n"
              "  exit 1\n"
              "}\n"},
      download(build_name(request, "windows", gfx), request.path(".")),
      {.name = "Unpack the build",
       .run = fmt::format("Expand-Archive -Path \"{}-windows-$env:GFX.zip\" -DestinationPath . "
                          "-Force\n",
                          request.id("build")) +
              windows_script("relocate-tests.py", "build")},
      {.name = "Run the tests",
       .run = "ctest --test-dir build \"--no-tests=error\" --output-on-failure "
              "--output-junit \"$PWD/logs/gpu.xml\"\n"},
      count_tests(true, "logs/gpu.xml"),
      upload_logs(request, "gpu-windows")};
  return job;
}

}  // namespace hipwright::ci
