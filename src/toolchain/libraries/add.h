// SPDX-License-Identifier: MIT
// `sdk add` and `sdk remove`: the next directory of a release, from packages of a distribution or
// from what is on this machine. An error leaves the present one whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "toolchain/added_libraries.h"

namespace hipwright::toolchain {

struct AddRequest {
  std::vector<std::string> names;               // of the table, or "all"
  std::string release;                          // empty: the SDK's, or that of `from`
  std::filesystem::path from;                   // empty: a distribution's packages
  std::string mirror;                           // empty: the suite's archive
  std::filesystem::path keyring;                // empty: the suite's
  std::function<void(const std::string&)> say;  // what is being done
};

struct Added {
  AddedLibraries now;
  std::filesystem::path prefix;
  std::vector<std::string> fresh;  // packages that were not there before, or in another version
  std::uint64_t downloaded_bytes = 0, bytes = 0;  // of those
};

Result<Added> add_libraries(const AddRequest& request);
Result<AddedLibraries> remove_libraries(const std::vector<std::string>& names,
                                        const std::string& release);

// The names, "all" resolved; an unknown one, or one that the release lacks, is an error.
Result<std::vector<std::string>> chosen_libraries(const std::vector<std::string>& names,
                                                  const std::string& release, bool from_packages);

// A version belongs to a release: "6.4.3-2" to 6.4. An error names both.
Status belongs_to(const std::string& package, const std::string& version,
                  const std::string& release, const std::string& origin);

}  // namespace hipwright::toolchain
