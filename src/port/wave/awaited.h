// SPDX-License-Identifier: MIT
// What a loop waits for: a value that another thread sets.
#pragma once

#include <optional>

#include "syntax/cuda/file.h"

namespace hipwright::port {

struct WaitingLoop {
  syntax::cuda::TokenRange condition;  // that ends it
  syntax::cuda::TokenRange body;       // of nothing but waiting; may be empty
};

// while (atomicCAS(lock, 0, 1) != 0); do state = flags[i]; while (state == 0);
std::optional<WaitingLoop> waiting_loop(const syntax::cuda::File& file,
                                        syntax::cuda::TokenIndex keyword,
                                        const syntax::cuda::Function& function);

// Can only threads of other blocks set the value? A block that looks back at its predecessors, or
// that waits for all others in one thread, waits for waves that run on.
bool waits_for_blocks(const syntax::cuda::File& file, const WaitingLoop& loop,
                      const syntax::cuda::Function& function);

}  // namespace hipwright::port
