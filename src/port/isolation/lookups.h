// SPDX-License-Identifier: MIT
// What the code and the build files of a tree find by name or pattern: an added file can be found
// instead of, or in addition to, the intended one.
#pragma once

#include <string>
#include <vector>

#include "port/project_names.h"

namespace hipwright::port {

struct Lookup {
  enum class Kind {
    kInclude,        // what: the path of an #include or __has_include, as written
    kIncludeFolder,  // what: a folder that a build gives to the compiler
    kModule,         // what: "json", "a.b" of an import
    kModulePath,     // what: "pkg/sub", from the root, of a relative import
    kScript,         // what: a folder whose Python files are run by themselves
    kGlob,           // what: a pattern; see is_anywhere
    kData,           // the same, of files that are put into a package
    kModules,        // the same, from a folder where Python looks
    kPackages,       // what: a folder whose packages are looked for
    kCMakeModule,    // what: "FindX.cmake"
  };
  Kind kind;
  std::string what;
  bool is_system = false;    // of kInclude: <…>
  bool is_anywhere = false;  // of a pattern: what stands before it is not known
  const SourceFile* from = nullptr;
  std::size_t offset = 0;
};

// Only what NVIDIA's tools read: AMD branches refer to AMD's files.
std::vector<Lookup> lookups_of(const SourceFile& file);
std::vector<Lookup> lookups_of(const Tree& tree, ThreadPool& pool);

}  // namespace hipwright::port
