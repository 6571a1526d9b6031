// SPDX-License-Identifier: MIT
#include "base/stop.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace hipwright {

namespace {

std::atomic<bool> requested = false;
int ends[2] = {-1, -1};

// Only async-signal-safe calls.
void request_stop(int) {
  requested = true;
  [[maybe_unused]] const ssize_t written = ::write(ends[1], "", 1);
}

}  // namespace

void stop_on_interrupt() {
  if (ends[0] >= 0 || ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() {
  return requested;
}

int stop_descriptor() {
  return ends[0];
}

Error stopped(std::string what) {
  return {"stopped", std::move(what), "by Ctrl-C or a signal", ""};
}

}  // namespace hipwright
