// SPDX-License-Identifier: MIT
// The macros, folders and language that a project's build files give to its sources, without
// running a build.
#pragma once

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
  std::vector<std::string> folders;           // from the root of the tree
  int standard = 0;                           // of C++: 20; 0: not said
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

}  // namespace hipwright::port
