// SPDX-License-Identifier: MIT
#include "soft/hip/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

namespace hipwright::soft::hip {

namespace {

// What the signal handler may use.
int pipe_to_reporter = -1;
pid_t owner = 0;

void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
}

void handle(int signal) {
  const int saved = errno;
  const auto byte = static_cast<unsigned char>(signal);
  // A child process after fork() has the pipe, but not the thread that reads it.
  if (::getpid() != owner || ::write(pipe_to_reporter, &byte, 1) != 1) die_of(signal);
  errno = saved;
}

void serve(int pipe, const std::function<void()>& report) {
  unsigned char signal = 0;
  ssize_t got = 0;
  do {
    got = ::read(pipe, &signal, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 1) return;
  report();
  die_of(signal);
}

}  // namespace

void on_interrupt(std::function<void()> report) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  pipe_to_reporter = ends[1];
  owner = ::getpid();
  // The program's signals are for the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([pipe = ends[0], report = std::move(report)] { serve(pipe, report); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
        now.sa_handler != SIG_DFL)
      continue;
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace hipwright::soft::hip
