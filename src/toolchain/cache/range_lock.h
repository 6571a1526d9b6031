// SPDX-License-Identifier: MIT
// Any number of locks between processes in one file: each is one byte, locked and never written.
// The kernel releases the lock with the process, so a killed holder blocks nobody, and no lock
// files accumulate.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace hipwright::toolchain {

class RangeLock {
 public:
  // Empty if another holder, such as a stopped process, kept it for all of `patience` (0: one
  // attempt); an error if the file cannot be opened or locked at all.
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
