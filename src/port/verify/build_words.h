// SPDX-License-Identifier: MIT
// The macros, folders and language that a project's build files give to its sources, without
// running a build.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "port/tree.h"

namespace hipwright::port {

// Of one build file; its folder and those below are concerned. What stands under a condition, or
// has a value that only a build knows, is left out.
struct BuildWords {
  std::map<std::string, std::string> macros;  // with "=value", or empty
  std::vector<std::string> folders;           // from the root of the tree; "../x" lies outside
  int standard = 0;                           // of C++: 20; 0: not said
  bool links_device_code = false;             // device functions call those of other sources
};

BuildWords build_words_of(const SourceFile& file);

// What a compiler is told for a source: of all build files in its folder and above, those nearest
// first.
class UnitWords {
 public:
  explicit UnitWords(const Tree& tree);
  BuildWords of(std::string_view path) const;

 private:
  std::map<std::string, std::vector<BuildWords>, std::less<>> by_folder_;
};

// The same as a compiler's options for a tree that stands at `root`: standard, folders, macros.
// What lies outside of the tree is where it was. What the build files say comes first: they know
// which of two headers of a name is meant. Then all folders that #include lines of the tree are
// written from.
class CompilerWords {
 public:
  CompilerWords(const Tree& tree, std::filesystem::path root);
  std::vector<std::string> of(const std::string& path) const;

 private:
  UnitWords build_;
  std::filesystem::path root_, original_;
  std::vector<std::string> folders_;  // as options
};

}  // namespace hipwright::port
