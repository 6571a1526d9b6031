// SPDX-License-Identifier: MIT
#include "runtime/profiler/distribution.h"

#include <algorithm>
#include <cmath>

namespace hipwright::runtime {

double Distribution::middle_of(std::size_t bucket) {
  if (bucket < kSteps) return static_cast<double>(bucket);
  const std::size_t shift = bucket / kSteps - 1;
  const double step = std::ldexp(1.0, static_cast<int>(shift));
  return (static_cast<double>(kSteps + bucket % kSteps) + 0.5) * step;
}

void Distribution::add_exact(std::uint64_t value) {
  if (values_.size() < kExact) {
    values_.push_back(value);
    return;
  }
  buckets_.resize(kBuckets);
  for (const std::uint64_t known : values_) ++buckets_[bucket_of(known)];
  ++buckets_[bucket_of(value)];
  std::vector<std::uint64_t>().swap(values_);
}

double Distribution::average_ms() const {
  return count_ == 0 ? 0 : total_ms() / static_cast<double>(count_);
}

double Distribution::smallest_ms() const {
  return count_ == 0 ? 0 : static_cast<double>(smallest_) * 1e-6;
}

double Distribution::largest_ms() const {
  return static_cast<double>(largest_) * 1e-6;
}

double Distribution::percentile_ms(double share) const {
  if (count_ == 0) return 0;
  const auto wanted = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))));
  if (buckets_.empty()) {
    std::vector<std::uint64_t> values = values_;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(values.begin(), place, values.end());
    return static_cast<double>(*place) * 1e-6;
  }
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (seen >= wanted)
      return std::clamp(middle_of(bucket), static_cast<double>(smallest_),
                        static_cast<double>(largest_)) *
             1e-6;
  }
  return largest_ms();
}

}  // namespace hipwright::runtime
