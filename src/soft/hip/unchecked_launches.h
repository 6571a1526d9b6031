// SPDX-License-Identifier: MIT
// Failed launches by <<<>>>. The syntax returns nothing: a program that never asks for the error
// continues as if the kernel had run.
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
// Of all threads: those whose error no call has returned.
std::vector<UnseenFailure> unseen_failures();

}  // namespace hipwright::soft::hip
