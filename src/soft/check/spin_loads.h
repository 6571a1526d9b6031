// SPDX-License-Identifier: MIT
// Loads that only synchronise. The code object does not say which loads and stores were atomic in
// the source: on some targets, and for shared memory on all, they are the plain ones. What the code
// does with the value tells.
#pragma once

#include <unordered_map>

#include "soft/exec/wave.h"

namespace hipwright::soft {

class SpinLoads {
 public:
  // A loop does nothing but repeat this load, from one address, until its value changes.
  bool waits_for_change(const Inst& load);
  // The old value for a loop over compare-and-swap, which compilers write where hardware lacks an
  // atomic: a stale value only costs another round.
  bool begins_compare_and_swap(const Inst& load);

 private:
  std::unordered_map<const Inst*, bool> waits_, swaps_;
};

}  // namespace hipwright::soft
