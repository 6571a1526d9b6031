// SPDX-License-Identifier: MIT
// Programs whose libraries need a newer C library than this machine's are started through the
// dynamic loader that came with those libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/added_libraries.h"
#include "toolchain/code_object/bytes.h"

namespace hipwright::toolchain {

// What the dynamic loader reads of a program or library.
struct Dependencies {
  std::string loader;               // PT_INTERP; empty: a library, or statically linked
  std::vector<std::string> needed;  // DT_NEEDED
  unsigned newest_glibc = 0;        // 38 for GLIBC_2.38
};
Result<Dependencies> dependencies_of(const Bytes& elf, const std::string& origin);

// The dynamic section without the library's own search path (DT_RUNPATH, DT_RPATH), which would
// hide that of the program; the same length. Nothing: there is no such entry.
std::optional<std::string> without_search_path(std::string_view dynamic);
// Takes it out of a library's file.
Status drop_search_path(const std::filesystem::path& library);

// Programs that came with the libraries (rocFFT's helper, tests) in a tree with a loader of its
// own: each becomes a script that starts it through that loader. Returns the files that this added.
Result<std::vector<std::string>> wrap_programs(const std::filesystem::path& tree,
                                               const std::vector<std::string>& files);

// The release whose loader must start `program`: it, or what it needs, is among the added
// libraries, and they do not work with this machine's. None: it starts by itself, or is no program.
std::optional<AddedPrefix> needs_own_loader(const std::filesystem::path& program,
                                            const std::vector<AddedPrefix>& prefixes,
                                            unsigned machine_glibc);
// The newest release whose runtime `program` links: "7.2" for libamdhip64.so.7. Empty: none is
// known.
std::string_view release_of_program(const std::filesystem::path& program);

// Minor version of this machine's glibc.
unsigned machine_glibc();

// argv that starts `argv` through the loader; `folders` are searched first.
std::vector<std::string> through_loader(const AddedPrefix& prefix,
                                        const std::filesystem::path& program,
                                        const std::vector<std::string>& argv,
                                        const std::string& folders);

}  // namespace hipwright::toolchain
