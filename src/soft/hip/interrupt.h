// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: what a kernel that never ends has shown until then is not lost.
#pragma once

#include <functional>

namespace hipwright::soft::hip {

// Calls `report` from a thread of its own when one of these signals arrives, then lets the signal
// end the process. Does nothing for signals that the program handles or ignores. Call it once.
void on_interrupt(std::function<void()> report);

}  // namespace hipwright::soft::hip
