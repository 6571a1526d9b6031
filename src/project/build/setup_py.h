// SPDX-License-Identifier: MIT
// The extension sources in the setup.py files of a tree, and their flags.
#pragma once

#include "project/build/built.h"
#include "project/build/options.h"
#include "project/file_set.h"

namespace hipwright::project {

struct SetupFacts {
  BuiltFiles sources;
  FolderFlags flags;
};

// Reads setup.py, setup_rocm.py and similar files: strings that name sources, in the arguments of
// an …Extension(…) or in a list that is named after sources. Conditions around them count, and so
// does a platform in the name of the file. Flags are all strings that are compiler options.
SetupFacts read_setup_py(const FileSet& tree);

}  // namespace hipwright::project
