// SPDX-License-Identifier: MIT
// Lets one hipwright process at a time write to a tree.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace hipwright::port {

// Locks the folder itself: a lock file would have to be removed. The kernel releases the lock when
// the process ends, however it ends.
class FolderLock {
 public:
  // An immediate error if another process holds it.
  static Result<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace hipwright::port
