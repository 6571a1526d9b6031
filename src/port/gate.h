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

#include "port/ported_file.h"

namespace hipwright::port {

constexpr std::string_view kNamesName = "hip_names.h";
// Platform macros: HIP compilers define the first for HIP sources, ROCm's build systems the second
// for all sources.
constexpr std::string_view kGate = "defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)";

// CUDA's name to HIP's.
using NamesForAmd = std::map<std::string, std::string, std::less<>>;

// Turns the changes of a file into branches. Names for the header are added to `names`.
Changes gated(const PortedFile& file, NamesForAmd& names);

// The text of that header.
std::string names_header(const NamesForAmd& names, bool needs_compat);
// The names in such a text.
NamesForAmd read_names_header(std::string_view text);

}  // namespace hipwright::port
