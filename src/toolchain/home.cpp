// SPDX-License-Identifier: MIT
#include "toolchain/home.h"

#include <mutex>

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

std::mutex mutex;
fs::path named;  // protected by mutex

}  // namespace

fs::path home() {
  {
    const std::lock_guard lock(mutex);
    if (!named.empty()) return named;
  }
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : executable.parent_path().parent_path();
}

void set_home(fs::path folder) {
  const std::lock_guard lock(mutex);
  named = std::move(folder);
}

}  // namespace hipwright::toolchain
