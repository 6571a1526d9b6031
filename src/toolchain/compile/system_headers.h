// SPDX-License-Identifier: MIT
// The host's C and C++ library headers, of which every HIP source includes hundreds. Instead of
// checking each of them at every cache look-up, their folders' times are part of the compiler's
// identity: a package upgrade replaces files and so changes the folder. Not noticed: a header
// edited in place.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

namespace hipwright::toolchain {

class SystemHeaders {
 public:
  // `trees` with everything below them; `flat`: only the folder itself.
  SystemHeaders(const std::vector<std::filesystem::path>& trees,
                const std::vector<std::filesystem::path>& flat);
  // Where Debian and its relatives keep libstdc++, glibc and the kernel's headers.
  static SystemHeaders of_this_machine();

  bool contains(const std::filesystem::path& file) const;
  const std::string& identity() const { return identity_; }

 private:
  std::unordered_set<std::string> folders_;
  std::string identity_;
};

// Environment variables add directories or options to clang's, which no key of a cache knows.
bool environment_changes_clang();

}  // namespace hipwright::toolchain
