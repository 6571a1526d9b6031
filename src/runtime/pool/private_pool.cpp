// SPDX-License-Identifier: MIT
#include "runtime/pool/private_pool.h"

#include "runtime/raise.h"

namespace hipwright {

namespace {

// Scopes of this thread, innermost first.
constinit thread_local const PrivatePool::Scope* innermost = nullptr;

}  // namespace

PrivatePool::Scope::Scope(std::shared_ptr<runtime::PrivatePoolState> state)
    : state_(std::move(state)) {
  if (!state_)
    runtime::raise_misuse("PrivatePool::use", {}, "empty private pool",
                          "Create it with AMDMemoryManager::create_private_pool().");
  state_->pool->open_scope();
  outer_ = innermost;
  innermost = this;
}

PrivatePool::Scope::~Scope() {
  // Mostly the innermost; scopes held in optionals or members may end in another order.
  if (innermost == this) {
    innermost = outer_;
  } else {
    for (const Scope* scope = innermost; scope != nullptr; scope = scope->outer_)
      if (scope->outer_ == this) scope->outer_ = outer_;
  }
  state_->pool->close_scope();
}

const PrivatePool::Scope* PrivatePool::Scope::innermost_of_this_thread() {
  return innermost;
}

namespace runtime {

Group* private_group_of_this_thread(const Pool* pool) {
  for (auto scope = PrivatePool::Scope::innermost_of_this_thread(); scope != nullptr;
       scope = scope->outer())
    if (scope->state().pool.get() == pool) return scope->state().group;
  return nullptr;
}

}  // namespace runtime

}  // namespace hipwright
