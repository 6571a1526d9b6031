// SPDX-License-Identifier: MIT
// Which sources the CMake files of a tree compile for which platform.
#pragma once

#include "syntax/build/built.h"

namespace hipwright::syntax::build {

// Follows set, list, file(GLOB), if, foreach, include and add_subdirectory with what is known of a
// platform's variables. A command that is none of CMake's own and names sources (a project's
// add_my_library) counts as one that builds them; bodies of functions are not followed. Every
// source that is written somewhere has an entry; kNo: it is compiled in no configuration of that
// platform.
BuiltFiles read_cmake_sources(const Tree& tree);

// Has the path the ending of a source that a build compiles by itself?
bool is_compiled_source(std::string_view path);

}  // namespace hipwright::syntax::build
