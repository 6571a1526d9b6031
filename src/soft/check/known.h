// SPDX-License-Identifier: MIT
// What a wave knows of others: how far each wave of each workgroup had got in all that is ordered
// before. Copies share their content.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace hipwright::soft {

using WaveClocks = std::vector<std::uint32_t>;  // of one workgroup, by wave

class Known {
 public:
  bool empty() const { return !entries_ && everything_until_ == 0; }
  // `now`: the time of the launch, for what is too much to keep.
  void join(const Known& other, std::uint32_t now);
  void join(std::uint32_t group, const WaveClocks& clocks, std::uint32_t now);
  // Of one workgroup; nullptr: nothing.
  const WaveClocks* of(std::uint32_t group) const;
  // Whether what a wave did at this clock, and at this time of the launch, is ordered before.
  bool covers(std::uint32_t group, unsigned wave, std::uint32_t clock, std::uint32_t time) const;

 private:
  struct Entry {
    std::uint32_t group = 0;
    std::shared_ptr<const WaveClocks> clocks;
  };
  using Entries = std::vector<Entry>;  // by group
  void set(Entries entries, std::uint32_t now);

  std::shared_ptr<const Entries> entries_;
  // Who knows of too many workgroups is taken to know of everything until then.
  std::uint32_t everything_until_ = 0;
};

}  // namespace hipwright::soft
