// SPDX-License-Identifier: MIT
// #if lines that test CUDA's macros, written to hold on both platforms.
#pragma once

#include <vector>

#include "port/change.h"
#include "syntax/cuda/file.h"

namespace hipwright::port {

// `renamings`: those of the line that begins at `hash`, to a macro of AMD's compilers or to
// (macro * number). The result leaves NVIDIA's view of the line unchanged, or is empty: the line
// means the same without a change, or its condition is not understood.
Changes for_both_platforms(const syntax::cuda::File& file, syntax::cuda::TokenIndex hash,
                           const std::vector<Change>& renamings);

}  // namespace hipwright::port
