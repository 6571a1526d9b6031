// SPDX-License-Identifier: MIT
// Compiler options as build files write them: macros, include folders, language standard.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::project {

// How a build compiles some sources for GPUs.
struct CompileRule {
  std::string target;                // of CMake
  std::vector<std::string> sources;  // of the tree; a % stands for anything; none: of the folder
  std::vector<std::string> options;  // the words of the command, as written

  bool names(std::string_view path) const;
};

struct BuildFlags {
  std::map<std::string, std::string> macros;  // with "=value", or empty
  // Relative to the root of the tree; "../x" is outside of it, "/x" is absolute.
  std::vector<std::string> folders;
  int standard = 0;                // of C++: 20; 0 if not set
  bool links_device_code = false;  // device functions call those of other sources
  std::vector<CompileRule> rules;

  // Appends the flags of `other`; macros keep their values.
  void add(const BuildFlags& other);
  void add_folder(std::string folder);  // unless present
};

// The flags of the build for AMD, by the folder that they apply to, with those below it.
using FolderFlags = std::map<std::string, BuildFlags, std::less<>>;

// The options of the rule that names the source, itself or by a pattern; without one, those that
// all rules share.
std::vector<std::string> options_of(const std::vector<CompileRule>& rules, std::string_view path);

// Of the words of a compiler's command, those that change the code that it generates: -O3,
// -ffp-contract=off, -march=native. Not those that need something at link time.
std::vector<std::string> generation_options(const std::vector<std::string>& words);

// Reads the options of a build file. Values that only a build knows ($ in them) are omitted.
class OptionReader {
 public:
  OptionReader(std::string_view folder, BuildFlags& into) : folder_(folder), into_(into) {}

  // Reads -DNAME=1, -D NAME, -Ifolder, -std=c++20, -rdc=true and skips other options. Returns 2 if
  // `next`, the following word, was used, and otherwise 1.
  std::size_t option(std::string_view word, std::string_view next = {});
  void macro(std::string_view text);   // "NAME=1"
  void folder(std::string_view path);  // relative to the build file; not an absolute one
  void standard(std::string_view digits);

 private:
  std::string_view folder_;
  BuildFlags& into_;
};

}  // namespace hipwright::project
