// SPDX-License-Identifier: MIT
// Ctrl-C, SIGTERM and SIGHUP. They end the process with 128 + the signal's number, after clean_up()
// (base/cleanup.h), or are a request: long commands end with the results they have.
#pragma once

#include "base/error.h"

namespace hipwright {

// Installs the handlers; called once, by main. A signal that was ignored stays ignored (nohup).
void catch_interrupts();

// From now on the first signal is a request to stop; the second ends the process. Programs that
// run() started are ended, and run() fails with stopped().
void stop_on_interrupt();
bool stop_requested() noexcept;
// The signal; 0 if none came.
int stop_signal() noexcept;
// Readable once a stop is requested; -1 before catch_interrupts() and stop_on_interrupt().
int stop_descriptor() noexcept;
// What is abandoned because of it.
Error stopped(std::string what);

// For tests, which have many runs in one process: neither a request nor handlers.
void forget_stop() noexcept;

}  // namespace hipwright
