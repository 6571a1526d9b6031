// SPDX-License-Identifier: MIT
// Any number of locks between processes in one file: each is one byte of it, locked and never
// written. The kernel drops the lock with the process, so a killed holder blocks nobody, and
// no lock files pile up.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace hipwright::toolchain {

class RangeLock {
 public:
  // Nothing when another holder kept it for all of `patience` (0: one attempt), for instance a
  // stopped process; an error when the file cannot be opened or locked at all.
  static Result<std::optional<RangeLock>> acquire(const std::filesystem::path& file,
                                                  std::int64_t byte,
                                                  std::chrono::milliseconds patience);
  RangeLock(RangeLock&& other) noexcept;
  RangeLock& operator=(RangeLock&&) = delete;
  ~RangeLock();

 private:
  explicit RangeLock(int file_descriptor) : file_descriptor_(file_descriptor) {}
  int file_descriptor_;
};

}  // namespace hipwright::toolchain
