// SPDX-License-Identifier: MIT
// A bound on questions that look at much of a file for one of its places. Files that people write
// stay far below it; one that repeats a line a hundred thousand times would take hours.
#pragma once

#include <cstddef>

namespace hipwright::syntax {

class Effort {
 public:
  // False: the file has had its share, and the question is to stay without an answer.
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
