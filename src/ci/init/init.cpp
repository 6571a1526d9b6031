// SPDX-License-Identifier: MIT
#include "ci/init/init.h"

#include "base/file.h"
#include "base/words.h"
#include "project/walk.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

namespace {

constexpr std::string_view kPresets[] = {"cpp", "torch-extension", "python"};

bool contains(const fs::path& path, Words words) {
  const auto text = read_file(path);
  return text && has_any(*text, words);
}

bool is_pytest_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
}

}  // namespace

std::string_view to_string(Preset preset) {
  return kPresets[static_cast<int>(preset)];
}

Result<Preset> parse_preset(std::string_view word) {
  for (int i = 0; i < 3; ++i)
    if (word == kPresets[i]) return static_cast<Preset>(i);
  return fail("unknown preset", std::string(word), "", "Use cpp, torch-extension or python.");
}

Result<Repository> look_at(const fs::path& root) {
  HW_TRY(const project::WalkResult walked,
         project::walk({.root = root, .wants = [](std::string_view path) {
                          return path.ends_with("CMakeLists.txt") || path.ends_with(".py") ||
                                 path.ends_with("pyproject.toml");
                        }}));
  Repository found;
  bool uses_torch = false;
  for (const std::string& path : walked.files) {
    found.has_cmake |= path == "CMakeLists.txt";
    found.has_setup_py |= path == "setup.py";
    found.has_pyproject |= path == "pyproject.toml";
    found.has_pytest |= is_pytest_file(path);
    if (path.ends_with("CMakeLists.txt"))
      found.has_ctest |= contains(root / path, {"enable_testing", "include(CTest)", "add_test"});
    if (path == "setup.py" || path == "pyproject.toml")
      uses_torch |= contains(root / path, {"cpp_extension", "CUDAExtension", "torch"});
  }
  if (found.has_setup_py || found.has_pyproject)
    found.preset = uses_torch ? Preset::kTorchExtension : Preset::kPython;
  else if (!found.has_cmake)
    return fail("cannot choose a preset", root.string(),
                "it has no CMakeLists.txt, setup.py or pyproject.toml at the top",
                "Run it in the root of a repository.");
  return found;
}

std::map<std::string, std::string> init_files(const Repository& repository,
                                              const InitOptions& options) {
  const NewWorkflow workflow = plan_workflow(repository, options);
  std::map<std::string, std::string> files = {
      {".github/workflows/rocm.yml", workflow_text(workflow)},
      {".github/dependabot.yml",
       "version: 2\nupdates:\n  - package-ecosystem: github-actions\n    directory: /\n"
       "    schedule:\n      interval: weekly\n    cooldown:\n      default-days: 7\n"}};
  if (options.gpu_runners)
    files[".github/actionlint.yaml"] = "self-hosted-runner:\n  labels: [ROCm]\n";
  return files;
}

}  // namespace hipwright::ci
