// SPDX-License-Identifier: MIT
// THE table of ROCm's libraries: what `sdk add` knows by name, the releases it can take them from,
// and the distribution packages that have them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

// A suite of a distribution, and what proves that its lists are the distribution's.
struct Suite {
  std::string_view name;     // "sid"
  std::string_view title;    // "Debian unstable"
  std::string_view archive;  // without a slash at the end
  std::string_view below;    // a suite that completes it, or empty
  std::string_view keyring;  // a file of the machine
  std::string_view keyring_package;
};

// A ROCm release: what the SDK can declare, and the suite that has its libraries.
struct Release {
  std::string_view name;   // "6.4": what --rocm takes
  unsigned hip_patch;      // of HIP_VERSION
  std::string_view suite;  // of kSuites; empty: no packages are known

  unsigned number() const;  // 604
};

// Package names of a release.
struct LibraryPackages {
  std::string_view release;
  std::string_view packages;  // with spaces between them
};

struct Library {
  std::string_view name;     // "hipblas"
  std::string_view title;    // "hipBLAS"
  std::string_view headers;  // folders and files of include/, with spaces between them
  std::string_view links;    // the names behind -l
  std::string_view cmake;    // find_package(…)
  std::vector<LibraryPackages> packages;
  // Of a checkout: where the headers are, below its root. Empty: has code to build.
  std::string_view checkout_headers = {};
  bool is_tests = false;  // AMD's tests of a library: not part of `all`
};

// The release that the SDK declares unless another one is chosen.
inline constexpr std::string_view kSdkRelease = "6.4";

std::span<const Suite> suites();
std::span<const Release> releases();
std::span<const Library> libraries();

const Suite* find_suite(std::string_view name);
const Release* find_release(std::string_view name);
// The release of that name; empty: that of $HIPWRIGHT_ROCM, or else kSdkRelease.
Result<const Release*> chosen_release(std::string_view name = {});
// From here on, for this process and those that it starts.
Status choose_release(std::string_view name);
const Library* find_library(std::string_view name);

// The packages of a library in a release; empty where the release has none.
std::vector<std::string> packages_of(const Library& library, std::string_view release);

// A package of ROCm, so that its version must be the release's: not libc6 or libsqlite3-0.
bool is_rocm_package(std::string_view package);
// A package of ROCm with another numbering than the release: of enumerations only, and used by
// several releases.
bool spans_releases(std::string_view package);
// Packages in whose place the SDK, the software GPU or the real driver stands: never downloaded.
std::span<const std::string_view> provided_packages();

// Which library has a header ("hipblas/hipblas.h"), a linked library ("hipblas"), a CMake package.
const Library* library_of_header(std::string_view header);
const Library* library_of_link(std::string_view name);

std::vector<std::string> words_of(std::string_view text);

}  // namespace hipwright::toolchain
