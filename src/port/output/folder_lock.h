// SPDX-License-Identifier: MIT
// One hipwright at a time writes to a tree.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace hipwright::port {

// The folder itself is locked: a file for that would have to be removed by somebody. The kernel
// gives it free when the process ends, however it ends.
class FolderLock {
 public:
  // An error, at once, where another process has it.
  static Result<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace hipwright::port
