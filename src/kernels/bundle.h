// SPDX-License-Identifier: MIT
// The library's GPU code compiled ahead of time: a directory with one bundle for each unit of an
// operation, and index.json, which says what they are made of.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "kernels/op.h"

namespace hipwright::kernels {

struct BundleSummary {
  std::string operation, unit, file;
  std::uint64_t bytes = 0;
  std::size_t kernels = 0;  // for each target
};

// Compiles operations for targets.
Result<std::vector<BundleSummary>> build_bundles(std::span<const Op* const> ops,
                                                 std::span<const arch::Target> targets,
                                                 const std::filesystem::path& directory);

// The code object of an operation's unit, from the compiler or its cache.
Result<std::string> compile_op(const Op& op, const std::string& unit, const arch::Target& target);

class Bundles {
 public:
  static Result<Bundles> open(const std::filesystem::path& directory);
  // With the text of its index.
  static Result<Bundles> parse(std::string_view index, const std::filesystem::path& directory);

  // Empty: the bundle has no code for the target. An error if it was built from other sources, or
  // is damaged.
  Result<std::optional<std::string>> code(const Op& op, const std::string& unit,
                                          const arch::Target& target) const;

 private:
  struct Entry {
    std::string file, hash, source;
  };
  std::filesystem::path directory_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace hipwright::kernels
