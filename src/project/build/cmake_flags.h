// SPDX-License-Identifier: MIT
// The flags that a CMake command adds for its folder and those below.
#pragma once

#include <string_view>

#include "project/build/cmake_values.h"
#include "project/build/options.h"
#include "project/file_set.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::project {

// `folder`: of the current CMakeLists.txt. Unknown arguments are omitted.
void add_cmake_flags(const syntax::build::CMakeCommand& command, const CMakeVariables& variables,
                     std::string_view folder, const FileSet& files, BuildFlags& into);

}  // namespace hipwright::project
