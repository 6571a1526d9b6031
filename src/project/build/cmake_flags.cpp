// SPDX-License-Identifier: MIT
#include "project/build/cmake_flags.h"

#include <algorithm>
#include <filesystem>

#include "base/words.h"

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

  const FileSet& files_;
  BuildFlags& into_;
  OptionReader options_;
};

}  // namespace

void add_cmake_flags(const syntax::build::CMakeCommand& command, const CMakeVariables& variables,
                     std::string_view folder, const FileSet& files, BuildFlags& into) {
  FlagsOfCommand flags(files, folder, into);
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
