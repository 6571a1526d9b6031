// SPDX-License-Identifier: MIT
// Host time that is cheap to read: the processor's time stamp counter where it runs at a constant
// rate, else the steady clock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hipwright::runtime {

class HostClock {
 public:
  HostClock();  // measures the counter's rate once in a process, which takes a millisecond

  std::uint64_t ticks() const {
#if defined(__x86_64__)
    if (counter_) return __rdtsc();
#endif
    return steady_ticks();
  }
  // Since the clock was made.
  std::int64_t nanoseconds(std::uint64_t ticks) const {
    return duration(origin_ticks_, ticks);
  }
  std::int64_t duration(std::uint64_t begin, std::uint64_t end) const {
    return static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(end - begin)) *
                                     rate_.load(std::memory_order_relaxed));
  }
  // Of a moment of the steady clock, on the same scale.
  std::int64_t nanoseconds(std::chrono::steady_clock::time_point moment) const;

  // Measures the rate again over all the time that has passed.
  void refine();

 private:
  static std::uint64_t steady_ticks() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }

  bool counter_ = false;
  std::uint64_t origin_ticks_ = 0;
  std::chrono::steady_clock::time_point origin_;
  std::atomic<double> rate_ = 1.0;  // nanoseconds per tick
};

}  // namespace hipwright::runtime
