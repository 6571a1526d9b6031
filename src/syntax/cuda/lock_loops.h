// SPDX-License-Identifier: MIT
// Loops of device code that acquire a lock and hold the section that it guards.
#pragma once

#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

struct LockLoop {
  TokenIndex keyword = 0;    // while, for or do
  TokenRange condition;      // empty in for (;;)
  TokenRange body;           // between its braces, or one statement
  TokenIndex acquiring = 0;  // atomicCAS or atomicExch
};

// Loops that acquire a lock, test whether they have it, and release it: in token order of each
// keyword. A loop that only waits for the lock is none of them.
std::vector<LockLoop> lock_loops(const File& file);

// A loop without a body that ends when atomicCAS or atomicExch acquired the lock, where the
// function releases it later.
std::vector<LockLoop> waiting_loops(const File& file);

// Is a token of the loop in another loop within it? `counts_switch`: a switch counts as a loop.
bool is_in_inner_loop(const File& file, const LockLoop& loop, TokenIndex at, bool counts_switch);

// Where the statement that begins here ends, with its else branches.
TokenIndex statement_end(const File& file, TokenIndex at);

}  // namespace hipwright::syntax::cuda
