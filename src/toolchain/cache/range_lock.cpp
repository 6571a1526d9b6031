// SPDX-License-Identifier: MIT
#include "toolchain/cache/range_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

namespace hipwright::toolchain {

Result<std::optional<RangeLock>> RangeLock::acquire(const std::filesystem::path& file,
                                                    std::int64_t byte,
                                                    std::chrono::milliseconds patience) {
  const int descriptor =
      ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (descriptor < 0) return fail("cannot open the lock file", file.string(), errno_text(errno));
  RangeLock lock(descriptor);

  // Locks of the open file description, not of the process: they exclude two caches in one
  // process as well, and closing another descriptor of the file does not drop them.
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;

  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + patience;
  // Polled, because the waiting form of the call has no timeout.
  std::chrono::microseconds pause{500};
  while (::fcntl(descriptor, F_OFD_SETLK, &range) != 0) {
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EACCES)
      return fail("cannot lock", file.string(), errno_text(errno));
    if (Clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 3 / 2, std::chrono::microseconds{20'000});
  }
  return std::optional<RangeLock>(std::move(lock));
}

RangeLock::RangeLock(RangeLock&& other) noexcept
    : file_descriptor_(std::exchange(other.file_descriptor_, -1)) {}

RangeLock::~RangeLock() {
  if (file_descriptor_ >= 0) ::close(file_descriptor_);
}

}  // namespace hipwright::toolchain
