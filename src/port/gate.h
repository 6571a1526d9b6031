// SPDX-License-Identifier: MIT
// --mode dual: one source for both platforms. What NVIDIA's compiler sees of it stays as it was.
//
// Names are not exchanged in the source: a header of the ported tree, which only AMD's compilers
// read, defines them. Every other change becomes a branch of an #if, with the old lines in the
// other one.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "port/port.h"

namespace hipwright::port {

constexpr std::string_view kNamesName = "hip_names.h";
// Who compiles: HIP's compilers define the first for HIP sources, ROCm's build systems the second
// for all of them.
constexpr std::string_view kGate = "defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)";

// CUDA's name to HIP's.
using NamesForAmd = std::map<std::string, std::string, std::less<>>;

// The changes of a file, as branches. Names that are left to the header are added to `names`.
Changes gated(const PortedFile& file, NamesForAmd& names);

// The text of that header.
std::string names_header(const NamesForAmd& names, bool needs_compat);
// The names in such a text.
NamesForAmd read_names_header(std::string_view text);

}  // namespace hipwright::port
