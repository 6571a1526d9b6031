// SPDX-License-Identifier: MIT
#include "base/stop.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/cleanup.h"

namespace hipwright {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> the_signal = 0;
std::atomic<bool> is_request = false;
std::atomic<int> the_descriptor = -1;

// Only async-signal-safe calls.
void on_signal(int signal) {
  const int saved = errno;
  const int before = the_signal.exchange(signal);
  const std::uint64_t one = 1;
  static_cast<void>(!::write(the_descriptor, &one, sizeof one));
  if (before == 0 && is_request) {
    errno = saved;
    return;
  }
  constexpr std::string_view kText = "\nhipwright: interrupted\n";
  static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  clean_up();
  ::_exit(128 + signal);
}

}  // namespace

void catch_interrupts() {
  if (the_descriptor >= 0) return;
  the_descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  // One at a time: the handler of the second would not come back to the first.
  for (const int each : kSignals) ::sigaddset(&action.sa_mask, each);
  for (const int each : kSignals) {
    struct sigaction before {};
    if (::sigaction(each, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(each, &action, nullptr);
  }
}

void stop_on_interrupt() {
  catch_interrupts();
  is_request = true;
}

bool stop_requested() noexcept {
  return the_signal != 0;
}

int stop_signal() noexcept {
  return the_signal;
}

int stop_descriptor() noexcept {
  return the_descriptor;
}

Error stopped(std::string what) {
  return {"stopped", std::move(what), "by Ctrl-C or a signal", ""};
}

void forget_stop() noexcept {
  for (const int each : kSignals) ::signal(each, SIG_DFL);
  if (const int descriptor = the_descriptor.exchange(-1); descriptor >= 0) ::close(descriptor);
  is_request = false;
  the_signal = 0;
}

}  // namespace hipwright
