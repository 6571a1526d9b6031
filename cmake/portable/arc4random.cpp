// SPDX-License-Identifier: MIT
// LLVM's static libraries call arc4random(), which glibc has since 2.36. Linked in, this one is
// used.
#include <sys/random.h>

#include <cstdint>

extern "C" std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  // Up to 256 bytes are never cut short once the kernel's pool is ready, and this call waits for
  // that.
  while (::getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}
