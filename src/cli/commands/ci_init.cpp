// SPDX-License-Identifier: MIT
#include <memory>

#include "base/file.h"
#include "base/text_edit.h"
#include "ci/init/init.h"
#include "cli/ci.h"

namespace hipwright::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path root = ".";
  std::string preset, targets = "gfx90a,gfx942,gfx1100,gfx1201", branch = "main";
  bool no_gpu_runners = false, diff = false;
};

struct Plan {
  ci::Repository repository;
  ci::InitOptions options;
};

Result<Plan> plan_for(const Options& options) {
  Plan plan;
  HW_TRY(plan.repository, ci::look_at(options.root));
  if (!options.preset.empty()) {
    HW_TRY(plan.repository.preset, ci::parse_preset(options.preset));
  }
  plan.repository.default_branch = options.branch;
  HW_TRY(plan.options.targets, arch::parse_targets(options.targets));
  plan.options.gpu_runners = !options.no_gpu_runners;
  return plan;
}

int write(const fs::path& path, const std::string& before, const std::string& text, bool diff) {
  if (diff) {
    print(unified_diff(path.generic_string(), before, text));
    return kOk;
  }
  if (const Status made = make_directories(path.parent_path()); !made) return report(made.error());
  if (const Status written = write_file_atomic(path, text); !written)
    return report(written.error());
  note("wrote " + path.lexically_normal().string());
  return kOk;
}

int init(const Options& options) {
  const auto plan = plan_for(options);
  if (!plan) return report(plan.error());
  const auto files = ci::init_files(plan->repository, plan->options);
  std::error_code error;
  for (const auto& [path, text] : files)
    if (path.ends_with("rocm.yml") && fs::exists(options.root / path, error))
      return report({"cannot write", (options.root / path).string(), "it exists",
                     "Bring it up to date with: hipwright ci update"});
  for (const auto& [path, text] : files) {
    if (fs::exists(options.root / path, error)) {
      note("kept " + (options.root / path).lexically_normal().string() + ": it exists");
      continue;
    }
    if (const int code = write(options.root / path, "", text, options.diff); code != kOk)
      return code;
  }
  return kOk;
}

int update(const Options& options) {
  const auto plan = plan_for(options);
  if (!plan) return report(plan.error());
  const fs::path path = options.root / ".github/workflows/rocm.yml";
  const auto before = read_file(path);
  if (!before) return report(before.error());
  const auto updated =
      ci::update_workflow(*before, ci::plan_workflow(plan->repository, plan->options),
                          path.lexically_normal().string());
  if (!updated) return report(updated.error());
  for (const std::string& kept : updated->kept) note("kept " + kept);
  if (updated->text == *before) {
    note(path.lexically_normal().string() + " is up to date");
    return kOk;
  }
  return write(path, *before, updated->text, options.diff);
}

void define(App app, Options& o) {
  app.add_option("--root", o.root, "The repository (default: .)").type_name("DIRECTORY");
  app.add_option("--preset", o.preset,
                 "cpp, torch-extension or python (default: by what the repository contains)")
      .type_name("PRESET");
  app.add_option("--arch", o.targets,
                 "Targets to compile for (default: gfx90a,gfx942,gfx1100,gfx1201)")
      .type_name("TARGETS");
  app.add_option("--branch", o.branch, "The default branch (default: main)").type_name("NAME");
  app.add_flag("--no-gpu-runners", o.no_gpu_runners, "Leave out jobs for self-hosted runners");
  app.add_flag("--diff", o.diff, "Print the changes as a patch; write nothing");
}

}  // namespace

CiPart define_ci_init(App ci) {
  auto options = std::make_shared<Options>();
  App app = ci.add_subcommand("init", "Write a workflow for this repository");
  define(app, *options);
  return {app, [options] { return init(*options); }};
}

CiPart define_ci_update(App ci) {
  auto options = std::make_shared<Options>();
  App app = ci.add_subcommand("update", "Bring a generated workflow up to date; keeps hand edits");
  define(app, *options);
  return {app, [options] { return update(*options); }};
}

}  // namespace hipwright::cli
