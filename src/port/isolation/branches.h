// SPDX-License-Identifier: MIT
// if … else … endif of a build file, with some conditions decided.
#pragma once

#include <utility>
#include <vector>

namespace hipwright::port {

class Branches {
 public:
  enum class Answer { kOpen, kYes, kNo };
  // What remains of the line that begins a branch.
  enum class Left { kNothing, kIf, kElseIf, kElse };

  // Is this code built?
  bool is_seen() const { return groups_.empty() || groups_.back().is_live; }
  bool empty() const { return groups_.empty(); }

  Left open(Answer answer) {
    groups_.push_back({.is_built = is_seen()});
    return next(answer);
  }

  // elseif and else; only inside a group.
  Left next(Answer answer) {
    Group& group = groups_.back();
    group.is_live = group.is_built && !group.is_decided && answer != Answer::kNo;
    if (!group.is_live) return Left::kNothing;
    group.is_decided = answer == Answer::kYes;
    if (group.is_decided) return group.is_written ? Left::kElse : Left::kNothing;
    return std::exchange(group.is_written, true) ? Left::kElseIf : Left::kIf;
  }

  // Is an endif still needed?
  bool close() {
    const bool is_written = groups_.back().is_written;
    groups_.pop_back();
    return is_written;
  }

 private:
  struct Group {
    bool is_built = true;  // what is around it
    bool is_live = true;
    bool is_decided = false;
    bool is_written = false;
  };
  std::vector<Group> groups_;
};

}  // namespace hipwright::port
