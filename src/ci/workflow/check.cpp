// SPDX-License-Identifier: MIT
#include "ci/workflow/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "arch/arch.h"
#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "project/language.h"
#include "project/walk.h"

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace hipwright::ci {

namespace {

constexpr std::size_t kLargestDocument = 4 << 20;

void add_targets(const std::string& path, const std::string& text,
                 std::map<std::string, std::string>& found) {
  std::size_t line = 1, counted_to = 0;
  for (std::size_t at = text.find("gfx"); at != text.npos; at = text.find("gfx", at + 3)) {
    const std::size_t end =
        std::min(text.find_first_not_of("0123456789abcdef", at + 3), text.size());
    std::string name = text.substr(at, end - at);
    if (arch::find(name) == nullptr) continue;
    line +=
        static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted_to),
                                            text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_to = at;
    found.try_emplace(std::move(name), fmt::format("{}:{}", path, line));
  }
}

ValidatorResult run_validator(std::string name, std::vector<std::string> argv) {
  ValidatorResult result{.name = std::move(name)};
  const auto finished = run({.argv = std::move(argv), .timeout = 120s});
  if (!finished || finished->timed_out) {
    result.output = finished ? "did not finish in 120 s" : finished.error().message();
    return result;
  }
  result.ran = true;
  result.accepts = finished->ok();
  result.output = finished->out + (finished->out.empty() ? finished->err : "");
  return result;
}

}  // namespace

std::vector<fs::path> workflows_in(const fs::path& root) {
  std::vector<fs::path> found;
  std::error_code error;
  for (auto at = fs::directory_iterator(root / ".github/workflows", error);
       !error && at != fs::directory_iterator(); at.increment(error))
    if (const fs::path path = at->path(); path.extension() == ".yml" || path.extension() == ".yaml")
      found.push_back(path.lexically_normal());
  std::ranges::sort(found);
  return found;
}

Result<std::map<std::string, std::string>> documented_targets(const fs::path& root) {
  HW_TRY(const project::WalkResult walked,
         project::walk({.root = root.empty() ? "." : root, .wants = [](std::string_view path) {
                          return path.ends_with(".md") || path.ends_with(".rst") ||
                                 path.ends_with("pyproject.toml") || path.ends_with("setup.py") ||
                                 path.ends_with("CMakeLists.txt") || path.ends_with(".cmake") ||
                                 path.ends_with("CMakePresets.json");
                        }}));
  std::map<std::string, std::string> found;
  for (const std::string& path : walked.files) {
    std::error_code error;
    const fs::path file = root / path;
    if (fs::file_size(file, error) > kLargestDocument || error) continue;
    if (const auto text = read_file(file)) add_targets(path, *text, found);
  }
  return found;
}

std::vector<ValidatorResult> other_validators(const std::vector<fs::path>& files) {
  struct Validator {
    const char* name;
    std::vector<std::string> argv;
    const char* install;
  };
  const Validator validators[] = {
      {"actionlint", {"actionlint", "-no-color"}, "https://github.com/rhysd/actionlint"},
      {"zizmor", {"zizmor", "--offline", "--no-progress"}, "pip install zizmor"}};
  std::vector<ValidatorResult> results;
  for (const Validator& validator : validators) {
    if (!find_program(validator.name)) {
      results.push_back(
          {.name = validator.name, .output = fmt::format("not installed: {}", validator.install)});
      continue;
    }
    std::vector<std::string> argv = validator.argv;
    for (const fs::path& file : files) argv.push_back(file.string());
    results.push_back(run_validator(validator.name, std::move(argv)));
  }
  return results;
}

}  // namespace hipwright::ci
