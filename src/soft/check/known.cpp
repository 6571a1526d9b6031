// SPDX-License-Identifier: MIT
#include "soft/check/known.h"

#include <algorithm>
#include <utility>

namespace hipwright::soft {

namespace {

constexpr std::size_t kMostGroups = 512;

bool includes(const WaveClocks& a, const WaveClocks& b) {
  if (a.size() < b.size()) return false;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (a[i] < b[i]) return false;
  return true;
}

std::shared_ptr<const WaveClocks> joined(const std::shared_ptr<const WaveClocks>& a,
                                         const std::shared_ptr<const WaveClocks>& b) {
  if (a == b || includes(*a, *b)) return a;
  if (includes(*b, *a)) return b;
  WaveClocks most(std::max(a->size(), b->size()), 0);
  for (std::size_t i = 0; i < most.size(); ++i)
    most[i] = std::max(i < a->size() ? (*a)[i] : 0, i < b->size() ? (*b)[i] : 0);
  return std::make_shared<const WaveClocks>(std::move(most));
}

}  // namespace

void Known::set(Entries entries, std::uint32_t now) {
  if (entries.size() > kMostGroups) {
    everything_until_ = std::max(everything_until_, now);
    entries.clear();
  }
  entries_ = entries.empty() ? nullptr : std::make_shared<const Entries>(std::move(entries));
}

void Known::join(const Known& other, std::uint32_t now) {
  everything_until_ = std::max(everything_until_, other.everything_until_);
  if (!other.entries_ || other.entries_ == entries_) return;
  if (!entries_) {
    entries_ = other.entries_;
    return;
  }
  Entries all;
  all.reserve(entries_->size() + other.entries_->size());
  auto a = entries_->begin(), b = other.entries_->begin();
  const auto a_end = entries_->end(), b_end = other.entries_->end();
  while (a != a_end || b != b_end) {
    if (b == b_end || (a != a_end && a->group < b->group))
      all.push_back(*a++);
    else if (a == a_end || b->group < a->group)
      all.push_back(*b++);
    else {
      all.push_back({.group = a->group, .clocks = joined(a->clocks, b->clocks)});
      ++a;
      ++b;
    }
  }
  set(std::move(all), now);
}

void Known::join(std::uint32_t group, const WaveClocks& clocks, std::uint32_t now) {
  Known one;
  one.entries_ = std::make_shared<const Entries>(
      Entries{{.group = group, .clocks = std::make_shared<const WaveClocks>(clocks)}});
  join(one, now);
}

const WaveClocks* Known::of(std::uint32_t group) const {
  if (!entries_) return nullptr;
  const auto found = std::ranges::lower_bound(*entries_, group, {}, &Entry::group);
  return found == entries_->end() || found->group != group ? nullptr : found->clocks.get();
}

bool Known::covers(std::uint32_t group, unsigned wave, std::uint32_t clock,
                   std::uint32_t time) const {
  if (time < everything_until_) return true;
  const WaveClocks* const clocks = of(group);
  return clocks && wave < clocks->size() && (*clocks)[wave] >= clock;
}

}  // namespace hipwright::soft
