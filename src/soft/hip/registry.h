// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace hipwright::soft::hip {

// The live objects behind opaque handles: a stale or made-up handle is an error, never a crash,
// and an object lives as long as a call uses it.
template <class T, class Handle>
class Registry {
 public:
  Handle add(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    const Handle handle = reinterpret_cast<Handle>(object.get());
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  std::shared_ptr<T> find(Handle handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  // The object, so that its destructor runs outside the lock; nullptr: unknown handle.
  std::shared_ptr<T> remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  std::vector<std::shared_ptr<T>> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<T>> list;
    for (const auto& [handle, object] : objects_) list.push_back(object);
    return list;
  }
  static Handle handle_of(const T* object) {
    return reinterpret_cast<Handle>(const_cast<T*>(object));
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<Handle, std::shared_ptr<T>> objects_;
};

}  // namespace hipwright::soft::hip
