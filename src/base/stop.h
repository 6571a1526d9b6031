// SPDX-License-Identifier: MIT
// Ctrl-C as a request: long commands end with the results they have.
#pragma once

#include "base/error.h"

namespace hipwright {

// From now on the first SIGINT or SIGTERM is a request to stop; the second ends the process.
void stop_on_interrupt();
bool stop_requested();
// Readable once a stop is requested; -1 without stop_on_interrupt().
int stop_descriptor();
// What is abandoned because of it.
Error stopped(std::string what);

}  // namespace hipwright
