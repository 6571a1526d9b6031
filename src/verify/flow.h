// SPDX-License-Identifier: MIT
// The main job: from a CUDA repository to a port that is proven as far as this machine can.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "port/port.h"
#include "port/verify/verify.h"
#include "verify/pyramid.h"

namespace hipwright::verify {

struct FlowOptions {
  port::Options port;
  // Of `path`, archs and devices; its path is the port's.
  PyramidOptions pyramid;
  std::filesystem::path out;  // where the port goes; empty: nowhere, it is only verified
  bool fixes = false;         // where verification fails, the linter's safe fixes are tried
};

struct Round {
  Pyramid pyramid;
  std::string fixes;  // applied after it, as a patch; empty: none
  std::size_t fixed = 0;
};

struct Flow {
  port::Ported ported;
  port::Verified compiled;
  std::vector<Round> rounds;  // the last says what is proven
  const Pyramid& proven() const { return rounds.back().pyramid; }
};

Result<Flow> port_and_verify(const FlowOptions& options);

}  // namespace hipwright::verify
