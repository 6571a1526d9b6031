// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/processors.h"
#include "base/file.h"
#include "base/text_edit.h"
#include "ci/init/init.h"
#include "cli/ci.h"

namespace hipwright::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path root = ".";
  std::string preset, targets = fmt::format("{}", fmt::join(arch::kProofTargets, ",")),
                      branch = "main", url, sha256;
  bool no_gpu_runners = false, no_windows = false, diff = false;
};

struct Plan {
  ci::Repository repository;
  ci::InitOptions options;
};

Result<Plan> plan_for(const Options& options) {
  Plan plan;
  std::optional<ci::Preset> preset;
  if (!options.preset.empty()) {
    HW_TRY(preset, ci::parse_preset(options.preset));
  }
  if (options.url.empty() != options.sha256.empty())
    return fail("cannot write a download", options.url + options.sha256, "",
                "Give both --url and --sha256.");
  HW_TRY(plan.repository, ci::look_at(options.root, preset));
  plan.repository.default_branch = options.branch;
  HW_TRY(plan.options.targets, arch::parse_targets(options.targets));
  plan.options.gpu_runners = !options.no_gpu_runners;
  plan.options.windows = !options.no_windows;
  plan.options.url = options.url;
  plan.options.sha256 = options.sha256;
  return plan;
}

Status write(const fs::path& path, const std::string& before, const std::string& text, bool diff) {
  if (diff) {
    print(unified_diff(path.generic_string(), before, text));
    return {};
  }
  HW_CHECK(make_directories(path.parent_path()));
  const bool is_script = text.starts_with("#!");
  HW_CHECK(write_file_atomic(path, text));
  std::error_code error;
  if (is_script)
    fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, error);
  if (error) return fail("cannot make executable", path.string(), error.message(), "");
  note("wrote " + path.lexically_normal().string());
  return {};
}

Status init(const Options& options) {
  HW_TRY(const Plan plan, plan_for(options));
  const auto files = ci::init_files(plan.repository, plan.options);
  std::error_code error;
  for (const ci::NewWorkflow& workflow : ci::plan_workflows(plan.repository, plan.options))
    if (const fs::path path = options.root / ci::workflow_path(workflow); fs::exists(path, error))
      return fail("cannot write", path.string(), "it exists",
                  "Bring it up to date with: hipwright ci update");
  for (const auto& [path, text] : files) {
    if (fs::exists(options.root / path, error)) {
      note("kept " + (options.root / path).lexically_normal().string() + ": it exists");
      continue;
    }
    HW_CHECK(write(options.root / path, "", text, options.diff));
  }
  return {};
}

// The new text of a file that is there: an edited one stays, and is named.
Result<std::string> updated_text(const std::string& path, const std::string& before,
                                 const std::string& text, const Plan& plan) {
  for (const ci::NewWorkflow& workflow : ci::plan_workflows(plan.repository, plan.options)) {
    if (ci::workflow_path(workflow) != path) continue;
    HW_TRY(const ci::Updated updated, ci::update_workflow(before, workflow, path));
    for (const std::string& kept : updated.kept) note(fmt::format("kept {}: {}", path, kept));
    return updated.text;
  }
  if (ci::is_as_generated(before)) return text;
  if (before != text && ci::is_as_generated(text))
    note(fmt::format("kept {}: edited by hand", path));
  return before;
}

Status update(const Options& options) {
  HW_TRY(const Plan plan, plan_for(options));
  bool changed = false, is_there = false;
  for (const auto& [path, text] : ci::init_files(plan.repository, plan.options)) {
    const fs::path file = options.root / path;
    std::error_code error;
    std::string before, after = text;
    if (fs::exists(file, error)) {
      HW_TRY(before, read_file(file));
      HW_TRY(after, updated_text(path, before, text, plan));
      is_there |= path.ends_with("workflows/rocm.yml");
    } else if (path.ends_with("workflows/rocm.yml")) {
      return fail("cannot update", file.string(), "no such file",
                  "Write it with: hipwright ci init");
    }
    if (after == before) continue;
    changed = true;
    HW_CHECK(write(file, before, after, options.diff));
  }
  if (!changed && is_there) note("everything is up to date");
  return {};
}

int code_of(const Status& done) {
  return done ? kOk : report(done.error());
}

void define(App app, Options& o) {
  app.add_option("--root", o.root, "The repository (default: .)").type_name("DIRECTORY");
  app.add_option("--preset", o.preset,
                 "cpp, torch-extension, python or monorepo (default: by what the repository "
                 "contains)")
      .type_name("PRESET");
  app.add_option("--arch", o.targets, "Targets to compile for")
      .type_name("TARGETS")
      .capture_default_str();
  app.add_option("--branch", o.branch, "The default branch (default: main)").type_name("NAME");
  app.add_option("--url", o.url,
                 "Tarball of hipwright, unless the variable HIPWRIGHT_URL names another")
      .type_name("URL");
  app.add_option("--sha256", o.sha256, "Its digest").type_name("DIGEST");
  app.add_flag("--no-gpu-runners", o.no_gpu_runners, "Omit jobs for self-hosted runners");
  app.add_flag("--no-windows", o.no_windows, "Omit jobs for Windows");
  app.add_flag("--diff", o.diff, "Print the changes as a patch; write nothing");
}

}  // namespace

CiPart define_ci_init(App ci) {
  auto options = std::make_shared<Options>();
  App app = ci.add_subcommand("init", "Write workflows for this repository");
  define(app, *options);
  return {app, [options] { return code_of(init(*options)); }};
}

CiPart define_ci_update(App ci) {
  auto options = std::make_shared<Options>();
  App app = ci.add_subcommand("update", "Bring generated files up to date; keeps hand edits");
  define(app, *options);
  return {app, [options] { return code_of(update(*options)); }};
}

}  // namespace hipwright::cli
