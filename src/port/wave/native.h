// SPDX-License-Identifier: MIT
// Which files can count in whole waves. A warp of 32 lanes becomes a wave of 64 where everything
// that depends on its size is understood, and can be written with the size of the target. One thing
// that is not keeps all files that share device functions with it at half a wave.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "port/source/context.h"

namespace hipwright::port {

// What hip_compat.h calls the number of lanes of the target.
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
  // nullptr: no function of the file looks at other lanes, and it defines nothing for those that
  // do.
  const Decision* of(const SourceFile& file) const;

 private:
  std::map<const SourceFile*, Decision> decisions_;
  std::vector<std::unique_ptr<Obstacle>> obstacles_;
};

// Written for AMD's waves already, by a port or by hand: masks of 64 bits.
bool is_for_waves(const syntax::cuda::File& file);

void use_whole_waves(SourceContext& context, const Waves::Decision& decision);

}  // namespace hipwright::port
