// SPDX-License-Identifier: MIT
// --mode dual: one source for both platforms. NVIDIA's compiler sees it unchanged.
//
// Names are not replaced in the source: a header of the ported tree, which only AMD's compilers
// read, defines them. Every other change becomes a branch of an #if, with the original lines in the
// other branch.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "port/marks.h"
#include "port/ported_file.h"
#include "port/source/amd_support.h"

namespace hipwright::port {

// CUDA's name to HIP's.
using NamesForAmd = std::map<std::string, std::string, std::less<>>;

// Turns the changes of a file into branches. Names for the header are added to `names`, unless the
// project defines them for AMD itself: a second definition would meet its own.
Changes gated(const PortedFile& file, const AmdSupport& amd, NamesForAmd& names);

// The text of that header.
std::string names_header(const NamesForAmd& names, bool needs_compat);
// The names in such a text.
NamesForAmd read_names_header(std::string_view text);

}  // namespace hipwright::port
