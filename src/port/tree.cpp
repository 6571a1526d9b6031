// SPDX-License-Identifier: MIT
#include "port/tree.h"

#include <algorithm>
#include <array>

#include "lint/ignore.h"
#include "lint/read.h"
#include "lint/source_kind.h"
#include "lint/walk.h"

namespace hipwright::port {

namespace {

bool fits_any(std::string_view path, std::initializer_list<std::string_view> patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return lint::fits(path, pattern); });
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// A header that an earlier port wrote: the next one writes it again, and has nothing to learn of
// it.
bool is_of_a_port(std::string_view path, std::string_view text) {
  return fits_any(path, {"hip_compat.h", "hip_ptx.h", "hip_names.h"}) &&
         text.substr(0, 1000).find("hipwright") != std::string_view::npos;
}

bool is_header_name(std::string_view path) {
  return fits_any(path, {"*.h", "*.hpp", "*.hh", "*.hxx", "*.cuh", "*.inl", "*.inc"});
}

}  // namespace

std::string_view to_string(Language language) {
  constexpr std::array<std::string_view, 9> kNames = {"CUDA C++", "Python",       "CMake",
                                                      "make",     "requirements", "project",
                                                      "shell",    "other build",  "other"};
  return kNames[static_cast<std::size_t>(language)];
}

Language language_of(std::string_view path) {
  switch (lint::language_of(path)) {
    case lint::Language::kCuda:
      return Language::kCuda;
    case lint::Language::kPython:
      return Language::kPython;
    case lint::Language::kNone:
      break;
  }
  if (fits_any(path, {"CMakeLists.txt", "*.cmake"})) return Language::kCMake;
  if (fits_any(path, {"Makefile*", "makefile*", "GNUmakefile", "*.mk", "*.mak"}))
    return Language::kMake;
  if (fits_any(path, {"requirements*.txt", "constraints*.txt", "requirements/*.txt"}))
    return Language::kRequirements;
  if (fits_any(path, {"pyproject.toml", "setup.cfg"})) return Language::kProject;
  if (fits_any(path,
               {"*.sh", "*.bash", "*.zsh", "*.slurm", "*.sbatch", "Dockerfile*", "*.dockerfile",
                "*.Dockerfile", "Containerfile*", "*.yml", "*.yaml", "*.env"}))
    return Language::kShell;
  if (fits_any(path, {"meson.build", "BUILD", "BUILD.bazel", "WORKSPACE", "MODULE.bazel", "*.bzl"}))
    return Language::kOtherBuild;
  return Language::kOther;
}

SourceFile::SourceFile(std::string path, syntax::Text text)
    : path_(std::move(path)),
      language_(language_of(path_)),
      is_header_(is_header_name(path_)),
      text_(std::move(text)) {
  if (is_of_a_port(path_, text_.bytes)) language_ = Language::kOther;
  if (language_ == Language::kCuda) cuda_ = std::make_unique<syntax::cuda::File>(text_.bytes);
  if (language_ == Language::kPython) python_ = std::make_unique<syntax::python::File>(text_.bytes);
}

const SourceFile* Tree::find(std::string_view path) const {
  const auto at = std::lower_bound(
      files.begin(), files.end(), path,
      [](const auto& file, std::string_view wanted) { return file->path() < wanted; });
  return at != files.end() && (*at)->path() == path ? at->get() : nullptr;
}

namespace {

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool is_around(std::string_view folder, std::string_view path) {
  return folder.empty() ||
         (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/'));
}

// How many folders two have in common.
std::size_t shared_folders(std::string_view a, std::string_view b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i)
    if (a[i] == '/') ++count;
  return count;
}

// Where an #include with this path would look if it began at `folder`; the path is "a/../b.h".
std::string joined(std::string_view folder, std::string_view path) {
  const auto whole = (std::filesystem::path(folder) / path).lexically_normal();
  return whole.generic_string();
}

}  // namespace

std::vector<const SourceFile*> Tree::nearest(std::string_view path, const SourceFile& from,
                                             bool is_system) const {
  if (!is_system)
    if (const SourceFile* beside = find(joined(folder_of(from.path()), path))) return {beside};
  // What lies above is looked for where the rest of the path is.
  while (path.starts_with("../") || path.starts_with("./")) path.remove_prefix(path.find('/') + 1);
  std::vector<const SourceFile*> found;
  std::size_t most = 0;
  const auto [begin, end] = by_name.equal_range(name_of(path));
  for (auto each = begin; each != end; ++each) {
    const std::string_view whole = each->second->path();
    if (!whole.ends_with(path)) continue;
    if (whole.size() != path.size() && whole[whole.size() - path.size() - 1] != '/') continue;
    const std::size_t shared = shared_folders(whole, from.path());
    if (shared > most) found.clear();
    most = std::max(most, shared);
    if (shared == most) found.push_back(each->second);
  }
  return found;
}

bool Tree::has_header_for(std::string_view path, const SourceFile& from, bool is_system) const {
  const std::string_view here = folder_of(from.path());
  return std::ranges::any_of(nearest(path, from, is_system), [&](const SourceFile* each) {
    const std::string_view whole = each->path();
    if (!is_system && whole == joined(here, path)) return true;
    if (!whole.ends_with(path)) return true;  // by "../"
    std::string_view folder = whole.substr(0, whole.size() - path.size());
    if (folder.ends_with('/')) folder.remove_suffix(1);
    if (is_around(folder, here)) return true;
    static constexpr std::array<std::string_view, 10> kForHeaders = {
        "include", "includes", "inc", "headers", "common", "src", "source", "util", "utils", "lib"};
    return std::ranges::find(kForHeaders, name_of(folder)) != kForHeaders.end() &&
           is_around(folder_of(folder), here);
  });
}

bool has_main(const syntax::cuda::File& file) {
  return std::ranges::any_of(file.functions(), [&](const syntax::cuda::Function& function) {
    return !function.body.empty() && file.text(function.name) == "main";
  });
}

std::unordered_set<const SourceFile*> included_sources(const Tree& tree) {
  std::unordered_set<const SourceFile*> found;
  for (const auto& file : tree.files) {
    if (file->cuda() == nullptr) continue;
    for (const syntax::cuda::Include& include : file->cuda()->includes()) {
      const auto meant = tree.nearest(include.path, *file, include.is_system);
      if (meant.size() != 1 || meant[0] == file.get() || meant[0]->is_header()) continue;
      if (meant[0]->cuda() != nullptr && !has_main(*meant[0]->cuda())) found.insert(meant[0]);
    }
  }
  return found;
}

Result<Tree> read_tree(const std::filesystem::path& path, const std::vector<std::string>& ignore,
                       ThreadPool& pool) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status))
    return fail("cannot port", path.string(), "there is no such file or folder");
  Tree tree;
  lint::WalkRequest request;
  if (std::filesystem::is_directory(status)) {
    tree.root = path;
  } else {
    tree.root = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    request.paths = {path.filename()};
    tree.is_one_file = true;
  }
  lint::IgnorePatterns patterns;
  for (const std::string& line : ignore) patterns.add(line);
  request.root = tree.root;
  request.excludes = [&](std::string_view file, bool is_folder) {
    return (is_folder && name_of(file) == ".hipwright") || patterns.ignores(file, is_folder);
  };
  request.wants = [](std::string_view file) { return language_of(file) != Language::kOther; };
  HW_TRY(lint::WalkResult walked, lint::walk(request));
  for (lint::NotWalked& each : walked.skipped)
    tree.not_read.push_back({std::move(each.path), std::move(each.why)});

  std::vector<std::unique_ptr<SourceFile>> files(walked.files.size());
  std::vector<std::string> why_not(files.size());
  pool.parallel_for(files.size(), [&](std::size_t i) {
    lint::ReadText read = lint::read_source(tree.root / walked.files[i], {});
    why_not[i] = std::move(read.why_not);
    if (why_not[i].empty())
      files[i] = std::make_unique<SourceFile>(walked.files[i], std::move(read.text));
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i])
      tree.files.push_back(std::move(files[i]));
    else
      tree.not_read.push_back({std::move(walked.files[i]), std::move(why_not[i])});
  }
  for (const auto& file : tree.files) tree.by_name.emplace(name_of(file->path()), file.get());
  return tree;
}

}  // namespace hipwright::port
