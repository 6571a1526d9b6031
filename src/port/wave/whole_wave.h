// SPDX-License-Identifier: MIT
// The files that can use whole waves. A 32-lane warp becomes a 64-lane wave if everything that
// depends on its size is understood, and can be written with the target's size. A single obstacle
// keeps all files that share device functions with it at half a wave.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "port/source/context.h"

namespace hipwright::port {

// The name of the target's number of lanes in hip_compat.h.
constexpr std::string_view kWaveSize = "HIP_COMPAT_WAVE_SIZE";

// Why not.
struct Obstacle {
  const SourceFile* file = nullptr;
  Span span;
  std::string what;
};

class Waves {
 public:
  Waves(const Tree& tree, const OwnNames& own);

  struct Decision {
    bool is_native = false;
    std::vector<TextEdit> edits;  // when it is
    const Obstacle* obstacle = nullptr;
  };
  // nullptr if no function of the file accesses other lanes, and it defines nothing for those that
  // do.
  const Decision* of(const SourceFile& file) const;

 private:
  std::map<const SourceFile*, Decision> decisions_;
  std::vector<std::unique_ptr<Obstacle>> obstacles_;
};

// Written for AMD's waves already, by a port or by hand: masks of 64 bits.
bool is_for_waves(const syntax::cuda::File& file);

// Does it call wave functions: __shfl, __ballot?
bool looks_at_other_lanes(const syntax::cuda::File& file);

}  // namespace hipwright::port
