// SPDX-License-Identifier: MIT
// Jobs for the whole repository: what to build, lint, release, summary.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/init/jobs.h"

namespace hipwright::ci {

namespace {

// An output for each component: does its list name something to profile?
void add_benchmarks(const Repository& repository, const InitOptions& options, NewJob& job) {
  NewStep step{.name = "Look for benchmarks", .id = "benchmarks", .run = "for list in"};
  for (const Component& each : repository.components) {
    const std::string list = JobRequest{.component = each,
                                        .options = options,
                                        .is_monorepo = repository.preset() == Preset::kMonorepo}
                                 .id("benchmarks");
    step.run += " " + list;
    job.outputs.emplace_back(list, fmt::format("${{{{ steps.benchmarks.outputs.{} }}}}", list));
  }
  step.run += fmt::format(
      "; do\n"
      "  if grep -qsvE '^\\s*(#|$)' \"{}/$list.txt\"; then found=true; else found=false; fi\n"
      "  echo \"$list=$found\" | tee -a \"$GITHUB_OUTPUT\"\n"
      "done\n",
      kScripts);
  job.steps.push_back(std::move(step));
}

}  // namespace

NewJob configure_job(const Repository& repository, const InitOptions& options, bool is_release) {
  std::vector<std::string> gfx;
  for (const arch::Target& target : options.targets) gfx.push_back(target.id());
  const bool is_monorepo = repository.preset() == Preset::kMonorepo && !is_release;
  NewJob job{.id = "configure",
             .name = "Configure",
             .runs_on = kLinux,
             .timeout_minutes = 10,
             .outputs = {{"targets", "${{ steps.targets.outputs.targets }}"},
                         {"software", "${{ steps.targets.outputs.software }}"},
                         {"windows", "${{ steps.targets.outputs.windows }}"}}};
  job.steps = {
      checkout(is_monorepo),
      install(),
      {.name = "Choose the targets",
       .id = "targets",
       .env = {{"HIPWRIGHT_HIP_ARCHES",
                fmt::format("${{{{ vars.HIPWRIGHT_HIP_ARCHES || '{}' }}}}", fmt::join(gfx, ","))}},
       .run = "hipwright ci arches --format github | tee -a \"$GITHUB_OUTPUT\"\n"}};
  if (!is_release) add_benchmarks(repository, options, job);
  if (is_monorepo) {
    std::vector<std::string> words;
    for (const Component& each : repository.components) {
      words.push_back(fmt::format("{}={}", slug(each.path), each.path));
      job.outputs.emplace_back("changed-" + slug(each.path),
                               fmt::format("${{{{ steps.changed.outputs.{} }}}}", slug(each.path)));
    }
    job.steps.push_back({.name = "Find the components that changed",
                         .id = "changed",
                         .env = {{"BASE", "${{ github.event.pull_request.base.sha }}"}},
                         .run = script("changed.py", fmt::format("{}", fmt::join(words, " ")))});
  }
  return job;
}

NewJob lint_job() {
  NewJob job{.id = "lint", .name = "Lint", .runs_on = kLinux, .timeout_minutes = 15};
  job.steps = {
      checkout(),
      install(),
      {.name = "Find ROCm bugs", .run = "hipwright lint --format github --min-confidence high\n"},
      {.name = "Check the workflows", .run = "hipwright ci check --format github\n"}};
  return job;
}

namespace {

// Shell words that give the patterns of a component's assets, each of which must exist.
std::string asset_patterns(const JobRequest& request) {
  const std::string build = request.id("build");
  const bool on_windows = request.options.windows && has_windows_target(request.options);
  switch (request.component.kind) {
    case Preset::kCpp:
      return fmt::format("for gfx in $TARGETS; do assets+=(\"{}-$gfx.tar.gz\"); done\n", build) +
             (on_windows ? fmt::format("for gfx in $TARGETS_WINDOWS; do "
                                       "assets+=(\"{}-windows-$gfx.zip\"); done\n",
                                       build)
                         : "");
    case Preset::kTorchExtension:
      return fmt::format("assets+=('*linux*.whl'{})\n", on_windows ? " '*-win_amd64.whl'" : "");
    default:
      return "assets+=('*-none-any.whl')\n";
  }
}

}  // namespace

NewJob release_job(std::vector<std::string> needs, const Repository& repository,
                   const InitOptions& options) {
  NewJob job{.id = "release",
             .name = "Release",
             .needs = std::move(needs),
             .runs_on = kLinux,
             .timeout_minutes = 15,
             .permissions = {{"contents", "write"}}};
  NewStep get = download("", "dist");
  get.name = "Download the assets";
  get.with = {{"pattern", "asset-*"}, {"path", "dist"}, {"merge-multiple", "true"}};
  NewStep check{
      .name = "Fail if an asset is missing",
      .env = {{"TARGETS", "${{ join(fromJSON(needs.configure.outputs.targets), ' ') }}"},
              {"TARGETS_WINDOWS", "${{ join(fromJSON(needs.configure.outputs.windows), ' ') }}"}},
      .run = "assets=()\n"};
  for (const Component& each : repository.components)
    check.run += asset_patterns({.component = each,
                                 .options = options,
                                 .is_monorepo = repository.preset() == Preset::kMonorepo,
                                 .is_release = true});
  check.run += script("release-assets.py", "dist \"${assets[@]}\"");
  job.steps = {checkout(),
               get,
               check,
               {.name = "Publish the release",
                .env = {{"GH_TOKEN", "${{ github.token }}"}},
                .run = "gh release create \"$GITHUB_REF_NAME\" --verify-tag --generate-notes "
                       "dist/*\n"}};
  return job;
}

// The token belongs to an environment, which can ask for a person's approval.
NewJob publish_job(const std::vector<std::string>& needs) {
  NewJob job{.id = "publish",
             .name = "Upload to the package index",
             .needs = needs,
             .condition = "vars.PACKAGE_INDEX_URL != ''",
             .runs_on = kLinux,
             .timeout_minutes = 15,
             .environment = "package-index"};
  NewStep get = download("", "dist");
  get.name = "Download the wheels";
  get.with = {{"pattern", "asset-wheel*"}, {"path", "dist"}, {"merge-multiple", "true"}};
  job.steps = {set_up_python(false),
               get,
               {.name = "Upload",
                .env = {{"TWINE_REPOSITORY_URL", "${{ vars.PACKAGE_INDEX_URL }}"},
                        {"TWINE_USERNAME", "${{ vars.PACKAGE_INDEX_USER || '__token__' }}"},
                        {"TWINE_PASSWORD", "${{ secrets.PACKAGE_INDEX_TOKEN }}"},
                        {"TWINE_NON_INTERACTIVE", "1"}},
                .run = "python -m pip install twine==6.1.0\n"
                       "python -m twine check --strict dist/*.whl\n"
                       "python -m twine upload dist/*.whl\n",
                .comment = "zizmor: ignore[use-trusted-publishing] an index of its own"}};
  return job;
}

NewJob summary_job(const std::vector<NewJob>& jobs) {
  NewJob job{.id = "summary",
             .name = "Summary",
             .condition = "always()",
             .runs_on = kLinux,
             .timeout_minutes = 5};
  for (const NewJob& each : jobs) job.needs.push_back(each.id);
  job.steps = {checkout(),
               {.name = "Fail if a job failed",
                .env = {{"RESULTS", "${{ toJSON(needs) }}"}},
                .run = script("summary.py")}};
  return job;
}

}  // namespace hipwright::ci
