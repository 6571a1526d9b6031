// SPDX-License-Identifier: MIT
#include "soft/exec/lost_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <utility>

namespace hipwright::soft {

namespace {

constexpr std::uint64_t kPage = 4096;

thread_local volatile unsigned work_depth = 0;
thread_local volatile std::uint64_t last_page = 0;

// All registered memory lies between these.
std::atomic<std::uint64_t> lowest{~std::uint64_t{0}}, highest{0};
std::atomic<std::uint64_t> lost{0};
struct sigaction old_segv {
}, old_bus{};

void* pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

bool map_page(std::uint64_t page, int flags) {
  return mmap(pointer(page), kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
              0) == pointer(page);
}

// Only what a signal handler may call.
bool repair(int signal, std::uint64_t page) {
  if (signal == SIGBUS) return map_page(page, MAP_FIXED);
  unsigned char resident = 0;
  if (mincore(pointer(page), kPage, &resident) != 0 && errno == ENOMEM)
    return map_page(page, MAP_FIXED_NOREPLACE);
  return mprotect(pointer(page), kPage, PROT_READ | PROT_WRITE) == 0;
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& old = signal == SIGBUS ? old_bus : old_segv;
  if ((old.sa_flags & SA_SIGINFO) != 0) {
    old.sa_sigaction(signal, info, context);
  } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
    old.sa_handler(signal);
  } else {
    // The access is made again, and ends the program.
    std::signal(signal, SIG_DFL);
  }
}

void handle(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const std::uint64_t page = address / kPage * kPage;
  // A page that is repaired and fails again is not what this can help with.
  if (work_depth != 0 && address >= lowest && address < highest && page != last_page &&
      repair(signal, page)) {
    last_page = page;
    std::uint64_t none = 0;
    lost.compare_exchange_strong(none, address);
  } else {
    pass_on(signal, info, context);
  }
  errno = saved;
}

void install(int signal, struct sigaction& old) {
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(signal, &action, &old);
}

}  // namespace

DeviceWork::DeviceWork() {
  work_depth = work_depth + 1;
  last_page = 0;
}
DeviceWork::~DeviceWork() {
  work_depth = work_depth - 1;
}

void watch_registered(std::uint64_t begin, std::uint64_t end) {
  static std::once_flag installed;
  std::call_once(installed, [] {
    install(SIGSEGV, old_segv);
    install(SIGBUS, old_bus);
  });
  for (std::uint64_t seen = lowest; begin < seen && !lowest.compare_exchange_weak(seen, begin);) {
  }
  for (std::uint64_t seen = highest; end > seen && !highest.compare_exchange_weak(seen, end);) {
  }
}

std::optional<std::uint64_t> take_lost() {
  const std::uint64_t address = lost.exchange(0);
  return address == 0 ? std::nullopt : std::optional(address);
}

}  // namespace hipwright::soft
