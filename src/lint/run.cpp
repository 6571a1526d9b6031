// SPDX-License-Identifier: MIT
#include "lint/run.h"

#include <algorithm>
#include <atomic>

#include "project/build/compile_commands.h"
#include "project/build/hipify_map.h"
#include "project/file_facts.h"
#include "project/language.h"
#include "project/read_source.h"

namespace hipwright::lint {

namespace {

namespace fs = std::filesystem;

fs::path or_here(const fs::path& path) {
  return path.empty() ? "." : path;
}

}  // namespace

ProjectPaths::ProjectPaths(const Options& options) {
  if (options.project.empty()) return;
  root_ = fs::absolute(or_here(options.root)).lexically_normal();
  project_ = fs::absolute(options.project).lexically_normal();
  prefix_ = root_.lexically_relative(project_).generic_string() + "/";
  if (prefix_.ends_with("//")) prefix_.pop_back();
  if (prefix_ == "./") prefix_.clear();
}

std::string ProjectPaths::operator()(std::string_view path) const {
  const bool is_below = !path.starts_with("../") && !path.starts_with('/');
  if (project_.empty() || (is_below && !prefix_.starts_with("../")))
    return std::string(prefix_).append(path);
  return (root_ / path).lexically_normal().lexically_relative(project_).generic_string();
}

Run::Run(const Options& options, const Selection& selection)
    : options_(options),
      selection_(selection),
      project_paths_(options),
      root_(or_here(options.root)),
      project_(options.project.empty() ? root_ : options.project),
      pool_(options.threads) {
  for (const std::string& pattern : options.exclude) exclude_.add(pattern);
  needs_project_ = std::any_of(selection.rules.begin(), selection.rules.end(),
                               [](const Rule* rule) { return rule->cuda != nullptr; });
}

Result<Report> Run::report() {
  HW_CHECK(find_files());
  project::BuiltFiles lists;
  project::MacroWords words;
  // The build lists are one more item of the first round: they take as long as many files.
  const std::size_t extra = needs_project_ ? 1 : 0;
  each(files_.size() + extra, [&](std::size_t i, std::string& buffer) {
    if (i < extra)
      lists = read_lists(words);
    else
      first_round(files_[i - extra], buffer);
  });
  if (needs_project_) {
    std::vector<project::IncludingFile> including;
    for (Work& work : files_)
      if (work.includes) including.push_back(*std::move(work.includes));
    read_hipify_maps(including);
    built_ = project::BuildGraph(including, lists, words);
  }
  second_round();
  return gather();
}

Result<project::WalkResult> Run::walk_from(const fs::path& root, const ProjectPaths& project_paths,
                                           bool everything) const {
  project::WalkRequest request{.root = root, .use_gitignore = options_.use_gitignore};
  if (!everything) request.paths = options_.paths;
  request.excludes = [&](std::string_view path, bool is_folder) {
    if (exclude_.empty()) return false;
    const std::string project_path = project_paths(path);
    const bool is_outside =
        project_path == "." || project_path == ".." || project_path.starts_with("../");
    return !is_outside && exclude_.ignores(project_path, is_folder);
  };
  request.wants = [&](std::string_view path) {
    return concerns(selection_, path) ||
           (needs_project_ && (project::is_of_project(path) || project::is_hipify_map(path)));
  };
  return project::walk(request);
}

// The linted files and the other files of the project.
Status Run::find_files() {
  HW_TRY(project::WalkResult walked, walk_from(root_, project_paths_, false));
  skipped_ = std::move(walked.skipped);
  std::vector<std::string> others;
  for (std::string& path : walked.files) {
    std::string project_path = project_paths_(path);
    if (concerns(selection_, path))
      files_.push_back({.path = std::move(path), .project_path = std::move(project_path)});
    else
      others.push_back(std::move(project_path));
  }
  const bool is_whole = options_.paths.empty() && project_paths_.are_the_same();
  if (!is_whole && needs_project_) {
    HW_TRY(project::WalkResult whole, walk_from(project_, ProjectPaths({}), true));
    others = std::move(whole.files);
  }
  std::vector<std::string> linted;
  for (const Work& work : files_) linted.push_back(work.project_path);
  for (const auto* paths : {&linted, &others})
    for (const std::string& path : *paths) {
      add_own_module(path);
      vendor_folders_.add(path);
      if (project::is_hipify_map(path)) hipify_maps_.push_back(path);
    }
  std::sort(linted.begin(), linted.end());
  for (std::string& path : others)
    if (project::is_of_project(path) && !std::binary_search(linted.begin(), linted.end(), path))
      files_.push_back({.path = path, .project_path = std::move(path), .is_linted = false});
  return {};
}

// python/pkg/__init__.py makes pkg a module, setup.py or tool.py beside it no package.
void Run::add_own_module(std::string_view path) {
  constexpr std::string_view kPackage = "/__init__.py";
  if (!path.ends_with(kPackage)) return;
  path.remove_suffix(kPackage.size());
  const std::size_t slash = path.rfind('/');
  own_modules_.emplace(path.substr(slash == std::string_view::npos ? 0 : slash + 1));
}

// Each thread takes the next item when it is done, and reuses its buffer.
void Run::each(std::size_t count, const std::function<void(std::size_t, std::string&)>& body) {
  std::atomic<std::size_t> next = 0;
  pool_.parallel_for(pool_.size(), [&](std::size_t) {
    std::string buffer;
    for (std::size_t i = next++; i < count; i = next++) body(i, buffer);
  });
}

void Run::first_round(Work& work, std::string& buffer) {
  if (!work.is_linted && project::language_of(work.path) != project::Language::kCuda)
    return;  // for the build lists
  if (const auto changed = options_.overlay.find(work.path);
      work.is_linted && changed != options_.overlay.end()) {
    std::string text = changed->second;
    return look_at(work, text);
  }
  const fs::path file = work.is_linted ? root_ / work.path : project_ / work.project_path;
  project::ReadText read = project::read_source(file, std::move(buffer));
  if (read.why_not.empty())
    look_at(work, read.text.bytes);
  else if (work.is_linted)
    work.result.notes.push_back({work.path, "not read: " + read.why_not, read.is_error});
  buffer = std::move(read.text.bytes);
}

void Run::look_at(Work& work, std::string& text) {
  if (!work.is_linted || !needs_project_ ||
      project::language_of(work.path) != project::Language::kCuda) {
    const Source source(work.path, text);
    if (work.is_linted)
      work.result = check_source(selection_, facts_of(work), work.project_path, source);
    else
      work.includes = project::including_file(work.project_path, *source.cuda());
    return;
  }
  auto waiting = std::make_unique<Waiting>(work.path, std::move(text));
  work.includes = project::including_file(work.project_path, *waiting->source.cuda());
  if (is_triggered(selection_, waiting->source)) {
    work.waiting = std::move(waiting);
    return;
  }
  work.result = check_source(selection_, facts_of(work), work.project_path, waiting->source);
  text = std::move(waiting->text);
}

void Run::second_round() {
  std::vector<Work*> waiting;
  for (Work& work : files_)
    if (work.waiting) waiting.push_back(&work);
  each(waiting.size(), [&](std::size_t i, std::string&) {
    Work& work = *waiting[i];
    work.result = check_source(selection_, facts_of(work), work.project_path, work.waiting->source);
    work.waiting.reset();
  });
}

FileFacts Run::facts_of(const Work& work) const {
  FileFacts facts = project::facts_in(built_, work.project_path);
  facts.path = work.path;
  facts.documented_targets = &options_.documented_targets;
  facts.own_modules = &own_modules_;
  facts.is_of_amd_project = vendor_folders_.has_amd_code();
  facts.is_nvidia_specific |= vendor_folders_.is_for_cuda_alone(work.project_path);
  // Other files are AMD's, and nothing says whether this one is compiled with them.
  facts.is_unlisted |= facts.is_of_amd_project && facts.built_on_amd == syntax::Truth::kMaybe &&
                       project::language_of(work.path) == project::Language::kCuda;
  return facts;
}

// `words` gets those of every file that is read.
project::BuiltFiles Run::read_lists(project::MacroWords& words) {
  const project::FileSet files = tree(words);
  project::BuiltFiles lists = project::read_build_lists(files);
  const fs::path file = project::find_compile_commands(project_);
  if (file.empty()) return lists;
  if (const auto commands = project::load_compile_commands(file, project_))
    project::add_compile_commands(*commands, files, lists, words);
  else
    skipped_.push_back({file.string(), "not read: " + commands.error().why, true});
  return lists;
}

void Run::read_hipify_maps(std::vector<project::IncludingFile>& including) const {
  for (const std::string& path : hipify_maps_) {
    const project::ReadText read = project::read_source(project_ / path, {});
    if (read.why_not.empty()) project::add_mapped_names(read.text.bytes, including);
  }
}

project::FileSet Run::tree(project::MacroWords& words) const {
  project::FileSet tree;
  for (const Work& work : files_)
    if (project::is_of_project(work.project_path)) tree.paths.push_back(work.project_path);
  std::sort(tree.paths.begin(), tree.paths.end());
  tree.read = [this, &words](const std::string& path) -> std::optional<std::string> {
    std::optional<std::string> text;
    for (const auto& [reported, changed] : options_.overlay)
      if (project_paths_(reported) == path) text = changed;
    if (!text) {
      project::ReadText read = project::read_source(project_ / path, {});
      if (!read.why_not.empty()) return std::nullopt;
      text = std::move(read.text.bytes);
    }
    project::add_macro_words(*text, words);
    return text;
  };
  return tree;
}

Report Run::gather() {
  Report report;
  for (project::NotWalked& each : skipped_)
    report.notes.push_back({std::move(each.path), std::move(each.why), each.is_error});
  for (Work& work : files_) {
    FileResult& result = work.result;
    const bool is_read = std::ranges::none_of(result.notes, &FileNote::is_error);
    report.statistics.files += work.is_linted && is_read;
    report.statistics.bytes += result.bytes;
    report.statistics.suppressed += result.suppressed;
    report.statistics.in_baseline += result.in_baseline;
    std::move(result.findings.begin(), result.findings.end(), std::back_inserter(report.findings));
    std::move(result.notes.begin(), result.notes.end(), std::back_inserter(report.notes));
  }
  std::sort(report.notes.begin(), report.notes.end(), [](const FileNote& a, const FileNote& b) {
    return a.path != b.path ? a.path < b.path : a.what < b.what;
  });
  return report;
}

}  // namespace hipwright::lint
