// SPDX-License-Identifier: MIT
// What is compiled for whom in a whole tree: build lists, and who includes whom.
#pragma once

#include <span>
#include <unordered_map>

#include "syntax/build/built.h"

namespace hipwright::syntax::build {

// Of CMake files and setup.py files; a source that several name is compiled where one of them says.
BuiltFiles read_build_lists(const Tree& tree);

// One source or header: what it includes, and for whom (by the #if lines around the #include).
struct IncludingFile {
  struct Edge {
    std::string path;  // as written
    Built built;
  };
  std::string path;
  std::vector<Edge> includes;
};
IncludingFile including_file(std::string path, const cuda::File& file);

class Project {
 public:
  Project() = default;
  // An #include is looked for beside the file that has it and then in all folders: every file that
  // it can mean counts as included.
  Project(std::span<const IncludingFile> files, const BuiltFiles& lists);

  // kNo: no way leads to this file, neither a build list nor an #include of a file that is
  // compiled. kMaybe: nobody speaks of it.
  Truth built(std::string_view path, Platform platform) const;

 private:
  BuiltFiles built_;
};

}  // namespace hipwright::syntax::build
