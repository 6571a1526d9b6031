// SPDX-License-Identifier: MIT
#include "port/output/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <utility>

#include "base/file.h"

namespace hipwright::port {

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  const int lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock < 0) return fail("cannot port", folder.string(), errno_text(errno));
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return FolderLock(lock);
  const int reason = errno;
  ::close(lock);
  return fail(
      "cannot port", folder.string(),
      reason == EWOULDBLOCK ? "another hipwright process is changing it" : errno_text(reason),
      "Try again when it has finished.");
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace hipwright::port
