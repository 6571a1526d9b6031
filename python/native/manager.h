// SPDX-License-Identifier: MIT
// Parts of a backend in Python: valid after Backend::cleanup(), too, because they ask it again.
#pragma once

#include <memory>
#include <utility>

#include "hipwright/backend.h"

namespace hipwright::python {

template <class T, T& (Backend::*member)()>
class Part {
 public:
  explicit Part(std::shared_ptr<T> own) : own_(std::move(own)) {}
  explicit Part(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
  T& get() const { return own_ ? *own_ : (*backend_.*member)(); }

 private:
  std::shared_ptr<T> own_;
  std::shared_ptr<Backend> backend_;
};

using Manager = Part<AMDMemoryManager, &Backend::memory>;
using Utilities = Part<HIPUtilities, &Backend::utilities>;

}  // namespace hipwright::python
