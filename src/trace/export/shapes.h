// SPDX-License-Identifier: MIT
// The shapes of a trace's GEMMs, as tuners read them.
#pragma once

#include <string>

#include "trace/analysis/summary.h"

namespace hipwright::trace {

struct ExportedShapes {
  std::string csv;  // AITER's list of untuned GEMMs: M,N,K,bias,dtype,outdtype,scaleAB,bpreshuffle
  std::size_t shapes = 0;
  std::size_t batched = 0;  // batched GEMMs, which the format cannot hold
};
// Most time first; each shape once.
ExportedShapes exported_shapes(const Summary& summary);

}  // namespace hipwright::trace
