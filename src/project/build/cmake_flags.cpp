// SPDX-License-Identifier: MIT
#include "project/build/cmake_flags.h"

#include <algorithm>
#include <filesystem>

#include "base/words.h"
#include "project/build/compile_commands.h"

namespace hipwright::project {

namespace {

bool is_keyword(std::string_view word) {
  return is_any(word, {"PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"});
}

bool has_folder(const FileSet& files, std::string prefix) {
  if (!prefix.empty() && !prefix.ends_with('/')) prefix.push_back('/');
  const auto at = std::lower_bound(files.paths.begin(), files.paths.end(), prefix, std::less<>());
  return at != files.paths.end() && at->starts_with(prefix);
}

class FlagsOfCommand {
 public:
  FlagsOfCommand(const FileSet& files, std::string_view folder, BuildFlags& into)
      : files_(files), into_(into), options_(folder, into) {}

  void word(const std::string& command, const CMakeArgument& argument, std::string_view text) {
    if (command.ends_with("include_directories"))
      folder(argument, text);
    else if (command.ends_with("compile_definitions"))
      options_.macro(text.starts_with("-D") ? text.substr(2) : text);
    else if (command == "add_definitions" || command.ends_with("compile_options"))
      options_.option(text);
  }

  // What targets are compiled with: CMAKE_HIP_FLAGS and the options of their folder when they are
  // defined, and their own.
  void rule(const syntax::build::CMakeCommand& command, const CMakeVariables& variables,
            std::string_view folder) {
    if (is_any(command.name, {"add_executable", "add_library"})) {
      CompileRule rule{.target = std::string(command.text(0)), .sources = {}, .options = {}};
      for (std::size_t i = 1; i < command.arguments.size(); ++i)
        for (const CMakeItem& item : variables.expand(command.arguments[i]).items)
          rule.sources.push_back(source(folder, item.text));
      for (const CMakeItem& item : variables.get("CMAKE_HIP_FLAGS").items)
        add_words(item.text, rule.options);
      for (const CompileRule& each : into_.rules)
        if (each.target.empty())
          rule.options.insert(rule.options.end(), each.options.begin(), each.options.end());
      into_.rules.insert(into_.rules.begin(), std::move(rule));
    } else if (command.name == "add_compile_options") {
      add_options(command, variables, 0, into_.rules.emplace_back());
    } else if (command.name == "target_compile_options") {
      for (CompileRule& each : into_.rules)
        if (each.target == command.text(0)) add_options(command, variables, 1, each);
    }
  }

  // NAME VALUE in set() and set_target_properties().
  void property(std::string_view name, std::string_view value) {
    const bool is_language =
        name.ends_with("_STANDARD") &&
        (name.find("CUDA") != std::string_view::npos || name.find("CXX") != std::string_view::npos);
    if (is_language) options_.standard(value);
    if (name.ends_with("_SEPARABLE_COMPILATION") && value == "ON") into_.links_device_code = true;
  }

 private:
  // A CMake variable (CMAKE_CURRENT_SOURCE_DIR) expands to "/src" for a folder of the tree. A
  // literal absolute path belongs to another machine.
  void folder(const CMakeArgument& argument, std::string_view text) {
    if (!text.starts_with('/')) return options_.folder(text);
    if (argument.text.starts_with('/')) return;
    text.remove_prefix(std::min(text.find_first_not_of('/'), text.size()));
    const std::string whole = std::filesystem::path(text).lexically_normal().generic_string();
    const std::string below = whole == "." ? "" : whole;
    if (below.starts_with("..") || has_folder(files_, below)) into_.add_folder(below);
  }

  // A CMake variable for a folder of the tree expands to "/src".
  static std::string source(std::string_view folder, std::string_view text) {
    const bool is_whole = text.starts_with('/');
    const std::filesystem::path path =
        is_whole ? std::filesystem::path(text.substr(1)) : std::filesystem::path(folder) / text;
    return path.lexically_normal().generic_string();
  }

  // -O2, $<$<COMPILE_LANGUAGE:HIP>:-O2;-g>
  static void add_options(const syntax::build::CMakeCommand& command,
                          const CMakeVariables& variables, std::size_t first, CompileRule& rule) {
    constexpr std::string_view kForHip = "$<$<COMPILE_LANGUAGE:HIP>:";
    for (std::size_t i = first; i < command.arguments.size(); ++i) {
      std::string_view text = command.arguments[i].text;
      const bool is_for_hip = text.starts_with(kForHip) && text.ends_with('>');
      if (is_for_hip) text = text.substr(kForHip.size(), text.size() - kForHip.size() - 1);
      if (is_keyword(text) || text.find("$<") != std::string_view::npos) continue;
      for (const CMakeItem& item : variables.expand(text).items)
        if (item.present == Truth::kYes) add_words(item.text, rule.options);
    }
  }

  static void add_words(std::string_view text, std::vector<std::string>& to) {
    for (std::string& word : shell_words(text)) to.push_back(std::move(word));
  }

  const FileSet& files_;
  BuildFlags& into_;
  OptionReader options_;
};

}  // namespace

void add_cmake_flags(const syntax::build::CMakeCommand& command, const CMakeVariables& variables,
                     std::string_view folder, const FileSet& files, BuildFlags& into) {
  FlagsOfCommand flags(files, folder, into);
  flags.rule(command, variables, folder);
  const std::size_t first = command.name.starts_with("target_") ? 1 : 0;
  for (std::size_t i = first; i < command.arguments.size(); ++i) {
    const CMakeArgument& argument = command.arguments[i];
    if (is_keyword(argument.text) || argument.text.find("$<") != std::string_view::npos) continue;
    if (i + 1 < command.arguments.size())
      flags.property(argument.text, variables.expand(command.arguments[i + 1]).text().value_or(""));
    for (const CMakeItem& item : variables.expand(argument).items)
      if (item.present == Truth::kYes) flags.word(command.name, argument, item.text);
  }
}

}  // namespace hipwright::project
