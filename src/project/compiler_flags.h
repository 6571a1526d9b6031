// SPDX-License-Identifier: MIT
// The compiler flags of each source of a tree, without running its build.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "project/build/compile_commands.h"
#include "project/build/makefile.h"
#include "project/build/options.h"
#include "project/file_set.h"
#include "project/tree.h"

namespace hipwright::project {

// The flags of compile_commands.json for the sources that it names. For others, those of all build
// files in the folder and above, the nearest first. Flags under conditions that may be false, and
// values that only a build knows, are omitted.
class UnitFlags {
 public:
  // `original`: the tree that this one is a port of, which provides compile_commands.json if the
  // tree has none.
  explicit UnitFlags(const Tree& tree, const std::filesystem::path& original = {});
  BuildFlags of(std::string_view path) const;

 private:
  CompileCommands commands_;
  FolderFlags by_folder_;
};

// Options of another compiler for the one that is called.
using TranslateOptions = std::vector<std::string> (*)(const std::vector<std::string>& words);

// The same as compiler options for a tree at `root`: standard, folders, macros, and what changes
// the generated code. Folders outside the tree stay where they are. The flags of the build come
// first, because they decide between two headers of the same name. Then all folders that the
// #include lines of the tree are relative to.
class CompilerFlags {
 public:
  CompilerFlags(const Tree& tree, const std::filesystem::path& root,
                const std::filesystem::path& original = {}, TranslateOptions translate = nullptr);
  std::vector<std::string> of(const std::string& path) const;

 private:
  UnitFlags build_;
  std::filesystem::path root_, original_;
  TranslateOptions translate_;
  std::vector<std::string> folders_;  // as options
};

FileSet file_set_of(const Tree& tree);  // refers to the tree

// The Makefile of a folder ("src/", or "" for the root) or of the nearest one above; empty: there
// is no such file.
MakefileFacts nearest_makefile(const Tree& tree, std::string_view folder);

}  // namespace hipwright::project
