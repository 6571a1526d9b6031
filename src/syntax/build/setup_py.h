// SPDX-License-Identifier: MIT
// Which sources the setup.py files of a tree give to extensions.
#pragma once

#include "syntax/build/built.h"

namespace hipwright::syntax::build {

// Reads setup.py, setup_rocm.py and their like: texts that name sources, in the arguments of an
// …Extension(…) or in a list whose name says that it holds sources. Conditions around them count,
// and so does a platform in the name of the file.
BuiltFiles read_setup_sources(const Tree& tree);

}  // namespace hipwright::syntax::build
