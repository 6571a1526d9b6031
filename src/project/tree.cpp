// SPDX-License-Identifier: MIT
#include "project/tree.h"

#include <algorithm>
#include <array>
#include <new>

#include "base/counted.h"
#include "base/words.h"
#include "project/build/compile_commands.h"
#include "project/ignore.h"
#include "project/path.h"
#include "project/read_source.h"
#include "project/walk.h"

namespace hipwright::project {

namespace {

// A header that an earlier port wrote: the next port writes it again and does not read it.
bool is_of_a_port(std::string_view path, std::string_view text) {
  return is_any(name_of(path), {"hip_compat.h", "hip_ptx.h", "hip_names.h"}) &&
         text.substr(0, 1000).find("hipwright") != std::string_view::npos;
}

}  // namespace

SourceFile::SourceFile(std::string path, syntax::Text text)
    : path_(std::move(path)),
      language_(language_of(path_)),
      is_header_(project::is_header(path_)),
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

Status Tree::is_complete() const {
  std::string list;
  std::size_t count = 0;
  for (const NotRead& each : not_read) {
    if (!each.is_error) continue;
    list += "\n  " + each.path + ": " + each.why;
    ++count;
  }
  if (count == 0) return {};
  return fail("cannot read all of", root.string(),
              counted(count, "path") + " not read" + list + "\n",
              "Make them readable, or omit them with --ignore.");
}

namespace {

bool is_around(std::string_view folder, std::string_view path) {
  return folder.empty() ||
         (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/'));
}

// The number of folders that two paths share.
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
  // Folders above are searched at the rest of the path.
  while (path.starts_with("../") || path.starts_with("./")) path.remove_prefix(path.find('/') + 1);
  std::vector<const SourceFile*> found;
  std::size_t most = 0;
  const auto [begin, end] = by_name.equal_range(name_of(path));
  for (auto each = begin; each != end; ++each) {
    const std::string_view whole = each->second->path();
    if (!ends_with_path(whole, path)) continue;
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
    return fail("cannot read", path.string(), "no such file or directory");
  Tree tree;
  WalkRequest request;
  if (std::filesystem::is_directory(status)) {
    tree.root = path;
  } else {
    tree.root = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    request.paths = {path.filename()};
    tree.is_one_file = true;
  }
  IgnorePatterns patterns;
  for (const std::string& line : ignore) patterns.add(line);
  request.root = tree.root;
  request.excludes = [&](std::string_view file, bool is_folder) {
    return (is_folder && name_of(file) == ".hipwright") || patterns.ignores(file, is_folder);
  };
  request.wants = [](std::string_view file) { return language_of(file) != Language::kOther; };
  HW_TRY(WalkResult walked, walk(request));
  for (NotWalked& each : walked.skipped)
    tree.not_read.push_back({std::move(each.path), std::move(each.why), each.is_error});

  std::vector<std::unique_ptr<SourceFile>> files(walked.files.size());
  std::vector<NotRead> not_read(files.size());
  pool.parallel_for(files.size(), [&](std::size_t i) {
    ReadText read = read_source(tree.root / walked.files[i], {});
    not_read[i] = {walked.files[i], std::move(read.why_not), read.is_error};
    if (!not_read[i].why.empty()) return;
    try {
      files[i] = std::make_unique<SourceFile>(walked.files[i], std::move(read.text));
    } catch (const std::bad_alloc&) {
      not_read[i] = {walked.files[i], "not enough memory", true};
    }
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i])
      tree.files.push_back(std::move(files[i]));
    else
      tree.not_read.push_back(std::move(not_read[i]));
  }
  for (const auto& file : tree.files) tree.by_name.emplace(name_of(file->path()), file.get());
  // Flags come from it later (compiler_flags.h); this is the place to say that they cannot.
  if (const auto file = find_compile_commands(tree.root); !file.empty())
    if (const auto commands = load_compile_commands(file, tree.root); !commands)
      tree.not_read.push_back({file.string(), commands.error().why, true});
  return tree;
}

}  // namespace hipwright::project
