// SPDX-License-Identifier: MIT
#include "runtime/profiler/host_clock.h"

#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace hipwright::runtime {

namespace {

using Steady = std::chrono::steady_clock;

struct Pair {
  std::uint64_t ticks = 0;
  Steady::time_point moment;
};

#if defined(__x86_64__)

// The counter runs at one rate in all power states.
bool counter_is_invariant() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}

// Both clocks at one moment: the closest of a few tries.
Pair read_both() {
  Pair best;
  std::uint64_t best_gap = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t before = __rdtsc();
    const Steady::time_point moment = Steady::now();
    const std::uint64_t after = __rdtsc();
    if (after - before >= best_gap) continue;
    best_gap = after - before;
    best = {before + best_gap / 2, moment};
  }
  return best;
}

double rate_between(const Pair& from, const Pair& to) {
  return std::chrono::duration<double, std::nano>(to.moment - from.moment).count() /
         static_cast<double>(to.ticks - from.ticks);
}

double first_rate() {
  const Pair from = read_both();
  Pair to;
  do to = read_both();
  while (to.moment - from.moment < std::chrono::milliseconds(1));
  return rate_between(from, to);
}

#else

bool counter_is_invariant() {
  return false;
}

#endif

}  // namespace

HostClock::HostClock() {
  static_assert(std::ratio_equal_v<Steady::period, std::nano>, "ticks are nanoseconds");
  static const bool usable = counter_is_invariant();
  counter_ = usable;
#if defined(__x86_64__)
  if (counter_) {
    static const double rate = first_rate();
    const Pair now = read_both();
    rate_ = rate;
    origin_ticks_ = now.ticks;
    origin_ = now.moment;
    return;
  }
#endif
  origin_ = Steady::now();
  origin_ticks_ = static_cast<std::uint64_t>(origin_.time_since_epoch().count());
}

std::int64_t HostClock::nanoseconds(Steady::time_point moment) const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(moment - origin_).count();
}

void HostClock::refine() {
#if defined(__x86_64__)
  if (!counter_) return;
  const Pair now = read_both();
  // Over a shorter time the first measurement is as good.
  if (now.moment - origin_ > std::chrono::milliseconds(10))
    rate_ = rate_between({origin_ticks_, origin_}, now);
#endif
}

}  // namespace hipwright::runtime
