// SPDX-License-Identifier: MIT
// --mode dual: one source for both platforms. NVIDIA's compiler sees it
// unchanged.
//
// Names are not replaced in the source: a header of the ported tree, which only
// AMD's compilers read, defines them (shim.h). Conditions ask for both
// platforms in one line. Every other change becomes a branch of an #if, with
// the original lines in the other branch.
#pragma once

#include <set>

#include "port/gate/shim.h"
#include "port/marks.h"
#include "port/ported_file.h"
#include "port/source/amd_support.h"

namespace hipwright::port {

// The files of a tree that include that header.
using ShimUsers = std::set<const SourceFile*>;
ShimUsers shim_users(const Ported& ported, const AmdSupport& amd);

// Turns the changes of a file into branches and adds the rest to the header,
// except for names that the project defines for AMD itself: a second definition
// would conflict with its own.
Changes gated(const PortedFile& file, const Tree& tree, const AmdSupport& amd,
              const ShimUsers& users, Shim& shim);

}  // namespace hipwright::port
