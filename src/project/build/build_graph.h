// SPDX-License-Identifier: MIT
// The files that each platform compiles in a whole tree: build lists and the include graph.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>

#include "project/build/built.h"
#include "project/file_set.h"

namespace hipwright::project {

// From CMake files and setup.py files; a source that several name is compiled if one of them says
// so.
BuiltFiles read_build_lists(const FileSet& tree);

// The words of a build file that may be macros defined by the build.
using MacroWords = std::unordered_set<syntax::cuda::MacroKey>;
void add_macro_words(std::string_view text, MacroWords& words);

// Set by a port's hip_names.h: hip_compat.h then takes 32-bit masks, for warps of 32 lanes.
constexpr std::string_view kWarpsOf32 = "HIP_COMPAT_WARPS_OF_32";

// One source or header: its includes and definitions, and the platforms of each (by #if lines).
struct IncludingFile {
  struct Edge {
    std::string path;  // as written
    BuiltFor built;
  };
  struct Definition {
    enum class Kind : unsigned char { kMacro, kMacroWithArguments, kFunction };
    syntax::cuda::MacroKey name = 0;
    Kind kind = Kind::kMacro;
    bool is_looked_for = false;  // a registered CUDA name
    bool is_platforms = false;   // a platform's macro that AMD's compiler does not define
    bool is_setting = false;     // kWarpsOf32
    bool is_per_target = false;  // a number that depends on the GPU, which the host does not see
    bool is_size_call = false;   // a wave size that a call returns: Utils::get_warp_size()
    bool is_fixed_size = false;  // a wave size of 64 for every target
    BuiltFor built;
    friend bool operator==(const Definition&, const Definition&) = default;
  };
  std::string path;
  std::vector<Edge> includes;
  std::vector<Definition> definitions;  // all macros; functions with registered names only
};
IncludingFile including_file(std::string path, const syntax::cuda::File& file);

// CUDA names and macros that a project defines for AMD, as seen by one file: in the file itself, in
// its includes, and in the includes of the files that include it.
struct OwnDefinitions {
  // Sorted.
  std::vector<syntax::cuda::MacroKey> macros, functions, redefined, per_target, size_calls,
      fixed_sizes;

  bool has_macro(std::string_view name) const;
  bool has_function(std::string_view name) const;
  bool has_per_target(std::string_view name) const;
  bool has_size_call(std::string_view name) const;
  bool has_fixed_size(std::string_view name) const;
};

class BuildGraph {
 public:
  BuildGraph() = default;
  // An #include is searched next to its file and then in all folders: every file that it can refer
  // to counts as included.
  BuildGraph(std::span<const IncludingFile> files, const BuiltFiles& lists,
             const MacroWords& words = {});

  // kNo: neither a build list nor an #include of a compiled file reaches this file. kMaybe: nothing
  // mentions it.
  Truth built(std::string_view path, Platform platform) const;
  // Do build lists name sources that AMD compiles? Then a file that they do not mention may not be
  // one of them.
  bool has_amd_list() const { return has_amd_list_; }
  const OwnDefinitions& own_definitions(std::string_view path) const;
  const syntax::cuda::MacroKnowledge& macros() const { return macros_; }

 private:
  BuiltFiles built_;
  std::map<std::string, OwnDefinitions, std::less<>> own_;
  syntax::cuda::MacroKnowledge macros_;
  bool has_amd_list_ = false;
};

}  // namespace hipwright::project
