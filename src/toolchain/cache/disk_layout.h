// SPDX-License-Identifier: MIT
// Where things are in the cache folder:
//   entries/4f/<hash>      one kernel each
//   manifests/4f/<hash>    one request each
//   quarantine/            damaged files, the newest few
//   locks                  never written, see range_lock.h
//   usage                  about how many bytes there are
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/hash.h"

namespace hipwright::toolchain {

struct DiskLayout {
  std::filesystem::path root;

  std::filesystem::path entries() const { return root / "entries"; }
  std::filesystem::path manifests() const { return root / "manifests"; }
  std::filesystem::path quarantine() const { return root / "quarantine"; }
  std::filesystem::path locks() const { return root / "locks"; }
  std::filesystem::path usage() const { return root / "usage"; }

  std::filesystem::path entry(const Hash128& hash) const { return sharded(entries(), hash); }
  std::filesystem::path manifest(const Hash128& hash) const { return sharded(manifests(), hash); }

  // Bytes of the lock file: one per request, and one beyond them all for `usage`.
  static std::int64_t lock_of(const Hash128& hash) {
    return static_cast<std::int64_t>(hash.low >> 2);
  }
  static constexpr std::int64_t kUsageLock = std::int64_t{1} << 62;

 private:
  static std::filesystem::path sharded(const std::filesystem::path& folder, const Hash128& hash) {
    const std::string name = hash.hex();
    return folder / name.substr(0, 2) / name;
  }
};

}  // namespace hipwright::toolchain
