// SPDX-License-Identifier: MIT
// The sources that the CMake files of a tree compile for each platform, and their flags.
#pragma once

#include "project/build/built.h"
#include "project/build/options.h"
#include "project/file_set.h"

namespace hipwright::project {

// Follows set, list, file(GLOB), if, foreach, include and add_subdirectory with the known variables
// of a platform. A command that is not CMake's and names sources (a project's add_my_library)
// counts as one that builds them; function bodies are not followed. Every source that is mentioned
// has an entry; kNo: no configuration of that platform compiles it.
BuiltFiles read_cmake_sources(const FileSet& tree);

// The flags of commands that certainly run on AMD. Required languages and packages that AMD lacks
// do not stop the configuration, because a port replaces them.
FolderFlags read_cmake_flags(const FileSet& tree);

// Does the path have the extension of a source that a build compiles?
bool is_compiled_source(std::string_view path);

}  // namespace hipwright::project
