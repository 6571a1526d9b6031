// SPDX-License-Identifier: MIT
#include "lsp/workspace.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "lint/baseline.h"
#include "lint/config.h"
#include "project/root.h"

namespace hipwright::lsp {

namespace {

namespace fs = std::filesystem;

// By a pattern that fits the path or a folder on the way to it.
bool is_excluded(const project::IgnorePatterns& patterns, std::string_view path) {
  for (std::size_t at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1))
    if (patterns.ignores(path.substr(0, at), true)) return true;
  return patterns.ignores(path, false);
}

}  // namespace

void Workspace::set_folders(std::vector<fs::path> folders) {
  folders_ = std::move(folders);
  forget();
}

void Workspace::set_options(lint::Options options) {
  options_ = std::move(options);
  forget();
}

Result<lint::FileResult> Workspace::check(const fs::path& path, const std::string& name,
                                          std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    notes_.push_back(name + ": not read: binary");
    return lint::FileResult{};
  }
  HW_TRY(const Project* const project, project_for(path));
  const std::string project_path = path.empty() || project->folder.empty()
                                       ? name
                                       : path.lexically_relative(project->folder).generic_string();
  if (is_excluded(project->exclude, project_path)) return lint::FileResult{};
  const lint::Source source(project_path, text);
  return lint::check_source(project->selection, project->facts.of(project_path), project_path,
                            source);
}

bool Workspace::file_changed(const fs::path& path) {
  bool is_changed = false;
  for (auto& [root, opened] : projects_) {
    const bool is_config = path.filename() == project::kConfigName;
    if (is_config ||
        (opened && std::count((*opened)->files.begin(), (*opened)->files.end(), path))) {
      forget();
      return true;
    }
    if (!opened || root.empty() || !is_in_directory(path, root)) continue;
    const auto change = (*opened)->facts.refresh(path.lexically_relative(root).generic_string());
    if (change == project::ProjectFacts::Change::kFiles) opened = open(root);
    is_changed |= change != project::ProjectFacts::Change::kNone;
  }
  return is_changed;
}

Result<Workspace::Project*> Workspace::project_for(const fs::path& path) {
  fs::path root;
  if (has_files_ && !path.empty()) {
    const auto [known, is_new] = roots_.try_emplace(path.parent_path());
    if (is_new) known->second = root_of(path.parent_path());
    root = known->second;
  }
  auto found = projects_.find(root);
  if (found == projects_.end()) found = projects_.emplace(root, open(root)).first;
  if (!found->second) return std::unexpected(found->second.error());
  return found->second->get();
}

// The folder of the nearest hipwright.toml, or the repository, or the folder that the editor
// opened.
fs::path Workspace::root_of(const fs::path& folder) const {
  if (fs::path found = project::find_upward(folder, project::kConfigName); !found.empty())
    return found;
  if (fs::path found = project::find_upward(folder, ".git"); !found.empty()) return found;
  for (const fs::path& each : folders_)
    if (is_in_directory(folder, each)) return each;
  return {};
}

// Everything below "/" or the home folder is no project, whatever lies there.
bool Workspace::may_walk(const fs::path& root) const {
  const char* const home = std::getenv("HOME");
  return root.has_relative_path() && (home == nullptr || !is_in_directory(home, root));
}

Workspace::Opened Workspace::open(const fs::path& root) {
  auto project = std::make_unique<Project>();
  lint::Options options = options_;
  std::error_code ignored;
  const fs::path config_file = root / project::kConfigName;
  if (!root.empty() && fs::exists(config_file, ignored)) {
    HW_TRY(const lint::Config config, lint::read_config(config_file));
    lint::apply(config, options);
    if (config.baseline) {
      project->files.push_back((root / *config.baseline).lexically_normal());
      HW_TRY(options.baseline, lint::read_baseline(project->files.back()));
    }
  }
  options.project = root;
  for (const std::string& pattern : options.exclude) project->exclude.add(pattern);
  HW_TRY(project->selection, lint::make_selection(options));
  project->folder = root;
  if (root.empty()) return project;
  if (!may_walk(root)) {
    notes_.push_back(fmt::format("{}: not read as a project: too many files", root.string()));
    return project;
  }
  const auto began = std::chrono::steady_clock::now();
  HW_TRY(project->facts, project::ProjectFacts::read({.folder = options.project,
                                                      .exclude = options.exclude,
                                                      .use_gitignore = options.use_gitignore,
                                                      .threads = options.threads}));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  notes_.push_back(
      fmt::format("{}: read build files and includes in {:.0f} ms", root.string(), took.count()));
  return project;
}

void Workspace::forget() {
  roots_.clear();
  projects_.clear();
}

}  // namespace hipwright::lsp
