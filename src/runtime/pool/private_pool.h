// SPDX-License-Identifier: MIT
// The private pools that this thread allocates from.
#pragma once

#include <memory>

#include "runtime/pool/pool.h"

namespace hipwright::runtime {

// Behind PrivatePool: the last handle abandons the group.
struct PrivatePoolState {
  std::shared_ptr<Pool> pool;
  Group* group;

  PrivatePoolState(std::shared_ptr<Pool> owner, Group* its_group)
      : pool(std::move(owner)), group(its_group) {}
  PrivatePoolState(const PrivatePoolState&) = delete;
  PrivatePoolState& operator=(const PrivatePoolState&) = delete;
  ~PrivatePoolState() { pool->abandon(group); }
};

// The innermost scope of `pool` that is open on this thread, or nullptr.
Group* private_group_of_this_thread(const Pool* pool);

}  // namespace hipwright::runtime
