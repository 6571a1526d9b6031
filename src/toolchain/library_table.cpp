// SPDX-License-Identifier: MIT
#include "toolchain/library_table.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/words.h"

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kDebianKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

constexpr std::array kSuites = {
    Suite{"sid", "Debian unstable", "http://deb.debian.org/debian", "", kDebianKeyring,
          "debian-archive-keyring"},
    Suite{"experimental", "Debian experimental", "http://deb.debian.org/debian", "sid",
          kDebianKeyring, "debian-archive-keyring"},
};

constexpr std::array kReleases = {
    Release{"6.4", 43482, "sid"},
    Release{"7.0", 51831, ""},
    Release{"7.1", 52802, ""},
    Release{"7.2", 53211, "experimental"},
};

// One package name in both releases.
std::vector<LibraryPackages> in_both(std::string_view package) {
  return {{"6.4", package}, {"7.2", package}};
}

std::vector<LibraryPackages> in_7_2(std::string_view package) {
  return {{"7.2", package}};
}

// clang-format off
const std::vector<Library>& table() {
  static const std::vector<Library> kLibraries = {
    {"rocprim", "rocPRIM", "rocprim", "", "rocprim", in_both("librocprim-dev"), "rocprim/include"},
    {"hipcub", "hipCUB", "hipcub", "", "hipcub", in_both("libhipcub-dev"), "hipcub/include"},
    {"rocthrust", "rocThrust", "thrust", "", "rocthrust", in_both("librocthrust-dev"), "."},
    {"rocwmma", "rocWMMA", "rocwmma", "", "rocwmma", in_7_2("librocwmma-dev"), "library/include"},
    {"rocrand", "rocRAND", "rocrand", "rocrand", "rocrand", in_both("librocrand-dev")},
    {"hiprand", "hipRAND", "hiprand", "hiprand", "hiprand", in_both("libhiprand-dev")},
    {"hipblas", "hipBLAS", "hipblas hipblas-common", "hipblas", "hipblas hipblas-common", in_both("libhipblas-dev")},
    {"rocblas", "rocBLAS", "rocblas", "rocblas", "rocblas", in_both("librocblas-dev")},
    {"hipblaslt", "hipBLASLt", "hipblaslt", "hipblaslt", "hipblaslt", in_7_2("libhipblaslt-dev")},
    {"hipfft", "hipFFT", "hipfft", "hipfft hipfftw", "hipfft", in_both("libhipfft-dev")},
    {"rocfft", "rocFFT", "rocfft", "rocfft", "rocfft", in_both("librocfft-dev")},
    {"hipsparse", "hipSPARSE", "hipsparse", "hipsparse", "hipsparse", in_both("libhipsparse-dev")},
    {"rocsparse", "rocSPARSE", "rocsparse", "rocsparse", "rocsparse", in_both("librocsparse-dev")},
    {"hipsparselt", "hipSPARSELt", "hipsparselt", "hipsparselt", "hipsparselt", in_7_2("libhipsparselt-dev")},
    {"hipsolver", "hipSOLVER", "hipsolver", "hipsolver", "hipsolver", in_both("libhipsolver-dev")},
    {"rocsolver", "rocSOLVER", "rocsolver", "rocsolver", "rocsolver", in_both("librocsolver-dev")},
    {"miopen", "MIOpen", "miopen", "MIOpen", "miopen", in_both("libmiopen-dev")},
    {"rccl", "RCCL", "rccl", "rccl", "rccl", in_7_2("librccl-dev")},
    {"composable-kernel", "Composable Kernel", "ck ck_tile", "", "composable_kernel", in_7_2("libcomposable-kernel-dev"), "include"},
    {"libhipcxx", "libhipcxx", "cuda hip/std nv", "", "libhipcxx", {}, "include"},

    {"rocprim-tests", "rocPRIM's tests", "", "", "", in_both("librocprim-tests"), "", true},
    {"hipcub-tests", "hipCUB's tests", "", "", "", in_both("libhipcub-tests"), "", true},
    {"rocthrust-tests", "rocThrust's tests", "", "", "", in_both("librocthrust-tests"), "", true},
    {"rocrand-tests", "rocRAND's tests", "", "", "", in_both("librocrand1-tests"), "", true},
    {"hiprand-tests", "hipRAND's tests", "", "", "", in_both("libhiprand1-tests"), "", true},
    {"rocblas-tests", "rocBLAS's tests", "", "", "", {{"6.4", "librocblas4-tests"}, {"7.2", "librocblas5-tests"}}, "", true},
    {"rocfft-tests", "rocFFT's tests", "", "", "", in_both("librocfft0-tests"), "", true},
    {"hipfft-tests", "hipFFT's tests", "", "", "", in_both("libhipfft0-tests"), "", true},
    {"rocsparse-tests", "rocSPARSE's tests", "", "", "", in_both("librocsparse1-tests"), "", true},
    {"hipsparse-tests", "hipSPARSE's tests", "", "", "", {{"6.4", "libhipsparse1-tests"}, {"7.2", "libhipsparse4-tests"}}, "", true},
    {"rocwmma-tests", "rocWMMA's tests", "", "", "", in_7_2("librocwmma-tests-validate"), "", true},
    {"rccl-tests", "RCCL's tests", "", "", "", in_7_2("librccl1-tests"), "", true},
  };
  return kLibraries;
}
// clang-format on

constexpr std::array<std::string_view, 16> kProvided = {"libamdhip64-dev",
                                                        "libamdhip64-5",
                                                        "libamdhip64-6",
                                                        "libamdhip64-7",
                                                        "libhiprtc6",
                                                        "libhiprtc7",
                                                        "libhiprtc-builtins6",
                                                        "libhiprtc-builtins7",
                                                        "libamd-comgr-dev",
                                                        "libamd-comgr3",
                                                        "libhsa-runtime-dev",
                                                        "libhsa-runtime64-1",
                                                        "libclang-common-21-dev",
                                                        "libclang-common-22-dev",
                                                        "hipcc",
                                                        "librocm-core-dev"};

template <class Rows>
auto* row_named(const Rows& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &std::ranges::range_value_t<Rows>::name);
  return found == std::ranges::end(rows) ? nullptr : &*found;
}

bool lists(std::string_view words, std::string_view word) {
  return is_any(word, words_of(words));
}

}  // namespace

unsigned Release::number() const {
  return static_cast<unsigned>(name[0] - '0') * 100 + static_cast<unsigned>(name[2] - '0');
}

std::span<const Suite> suites() {
  return kSuites;
}
std::span<const Release> releases() {
  return kReleases;
}
std::span<const Library> libraries() {
  return table();
}
const Suite* find_suite(std::string_view name) {
  return row_named(kSuites, name);
}
const Release* find_release(std::string_view name) {
  return row_named(kReleases, name);
}
Result<const Release*> chosen_release(std::string_view name) {
  const char* const variable = std::getenv("HIPWRIGHT_ROCM");
  const bool from_environment = name.empty() && variable && *variable;
  if (name.empty()) name = from_environment ? std::string_view(variable) : kSdkRelease;
  if (const Release* found = find_release(name)) return found;
  std::vector<std::string_view> known;
  for (const Release& each : kReleases) known.push_back(each.name);
  return fail("unknown ROCm release", std::string(name),
              from_environment ? "set by HIPWRIGHT_ROCM" : "",
              fmt::format("Known: {}.", fmt::join(known, ", ")));
}
Status choose_release(std::string_view name) {
  HW_TRY(const Release* const release, chosen_release(name));
  ::setenv("HIPWRIGHT_ROCM", std::string(release->name).c_str(), 1);
  return {};
}
const Library* find_library(std::string_view name) {
  return row_named(table(), name);
}

std::vector<std::string> packages_of(const Library& library, std::string_view release) {
  for (const LibraryPackages& each : library.packages)
    if (each.release == release) return words_of(each.packages);
  return {};
}

bool is_rocm_package(std::string_view package) {
  constexpr std::array<std::string_view, 7> kPrefixes = {
      "libroc", "libhip", "librccl", "libmiopen", "libamdhip", "libhsa-", "libcomposable-kernel"};
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return package.starts_with(prefix); });
}

bool spans_releases(std::string_view package) {
  return package == "libhipblas-common-dev";
}

std::span<const std::string_view> provided_packages() {
  return kProvided;
}

const Library* library_of_header(std::string_view header) {
  for (const Library& library : table())
    for (const std::string& each : words_of(library.headers))
      if (header.starts_with(each + "/")) return &library;
  return nullptr;
}

const Library* library_of_link(std::string_view name) {
  for (const Library& library : table())
    if (lists(library.links, name)) return &library;
  return nullptr;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace hipwright::toolchain
