// SPDX-License-Identifier: MIT
// Object files of translation units, kept in the user's cache beside the kernels: what one process
// has compiled, a later one takes from there. See docs/kernel-cache.md.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/hash.h"
#include "base/process.h"
#include "toolchain/cache/kernel_cache.h"
#include "toolchain/driver.h"

namespace hipwright::toolchain {

class ObjectCache {
 public:
  // `directory` is created when it is first used. `compiler` identifies all that a unit's digest
  // does not cover: the compiler, the SDK and the headers of the system.
  ObjectCache(std::filesystem::path directory, std::string compiler);

  // Whether an object depends on nothing but the digest and the compiler. Options that are not
  // known to be harmless, and those that name a file, make it false.
  static bool covers(const DriverPlan& plan);

  // Runs `compile`, which writes `object`, or writes the object of an earlier run. Only what was
  // compiled without a message is kept.
  Result<Finished> get_or_compile(const Hash128& digest, const std::filesystem::path& object,
                                  const std::function<Result<Finished>()>& compile);

 private:
  const std::string compiler_;
  KernelCache cache_;
};

}  // namespace hipwright::toolchain
