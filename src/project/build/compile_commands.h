// SPDX-License-Identifier: MIT
// compile_commands.json: the compile commands of a build, as CMake, Bear and others write them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "project/build/build_graph.h"
#include "project/build/options.h"

namespace hipwright::project {

// By the path of the source in the tree.
struct CompileCommand {
  BuildFlags flags;
  // From the compiler; both are false for a host compiler.
  bool is_for_amd = false;
  bool is_for_nvidia = false;
};
using CompileCommands = std::map<std::string, CompileCommand, std::less<>>;

// Makes paths relative to the tree at `root`. Omits sources outside of it and the include folders
// of the CUDA toolkit. The first command of a source counts.
Result<CompileCommands> parse_compile_commands(std::string_view text, const std::string& origin,
                                               const std::filesystem::path& root);

Result<CompileCommands> load_compile_commands(const std::filesystem::path& file,
                                              const std::filesystem::path& root);

// The database of a tree: in its root or its "build" folder, or in those of the folders above up to
// the top of the repository. Empty if there is none.
std::filesystem::path find_compile_commands(const std::filesystem::path& root);

// What the commands say of the sources of a tree takes precedence over its build lists, and their
// macros may be defined.
void add_compile_commands(const CompileCommands& commands, const FileSet& tree, BuiltFiles& lists,
                          MacroWords& words);

// Splits a command line into words as a shell does.
std::vector<std::string> shell_words(std::string_view text);

}  // namespace hipwright::project
