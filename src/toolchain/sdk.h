// SPDX-License-Identifier: MIT
// The SDK prefix: a folder laid out like /opt/rocm, built from the files embedded in this program,
// clang's own tools and Debian's device libraries, with links to the libraries that were added
// (added_libraries.h). It is in the user's cache and is rebuilt when any of these changes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/added_libraries.h"
#include "toolchain/probe.h"

namespace hipwright::toolchain {

struct Sdk {
  std::filesystem::path prefix;
  std::optional<Error> warning;  // why it is not in the user's cache, if so
  std::optional<AddedPrefix> added = std::nullopt;
  std::string release = {};  // "6.4"

  std::filesystem::path include() const { return prefix / "include"; }
  std::filesystem::path lib() const { return prefix / "lib"; }
  std::filesystem::path bitcode() const { return prefix / "amdgcn/bitcode"; }
};

// Builds the prefix, or finds an existing one (about a millisecond). If the user's cache cannot be
// used, it is built in a private temporary folder. The release is that of chosen_release().
Result<Sdk> prepare_sdk(const Clang& clang, const std::filesystem::path& device_libs);

// Makes bin/hipwright point to `program`, through which hipcc and the other stand-ins run.
Status link_tool(const Sdk& sdk, const std::filesystem::path& program);

// compat/compat.h: CUDA device functions that HIP does not declare.
std::string_view compat_header();
// compat/ptx.h: PTX instructions as functions.
std::string_view ptx_header();
// hipwright/golden.h: captures golden results; a program needs nothing else.
std::string_view golden_header();

// LLVM assembly of the one-constant modules that Debian's device libraries lack or that clang no
// longer supplies; file name and text. For every target of the arch table, and for those that
// `present`, the files of the device libraries, name.
struct BitcodeModule {
  std::string file;
  std::string text;
};
std::vector<BitcodeModule> generated_bitcode(std::string_view data_layout,
                                             const std::vector<std::string>& present = {});

// The text of ockl.bc with its clock reads made portable: the 5.2 library reads it with
// s_memrealtime, which gfx11 and later lack, and clang then silently drops the functions that do,
// device malloc among them. Nothing when there is nothing to repair.
std::optional<std::string> repaired_ockl(std::string llvm_assembly);

// The symbols that a linker version script exports, with the version node of each (empty in an
// anonymous node), and what comments say: "# since 7.0", "# until 7.0".
struct ExportedSymbol {
  std::string name;
  std::string version;
  unsigned since = 0, until = 0;  // 700; 0: not said
};
Result<std::vector<ExportedSymbol>> exported_symbols(std::string_view version_script);

}  // namespace hipwright::toolchain
