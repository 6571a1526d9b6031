// SPDX-License-Identifier: MIT
// Where checks and reports are plugged into the runtime.
#pragma once

#include <functional>

#include "soft/exec/launch.h"
#include "soft/hip/config.h"

namespace hipwright::soft::hip {

struct Instruments {
  WatchFactory watch;  // for Engine::watch; empty: nothing watches
  // At the end of the program: prints and writes what was asked for; true: checks found something.
  std::function<bool()> finish;
};

Result<Instruments> make_instruments(const Config& config, const Memory& memory);

}  // namespace hipwright::soft::hip
