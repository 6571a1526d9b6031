// SPDX-License-Identifier: MIT
// Durations in bounded memory: count, sum, smallest and largest are exact; percentiles are exact
// up to kExact values, after that within 1 % (a histogram of 64 equal steps per power of two).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hipwright::runtime {

class Distribution {
 public:
  static constexpr std::size_t kExact = 1024;

  void add(std::int64_t nanoseconds) {
    const std::uint64_t value = nanoseconds < 0 ? 0 : static_cast<std::uint64_t>(nanoseconds);
    ++count_;
    total_ += value;
    if (value < smallest_) smallest_ = value;
    if (value > largest_) largest_ = value;
    if (buckets_.empty())
      add_exact(value);
    else
      ++buckets_[bucket_of(value)];
  }

  std::uint64_t count() const { return count_; }
  // Milliseconds; 0 when there are no values.
  double total_ms() const { return static_cast<double>(total_) * 1e-6; }
  double average_ms() const;
  double smallest_ms() const;
  double largest_ms() const;
  double percentile_ms(double share) const;  // 0.5 is the median, by nearest rank

 private:
  // Values below kSteps have a bucket each; then come kSteps per power of two.
  static constexpr unsigned kStepBits = 6;
  static constexpr std::size_t kSteps = std::size_t{1} << kStepBits;
  static constexpr std::size_t kBuckets = kSteps * (64 - kStepBits + 1);

  static std::size_t bucket_of(std::uint64_t value) {
    if (value < kSteps) return value;
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kStepBits;
    return kSteps * (shift + 1) + ((value >> shift) - kSteps);
  }
  static double middle_of(std::size_t bucket);
  void add_exact(std::uint64_t value);

  std::uint64_t count_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t smallest_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t largest_ = 0;
  std::vector<std::uint64_t> values_;   // until there are too many
  std::vector<std::uint64_t> buckets_;  // from then on
};

}  // namespace hipwright::runtime
