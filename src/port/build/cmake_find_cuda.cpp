// SPDX-License-Identifier: MIT
// The commands of FindCUDA, which CMake has replaced by a language.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/build/cmake_command.h"
#include "port/build/cmake_flags.h"
#include "port/build/cmake_names.h"

namespace hipwright::port {

using syntax::build::CMakeCommand;

namespace {

// name [keywords] sources OPTIONS -a RELEASE -b
struct Parts {
  CMakeArguments before;  // keywords and sources, as written
  std::vector<std::string> sources;
  std::vector<std::string> options;  // generator expressions
  std::vector<std::string> reasons;
};

std::string configuration_of(std::string_view word) {
  if (word == "DEBUG") return "Debug";
  if (word == "RELEASE") return "Release";
  if (word == "RELWITHDEBINFO") return "RelWithDebInfo";
  if (word == "MINSIZEREL") return "MinSizeRel";
  return {};
}

Parts parts_of(const CMakeCommand& command, const CMakeFacts& facts) {
  Parts parts;
  std::string configuration, line;
  bool is_option = false;
  const auto end_options = [&] {
    if (line.empty()) return;
    CMakeFlags flags = flags_for_amd(line, FlagOf::kNvcc, false);
    std::replace(flags.text.begin(), flags.text.end(), ' ', ';');
    parts.reasons.insert(parts.reasons.end(), flags.reasons.begin(), flags.reasons.end());
    line.clear();
    if (flags.text.empty()) return;
    parts.options.push_back(
        configuration.empty() ? fmt::format("\"$<$<COMPILE_LANGUAGE:HIP>:{}>\"", flags.text)
                              : fmt::format("\"$<$<AND:$<COMPILE_LANGUAGE:HIP>,$<CONFIG:{}>>:{}>\"",
                                            configuration, flags.text));
  };
  const CMakeArguments all = arguments_of(command, facts.text);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string_view text = command.text(i);
    if (text == "OPTIONS") {
      is_option = true;
    } else if (!is_option) {
      parts.before.push_back(all[i]);
      parts.sources.emplace_back(text);
    } else if (const std::string next = configuration_of(text); !next.empty()) {
      end_options();
      configuration = next;
    } else {
      line += (line.empty() ? "" : " ") + words_for_amd(text);
    }
  }
  end_options();
  return parts;
}

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

ForAmd target(const CMakeCommand& command, const CMakeFacts& facts, bool is_in_function,
              std::string_view kind, std::string name) {
  Parts parts = parts_of(command, facts);
  ForAmd amd;
  CMakeArguments arguments = {name};
  if (kind == "OBJECT") arguments.emplace_back(kind);
  for (std::string& each : parts.before) {
    const bool is_kind = each == "STATIC" || each == "SHARED" || each == "MODULE";
    if (kind != "OBJECT" || !is_kind) arguments.push_back(std::move(each));
  }
  amd.lines.push_back(
      cmake_line(kind == "executable" ? "add_executable" : "add_library", arguments));
  append(amd.lines, cmake_languages(parts.sources, facts.has_cuda_sources || is_in_function));
  if (!parts.options.empty()) {
    CMakeArguments options = {name, "PRIVATE"};
    options.insert(options.end(), parts.options.begin(), parts.options.end());
    amd.lines.push_back(cmake_line("target_compile_options", options));
  }
  amd.reason = fmt::format("{}", fmt::join(parts.reasons, ", "));
  return amd;
}

ForAmd library(std::string_view target, std::string_view name) {
  const CMakeLibrary amd = library_for_amd(name).value_or(CMakeLibrary{});
  return {.lines = {fmt::format("find_package({} REQUIRED)", amd.package),
                    fmt::format("target_link_libraries({} {})", target, amd.target)},
          .is_added = false,
          .reason = {}};
}

}  // namespace

std::optional<ForAmd> find_cuda_for_amd(const CMakeCommand& command, const CMakeFacts& facts,
                                        bool is_in_function) {
  const std::string& name = command.name;
  if (!name.starts_with("cuda_") || command.arguments.empty()) return std::nullopt;
  const CMakeArguments all = arguments_of(command, facts.text);
  if (name == "cuda_add_executable")
    return target(command, facts, is_in_function, "executable", all[0]);
  if (name == "cuda_add_library") return target(command, facts, is_in_function, "library", all[0]);
  if (name == "cuda_compile") {
    const std::string objects = all[0] + "_objects";
    ForAmd amd = target(command, facts, is_in_function, "OBJECT", objects);
    amd.lines.push_back(fmt::format("set({} $<TARGET_OBJECTS:{}>)", all[0], objects));
    return amd;
  }
  if (name == "cuda_add_cublas_to_target") return library(all[0], "cublas");
  if (name == "cuda_add_cufft_to_target") return library(all[0], "cufft");
  if (name == "cuda_include_directories")
    return ForAmd{
        .lines = {cmake_line("include_directories", all)}, .is_added = false, .reason = {}};
  if (name == "cuda_select_nvcc_arch_flags")
    return ForAmd{.lines = {fmt::format("set({} \"\")", all[0])},
                  .is_added = false,
                  .reason = "CMake detects the GPU, or CMAKE_HIP_ARCHITECTURES names it"};
  return std::nullopt;
}

// CUDA_NVCC_FLAGS is a list, CMAKE_HIP_FLAGS a command line.
std::optional<ForAmd> nvcc_flags_for_amd(const CMakeCommand& command, const CMakeFacts& facts) {
  const bool is_set = command.name == "set";
  const bool is_appended =
      (command.name == "list" || command.name == "string") && command.text(0) == "APPEND";
  const std::string_view variable = command.text(is_set ? 0 : 1);
  if ((!is_set && !is_appended) || !variable.starts_with("CUDA_NVCC_FLAGS")) return std::nullopt;
  std::string words;
  for (std::size_t i = is_set ? 1 : 2; i < command.arguments.size(); ++i) {
    const std::string_view word = command.text(i);
    if (word == "CACHE" || word == "PARENT_SCOPE") break;
    words += fmt::format("{}{}", words.empty() ? "" : " ", word);
  }
  std::replace(words.begin(), words.end(), ';', ' ');
  words = with_target_variables(std::move(words), facts);
  CMakeFlags flags = flags_for_amd(words_for_amd(words), FlagOf::kNvcc, true);
  while (flags.text.ends_with(' ')) flags.text.pop_back();
  while (flags.text.starts_with(' ')) flags.text.erase(0, 1);
  ForAmd amd{
      .lines = {}, .is_added = false, .reason = fmt::format("{}", fmt::join(flags.reasons, ", "))};
  const std::string name = words_for_amd(variable);
  // FindCUDA adds those of a configuration to nvcc's own; HIP's begin with -O3.
  const bool replaces = is_set && (variable == "CUDA_NVCC_FLAGS" ||
                                   flags.text.find("${" + name + "}") != std::string::npos);
  if (!flags.text.empty())
    amd.lines.push_back(replaces ? fmt::format("set({} \"{}\")", name, flags.text)
                                 : fmt::format("string(APPEND {} \" {}\")", name, flags.text));
  return amd;
}

}  // namespace hipwright::port
