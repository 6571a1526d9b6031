// SPDX-License-Identifier: MIT
#include "ci/init/init.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/embedded.h"
#include "ci/init/coverage_page.h"
#include "ci/init/steps.h"

namespace hipwright {
extern const EmbeddedFile ci_scripts[];
extern const unsigned ci_scripts_count;
}  // namespace hipwright

namespace hipwright::ci {

namespace {

constexpr const char* kDependabot =
    "version: 2\nupdates:\n  - package-ecosystem: github-actions\n    directory: /\n"
    "    schedule:\n      interval: weekly\n    cooldown:\n      default-days: 7\n";

// Programs to profile; an empty list skips the jobs that would.
std::string benchmarks(const Component& component) {
  std::string text =
      "# What `hipwright perf run` measures on machines with GPUs: one program a line, as a "
      "Python\n"
      "# file, COMMAND, or NAME = COMMAND.\n";
  for (const std::string& example : component.examples)
    text += example.substr(component.path.empty() ? 0 : component.path.size() + 1) + "\n";
  return text;
}

// The scripts that a text names, and those that these name.
void add_scripts(std::map<std::string, std::string>& files) {
  for (bool added = true; added;) {
    added = false;
    for (unsigned i = 0; i < ci_scripts_count; ++i) {
      const std::string_view path = ci_scripts[i].path;
      const std::string name(path.substr(path.rfind('/') + 1));
      const std::string target = fmt::format("{}/{}", kScripts, name);
      if (files.contains(target)) continue;
      const bool is_named = std::ranges::any_of(files, [&](const auto& file) {
        return file.second.find("/" + name) != std::string::npos;
      });
      if (!is_named) continue;
      files[target] = marked_file(ci_scripts[i].content(), target);
      added = true;
    }
  }
}

}  // namespace

std::string workflow_path(const NewWorkflow& workflow) {
  return fmt::format(".github/workflows/{}.yml", workflow.name);
}

std::map<std::string, std::string> init_files(const Repository& repository,
                                              const InitOptions& options) {
  std::map<std::string, std::string> files;
  for (const NewWorkflow& workflow : plan_workflows(repository, options))
    files[workflow_path(workflow)] = workflow_text(workflow);
  const std::string page = fmt::format("{}/README.md", kScripts);
  files[page] = marked_file(coverage_page(repository, options), page);
  add_scripts(files);
  files[".github/dependabot.yml"] = kDependabot;
  if (options.gpu_runners)
    files[".github/actionlint.yaml"] = "self-hosted-runner:\n  labels: [ROCm]\n";
  for (const Component& component : repository.components) {
    const JobRequest request{.component = component,
                             .options = options,
                             .is_monorepo = repository.preset() == Preset::kMonorepo};
    files[fmt::format("{}/{}.txt", kScripts, request.id("benchmarks"))] = benchmarks(component);
  }
  return files;
}

}  // namespace hipwright::ci
