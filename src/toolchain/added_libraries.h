// SPDX-License-Identifier: MIT
// What `sdk add` has put into the user's cache: one directory for each ROCm release, and the file
// in it that says what there is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright::toolchain {

// The architecture's folder of a distribution, and of these directories.
inline constexpr std::string_view kLibraryFolder = "lib/x86_64-linux-gnu";
// C library, C++ library and whatever else is not ROCm's.
inline constexpr std::string_view kRuntimeFolder = "runtime";
inline constexpr std::string_view kManifest = "libraries.json";

// A package, a checkout or a part of an installed ROCm.
struct AddedPackage {
  std::string name, version, origin, licence;
  std::uint64_t bytes = 0;             // on disk
  std::uint64_t downloaded_bytes = 0;  // 0: was not downloaded
  std::vector<std::string> depends;    // names of packages
  std::vector<std::string> files;      // from the directory of the release
  std::vector<std::string> targets;    // of the code objects inside
};

struct AddedLibrary {
  std::string name;                   // of the table
  std::vector<std::string> packages;  // what it was added as
};

struct AddedLibraries {
  std::string release;  // "6.4"
  std::string origin;   // "Debian unstable, http://deb.debian.org/debian"
  std::vector<AddedLibrary> libraries;
  std::vector<AddedPackage> packages;

  const AddedPackage* package(std::string_view name) const;
  const AddedLibrary* library(std::string_view name) const;
  // The packages that a library needs, its own first.
  std::vector<const AddedPackage*> closure(const AddedLibrary& library) const;
};

Result<AddedLibraries> parse_added(std::string_view text, const std::string& origin);
Json added_json(const AddedLibraries& added);

// A release's directory.
struct AddedPrefix {
  std::filesystem::path path;  // stays the same when libraries come and go
  std::string state;           // changes when they do

  std::filesystem::path lib() const { return path / kLibraryFolder; }
  std::filesystem::path runtime() const { return path / kRuntimeFolder; }
  // The dynamic loader that its libraries need, if this machine's C library is too old for them.
  std::optional<std::filesystem::path> loader() const;
  // For the linker: where a program that uses the libraries finds them, and its loader. Each has
  // its words with commas between them.
  std::vector<std::string> linker_arguments() const;
  // Names behind -l of the shared libraries.
  std::vector<std::string> link_names() const;
};

// ~/.cache/hipwright/rocm
Result<std::filesystem::path> added_home();
// Nothing was added: none. No file is read.
std::optional<AddedPrefix> added_prefix(std::string_view release);
// Of all releases of the table.
std::vector<AddedPrefix> added_prefixes();
Result<AddedLibraries> read_added(const AddedPrefix& prefix);

}  // namespace hipwright::toolchain
