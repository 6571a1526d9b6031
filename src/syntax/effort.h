// SPDX-License-Identifier: MIT
// A bound on queries that read much of a file for each position. Ordinary files stay far below it;
// a file that repeats a line a hundred thousand times would take hours.
#pragma once

#include <cstddef>

namespace hipwright::syntax {

class Effort {
 public:
  // False if the file has used up its share: leave the query unanswered.
  bool spend(std::size_t steps) {
    if (steps > left_) is_used_up_ = true;
    left_ -= is_used_up_ ? left_ : steps;
    return !is_used_up_;
  }
  bool is_used_up() const { return is_used_up_; }

 private:
  std::size_t left_ = 300'000'000;  // tokens, about a second
  bool is_used_up_ = false;
};

}  // namespace hipwright::syntax
