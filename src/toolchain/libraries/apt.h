// SPDX-License-Identifier: MIT
// Packages of a distribution, by apt's own tools with a configuration of their own: lists, cache
// and state are in a private directory, signatures are checked with the distribution's keyring,
// nothing is installed and nothing needs root.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/library_table.h"

namespace hipwright::toolchain {

// A package that apt would download.
struct AptPackage {
  std::string name, version, architecture;
  std::filesystem::path file;  // where the download puts it
  std::uint64_t bytes = 0;
};

// What apt would do.
struct AptPlan {
  std::vector<AptPackage> packages;
  std::uint64_t unpacked_bytes = 0;  // in all, by apt's estimate
};

// One that apt is to take as installed.
struct InstalledPackage {
  std::string name, version;
};

// The output of `apt-get install --print-uris`.
AptPlan parse_plan(std::string_view text, const std::filesystem::path& archives);
// The lines that say what failed, without "E: " and "W: ", joined; not those of no consequence.
std::string apt_complaints(std::string_view text);
// "Acquire::http::Proxy" and what else of the machine's configuration reaches the network.
std::string network_settings(std::string_view dump);

class Apt {
 public:
  struct Source {
    Release release;
    Suite suite;
    std::string mirror;             // instead of the suite's archive; empty: that
    std::filesystem::path keyring;  // instead of the suite's; empty: that
  };
  using Say = std::function<void(const std::string&)>;

  // Writes the configuration below `folder`, which is private to the user.
  static Result<Apt> prepare(Source source, const std::filesystem::path& folder, Say say);

  // Gets the suite's lists; their signatures must be right and nothing may be missing.
  Status update() const;
  // What to download for `packages` and all that they need, less what is installed.
  Result<AptPlan> plan(const std::vector<std::string>& packages,
                       const std::vector<InstalledPackage>& installed) const;
  // The plan's packages, checked against the lists. What an earlier call got is used.
  Status download(const std::vector<std::string>& packages,
                  const std::vector<InstalledPackage>& installed) const;
  // After a success: the packages are unpacked.
  void drop_downloads() const;

  std::string archive() const;
  std::string title() const { return std::string(source_.suite.title); }

 private:
  Apt(Source source, std::filesystem::path folder, Say say)
      : source_(std::move(source)), folder_(std::move(folder)), say_(std::move(say)) {}

  Status write_configuration() const;
  Status write_status(const std::vector<InstalledPackage>& installed) const;
  Result<std::string> call(std::vector<std::string> words, const std::string& what,
                           const std::string& fix) const;
  std::vector<std::string> install_words(const std::vector<std::string>& packages) const;

  Source source_;
  std::filesystem::path folder_;
  Say say_;
};

// This machine's versions of the packages, by dpkg; those that it lacks are omitted.
std::vector<InstalledPackage> installed_here(const std::vector<std::string>& packages);

}  // namespace hipwright::toolchain
