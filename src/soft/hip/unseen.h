// SPDX-License-Identifier: MIT
// Launches by <<<>>> that failed: the syntax returns nothing, so that a program which never asks
// goes on as if the kernel had run.
#pragma once

#include <string>
#include <vector>

namespace hipwright::soft::hip {

struct UnseenFailure {
  std::string kernel, why;
};

// Of this thread; the latest one is kept.
void add_unseen(UnseenFailure failure);
// The program asked for this thread's error.
void mark_seen() noexcept;
// Those of all threads that nobody has asked for.
std::vector<UnseenFailure> unseen_failures();

}  // namespace hipwright::soft::hip
