// SPDX-License-Identifier: MIT
#include "project/compiler_flags.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "project/build/cmake.h"
#include "project/build/setup_py.h"
#include "project/path.h"
#include "project/standard_headers.h"

namespace hipwright::project {

namespace {

// The folders that the project's #include lines are relative to: a build file would pass them as
// -I.
std::set<std::string> include_folders(const Tree& tree) {
  std::set<std::string> folders = {""};
  for (const auto& file : tree.files) {
    if (file->cuda() == nullptr) continue;
    for (const syntax::cuda::Include& include : file->cuda()->includes()) {
      // Not a replacement for another system's compiler that the project has.
      if (include.is_system && is_standard_header(include.path)) continue;
      const auto [begin, end] = tree.by_name.equal_range(name_of(include.path));
      for (auto at = begin; at != end; ++at) {
        const std::string& path = at->second->path();
        if (path.size() > include.path.size() && ends_with_path(path, include.path))
          folders.insert(path.substr(0, path.size() - include.path.size() - 1));
      }
    }
  }
  return folders;
}

CompileCommands commands_at(const std::filesystem::path& root) {
  const std::filesystem::path file = find_compile_commands(root);
  if (file.empty()) return {};
  // read_tree() reports one that cannot be read.
  return load_compile_commands(file, root).value_or(CompileCommands());
}

CompileCommands commands_of(const Tree& tree, const std::filesystem::path& original) {
  CompileCommands commands = commands_at(tree.root);
  if (!commands.empty() || original.empty()) return commands;
  commands = commands_at(original);
  // Relative paths outside of one tree are wrong for the other.
  for (auto& [path, command] : commands)
    for (std::string& folder : command.flags.folders)
      if (folder.starts_with(".."))
        folder = (std::filesystem::absolute(original) / folder).lexically_normal().generic_string();
  return commands;
}

}  // namespace

FileSet file_set_of(const Tree& tree) {
  FileSet set;
  for (const auto& file : tree.files) set.paths.push_back(file->path());
  set.read = [&tree](const std::string& path) -> std::optional<std::string> {
    const SourceFile* file = tree.find(path);
    return file == nullptr ? std::nullopt : std::optional(std::string(file->text()));
  };
  return set;
}

UnitFlags::UnitFlags(const Tree& tree, const std::filesystem::path& original)
    : commands_(commands_of(tree, original)) {
  const FileSet files = file_set_of(tree);
  for (const FolderFlags& found : {read_cmake_flags(files), read_setup_py(files).flags})
    for (const auto& [folder, flags] : found) by_folder_[folder].add(flags);
  for (const auto& file : tree.files)
    if (file->language() == Language::kMake)
      by_folder_[std::string(folder_of(file->path()))].add(
          read_makefile(file->text(), file->path()).flags);
  if (tree.is_one_file) by_folder_[""].add(nearest_makefile(tree, "").flags);
}

BuildFlags UnitFlags::of(std::string_view path) const {
  if (const auto known = commands_.find(path); known != commands_.end()) return known->second.flags;
  BuildFlags all;
  for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
    if (const auto here = by_folder_.find(folder); here != by_folder_.end()) all.add(here->second);
    if (folder.empty()) return all;
  }
}

CompilerFlags::CompilerFlags(const Tree& tree, const std::filesystem::path& root,
                             const std::filesystem::path& original, TranslateOptions translate)
    : build_(tree, original),
      root_(std::filesystem::absolute(root).lexically_normal()),
      original_(std::filesystem::absolute(original.empty() ? tree.root : original)),
      translate_(translate) {
  // Guesses: the folders of the build, and for <…> those of the system, come before them.
  for (const std::string& each : include_folders(tree))
    for (const char* option : {"-iquote", "-idirafter"})
      folders_.push_back(option + (root_ / each).string());
}

std::vector<std::string> CompilerFlags::of(const std::string& path) const {
  const BuildFlags own = build_.of(path);
  std::vector<std::string> words;
  if (!path.ends_with(".c")) words.push_back(fmt::format("-std=c++{}", std::max(own.standard, 17)));
  if (own.links_device_code) words.emplace_back("-fgpu-rdc");
  const std::vector<std::string> options = options_of(own.rules, path);
  for (std::string& each : generation_options(translate_ ? translate_(options) : options))
    words.push_back(std::move(each));
  for (const std::string& folder : own.folders) {
    const std::filesystem::path& root = folder.starts_with("..") ? original_ : root_;
    for (const char* option : {"-iquote", "-I"})
      words.push_back(option + (root / folder).lexically_normal().string());
  }
  for (const auto& [macro, value] : own.macros) words.push_back("-D" + macro + value);
  words.insert(words.end(), folders_.begin(), folders_.end());
  // "../common/timer.h", outside the tree. Last, because the original has all other headers, too.
  words.push_back("-idirafter" + (original_ / folder_of(path)).lexically_normal().string());
  return words;
}

MakefileFacts nearest_makefile(const Tree& tree, std::string_view folder) {
  for (std::string_view here = folder;;) {
    for (const char* name : {"GNUmakefile", "makefile", "Makefile"}) {  // as make looks for them
      const std::string path = std::string(here) + name;
      if (const SourceFile* file = tree.find(path)) return read_makefile(file->text(), path);
      // The tree of a single file lacks the files next to it.
      if (!tree.is_one_file) continue;
      if (const auto text = read_file(tree.root / path)) return read_makefile(*text, path);
    }
    if (here.empty()) return {.folder = std::string(folder)};
    here = folder_prefix(here.substr(0, here.size() - 1));
  }
}

}  // namespace hipwright::project
