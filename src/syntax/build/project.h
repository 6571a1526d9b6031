// SPDX-License-Identifier: MIT
// What is compiled for whom in a whole tree: build lists, and who includes whom.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>

#include "syntax/build/built.h"

namespace hipwright::syntax::build {

// Of CMake files and setup.py files; a source that several name is compiled where one of them says.
BuiltFiles read_build_lists(const Tree& tree);

// The words of a build file that can be names of macros: a build may define them.
using BuildWords = std::unordered_set<cuda::MacroKey>;
void add_build_words(std::string_view text, BuildWords& words);

// One source or header: what it includes and defines, and for whom (by the #if lines around).
struct IncludingFile {
  struct Edge {
    std::string path;  // as written
    Built built;
  };
  struct Definition {
    enum class Kind : unsigned char { kMacro, kMacroWithArguments, kFunction };
    cuda::MacroKey name = 0;
    Kind kind = Kind::kMacro;
    bool is_looked_for = false;  // one of CUDA's names that somebody looks for
    bool is_platforms = false;   // a macro of a platform's compiler that AMD's does not define
    bool is_per_target = false;  // a number that depends on the GPU, which the host does not see
    Built built;
    friend bool operator==(const Definition&, const Definition&) = default;
  };
  std::string path;
  std::vector<Edge> includes;
  std::vector<Definition> definitions;  // all macros; functions only where they are looked for
};
IncludingFile including_file(std::string path, const cuda::File& file);

// Names of CUDA's and of its compiler that a project gives a meaning on AMD, as one file sees it:
// in the file itself, in what it includes, and in what the files include that include it.
struct OwnNames {
  std::vector<cuda::MacroKey> macros, functions, redefined, per_target;  // sorted

  bool has_macro(std::string_view name) const;
  bool has_function(std::string_view name) const;
  bool has_per_target(std::string_view name) const;
};

class Project {
 public:
  Project() = default;
  // An #include is looked for beside the file that has it and then in all folders: every file that
  // it can mean counts as included.
  Project(std::span<const IncludingFile> files, const BuiltFiles& lists,
          const BuildWords& words = {});

  // kNo: no way leads to this file, neither a build list nor an #include of a file that is
  // compiled. kMaybe: nobody speaks of it.
  Truth built(std::string_view path, Platform platform) const;
  // Do build lists name sources that AMD compiles? Then a file of which nobody speaks is perhaps
  // none of them.
  bool has_amd_list() const { return has_amd_list_; }
  const OwnNames& own_names(std::string_view path) const;
  const cuda::MacroKnowledge& macros() const { return macros_; }

 private:
  BuiltFiles built_;
  std::map<std::string, OwnNames, std::less<>> own_;
  cuda::MacroKnowledge macros_;
  bool has_amd_list_ = false;
};

}  // namespace hipwright::syntax::build
