// SPDX-License-Identifier: MIT
#include "project/project_facts.h"

#include <algorithm>
#include <optional>

#include "base/thread_pool.h"
#include "project/build/compile_commands.h"
#include "project/ignore.h"
#include "project/language.h"
#include "project/read_source.h"
#include "project/walk.h"

namespace hipwright::project {

namespace {

// Empty if it is not C++ or cannot be read.
std::optional<IncludingFile> includes_of(const std::filesystem::path& folder,
                                         const std::string& path) {
  if (language_of(path) != Language::kCuda) return std::nullopt;
  const ReadText read = read_source(folder / path, {});
  if (!read.why_not.empty()) return std::nullopt;
  return including_file(path, syntax::cuda::File(read.text.bytes));
}

bool same(const IncludingFile& a, const IncludingFile& b) {
  return a.definitions == b.definitions &&
         std::equal(a.includes.begin(), a.includes.end(), b.includes.begin(), b.includes.end(),
                    [](const IncludingFile::Edge& x, const IncludingFile::Edge& y) {
                      return x.path == y.path && x.built.amd == y.built.amd &&
                             x.built.nvidia == y.built.nvidia;
                    });
}

}  // namespace

Result<ProjectFacts> ProjectFacts::read(const Request& request) {
  ProjectFacts facts;
  facts.folder_ = request.folder;
  IgnorePatterns exclude;
  for (const std::string& pattern : request.exclude) exclude.add(pattern);
  HW_TRY(WalkResult walked,
         walk({.root = request.folder,
               .excludes = [&](std::string_view path,
                               bool is_folder) { return exclude.ignores(path, is_folder); },
               .use_gitignore = request.use_gitignore,
               .wants = is_of_project}));
  facts.paths_ = std::move(walked.files);
  std::vector<std::optional<IncludingFile>> includes(facts.paths_.size());
  ThreadPool(request.threads).parallel_for(includes.size(), [&](std::size_t i) {
    includes[i] = includes_of(facts.folder_, facts.paths_[i]);
  });
  for (std::size_t i = 0; i < includes.size(); ++i)
    if (includes[i]) facts.includes_.emplace(facts.paths_[i], *std::move(includes[i]));
  facts.read_lists();
  facts.connect();
  return facts;
}

FileFacts ProjectFacts::of(std::string_view path) const {
  return facts_in(built_, path);
}

ProjectFacts::Change ProjectFacts::refresh(const std::string& path) {
  if (folder_.empty() || !is_of_project(path)) return Change::kNone;
  std::error_code ignored;
  const bool is_known = std::binary_search(paths_.begin(), paths_.end(), path);
  const bool is_there = std::filesystem::is_regular_file(folder_ / path, ignored);
  if (is_known != is_there) return Change::kFiles;
  if (!is_there) return Change::kNone;
  bool is_changed = false;
  if (auto now = includes_of(folder_, path)) {
    IncludingFile& before = includes_[path];
    is_changed = !same(before, *now);
    before = *std::move(now);
  }
  if (is_build_file(path)) {
    read_lists();
    is_changed = true;
  }
  if (is_changed) connect();
  return is_changed ? Change::kFacts : Change::kNone;
}

void ProjectFacts::read_lists() {
  const auto content = [this](const std::string& path) -> std::optional<std::string> {
    ReadText read = read_source(folder_ / path, {});
    if (!read.why_not.empty()) return std::nullopt;
    add_macro_words(read.text.bytes, words_);
    return std::move(read.text.bytes);
  };
  words_.clear();
  const FileSet files{.paths = paths_, .read = content};
  lists_ = read_build_lists(files);
  // A run over the tree reports a database that cannot be read.
  if (const auto file = find_compile_commands(folder_); !file.empty())
    if (const auto commands = load_compile_commands(file, folder_))
      add_compile_commands(*commands, files, lists_, words_);
}

void ProjectFacts::connect() {
  std::vector<IncludingFile> files;
  files.reserve(includes_.size());
  for (const auto& [path, file] : includes_) files.push_back(file);
  built_ = BuildGraph(files, lists_, words_);
}

}  // namespace hipwright::project
