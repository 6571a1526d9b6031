// SPDX-License-Identifier: MIT
// Translates one command of a CMake file to an AMD build.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "port/build/flags.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::port {

// The replacement of a command in AMD builds.
struct ForAmd {
  std::vector<std::string> lines;  // without indentation; empty: the command is removed
  bool is_added = false;           // they follow the command, which stays
  std::string reason;              // beyond the command's name; may be empty
};

// Of the whole file.
struct CMakeFacts {
  std::string_view text;
  std::set<std::string, std::less<>> targets;    // that it defines, which are not CUDA libraries
  std::set<std::string, std::less<>> variables;  // that it sets: CUDA_VERSION may be its own
  // Of options: used as a list by target_compile_options(), or in a command line.
  std::set<std::string, std::less<>> option_lists, option_lines;
  // Set to an NVIDIA target and used in -arch=${…}: they name the target.
  std::set<std::string, std::less<>> target_variables;
  bool has_cuda_sources = false;
  bool has_toolkit = false;  // it finds the CUDA toolkit, so HIP's must be found
};
CMakeFacts facts_of_cmake(std::string_view text, const syntax::build::CMakeCommands& commands);

// Empty if it stays. `is_in_function`: sources may come from other files.
std::optional<ForAmd> cmake_for_amd(const syntax::build::CMakeCommand& command,
                                    const CMakeFacts& facts, bool is_in_function);

// if, elseif, while, foreach: neighbours of an end that is not theirs alone.
bool is_cmake_condition(const syntax::build::CMakeCommand& command);

// Its parts.
using CMakeArguments = std::vector<std::string>;  // as written, with quotes
CMakeArguments arguments_of(const syntax::build::CMakeCommand& command, std::string_view text);
// One that is empty is left out.
std::string cmake_words(const CMakeArguments& arguments);
std::string cmake_line(std::string_view name, const CMakeArguments& arguments);
// Are the options in the command nvcc's, for certain?
FlagOf flag_owner(const syntax::build::CMakeCommand& command);
std::optional<ForAmd> cmake_libraries(const syntax::build::CMakeCommand& command,
                                      const CMakeFacts& facts);
std::optional<ForAmd> cmake_properties(const syntax::build::CMakeCommand& command,
                                       const CMakeFacts& facts);
std::optional<ForAmd> cmake_folders(const syntax::build::CMakeCommand& command,
                                    const CMakeFacts& facts);
// Of .cu files and of variables that may hold some: LANGUAGE HIP.
std::vector<std::string> cmake_languages(const std::vector<std::string>& sources,
                                         bool may_be_in_variables);
// Commands of the old FindCUDA.
std::optional<ForAmd> find_cuda_for_amd(const syntax::build::CMakeCommand& command,
                                        const CMakeFacts& facts, bool is_in_function);
// set(CUDA_NVCC_FLAGS …), list(APPEND CUDA_NVCC_FLAGS …)
std::optional<ForAmd> nvcc_flags_for_amd(const syntax::build::CMakeCommand& command,
                                         const CMakeFacts& facts);
// -arch=${ARCH} becomes --offload-arch=${ARCH}, for the variables that name the target.
std::string with_target_variables(std::string text, const CMakeFacts& facts);
// -fgpu-rdc for one target, or for all that follow where `target` is empty.
std::vector<std::string> cmake_device_link(std::string_view target, std::string_view is_on);

}  // namespace hipwright::port
