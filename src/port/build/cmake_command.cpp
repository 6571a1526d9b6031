// SPDX-License-Identifier: MIT
#include "port/build/cmake_command.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include <fmt/format.h>

#include "arch/processors.h"
#include "base/words.h"
#include "port/build/cmake_flags.h"
#include "port/build/cmake_names.h"

namespace hipwright::port {

using syntax::build::CMakeArgument;
using syntax::build::CMakeCommand;

namespace {

bool is_nvidia_target(std::string_view value) {
  return value.starts_with("sm_") || value.starts_with("compute_");
}

class Translator {
 public:
  Translator(const CMakeCommand& command, const CMakeFacts& facts, bool is_in_function)
      : command_(command),
        facts_(facts),
        is_in_function_(is_in_function),
        list_(arguments_of(command, facts.text)) {}

  std::optional<ForAmd> run() {
    const std::string& name = command_.name;
    if (is_any(name, {"project", "enable_language", "check_language", "check_compiler_flag",
                      "check_source_compiles", "check_linker_flag"}))
      return language();
    if (name == "check_cuda_compiler_flag") return check_flag();
    if (name == "find_package") return package();
    if (is_any(name, {"target_link_libraries", "link_libraries"}))
      return cmake_libraries(command_, facts_);
    if (is_any(name, {"add_executable", "add_library", "target_sources"})) return sources();
    if (auto amd = find_cuda_for_amd(command_, facts_, is_in_function_)) return amd;
    if (is_any(name, {"set_target_properties", "set_source_files_properties", "set_property"}))
      return cmake_properties(command_, facts_);
    if (name.ends_with("include_directories") || name == "link_directories")
      return cmake_folders(command_, facts_);
    if (auto amd = nvcc_flags_for_amd(command_, facts_)) return amd;
    if (name == "set" && command_.text(0).ends_with("CUDA_SEPARABLE_COMPILATION"))
      return ForAmd{.lines = cmake_device_link({}, command_.text(1)),
                    .is_added = false,
                    .reason = "HIP compilers need -fgpu-rdc"};
    if (is_any(name, {"set", "list", "string", "target_compile_features", "target_compile_options",
                      "add_compile_options", "target_link_options", "add_link_options",
                      "add_definitions", "add_custom_command", "add_custom_target",
                      "execute_process", "if", "elseif", "while", "foreach"}))
      return words();
    // The project's own commands may take libraries.
    return is_any(name, {"message", "function", "macro"}) ? std::nullopt
                                                          : cmake_libraries(command_, facts_);
  }

 private:
  ForAmd line(std::string text, std::string reason = {}) const {
    return {.lines = {std::move(text)}, .is_added = false, .reason = std::move(reason)};
  }

  std::optional<ForAmd> language() {
    bool is_changed = false;
    for (std::size_t i = command_.name == "project" ? 1 : 0; i < list_.size(); ++i) {
      if (list_[i] != "CUDA") continue;
      list_[i] = "HIP";
      is_changed = true;
    }
    if (!is_changed) return std::nullopt;
    return line(cmake_line(command_.name, list_));
  }

  std::optional<ForAmd> check_flag() {
    list_.insert(list_.begin(), "HIP");
    const CMakeFlags flags = flags_for_amd(cmake_words(list_), FlagOf::kNvcc, false);
    return ForAmd{
        .lines = {"include(CheckCompilerFlag)", fmt::format("check_compiler_flag({})", flags.text)},
        .is_added = false,
        .reason = {}};
  }

  // If CUDA is optional, so is HIP.
  std::optional<ForAmd> package() {
    const std::string_view name = command_.text(0);
    const auto has = [&](std::string_view word) {
      return std::find(list_.begin(), list_.end(), word) != list_.end();
    };
    const std::string how = has("REQUIRED") ? " REQUIRED" : has("QUIET") ? " QUIET" : "";
    const std::string hip = fmt::format("find_package(hip{})", how);
    if (name == "CUDAToolkit") return line(hip);
    // With the old package the CUDA language was never enabled.
    if (name == "CUDA" && has("REQUIRED"))
      return ForAmd{.lines = {"enable_language(HIP)", hip}, .is_added = false, .reason = {}};
    if (name == "CUDA")
      return ForAmd{
          .lines = {"include(CheckLanguage)", "check_language(HIP)", "if(CMAKE_HIP_COMPILER)",
                    "  enable_language(HIP)", "  " + hip, "endif()"},
          .is_added = false,
          .reason = {}};
    const std::string_view other = package_for_amd(name);
    if (other.empty()) return std::nullopt;
    return line(fmt::format("find_package({}{})", other, how));
  }

  // A .cu file is HIP only with LANGUAGE HIP.
  std::optional<ForAmd> sources() const {
    std::vector<std::string> files;
    for (std::size_t i = 1; i < command_.arguments.size(); ++i)
      files.emplace_back(command_.text(i));
    ForAmd amd;
    amd.is_added = true;
    amd.lines = cmake_languages(files, facts_.has_cuda_sources || is_in_function_);
    if (amd.lines.empty()) return std::nullopt;
    return amd;
  }

  // Commands whose words are literal. A command whose subject has no meaning for HIP is removed.
  std::optional<ForAmd> words() {
    const bool is_condition = is_cmake_condition(command_);
    const bool calls =
        command_.name.starts_with("add_custom_") || command_.name == "execute_process";
    const bool is_list = command_.name == "list" || command_.name == "string";
    const std::string_view subject = command_.text(is_list ? 1 : 0);
    if (command_.name == "set" || is_list)
      if (const std::string_view why = why_not_set(subject); !why.empty())
        return ForAmd{
            .lines = {}, .is_added = false, .reason = fmt::format("{}: {}", subject, why)};
    if (command_.name == "set" || command_.name == "list")
      if (auto amd = cmake_libraries(command_, facts_)) return amd;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (is_own(command_.text(i))) continue;
      if (i > 0 && list_[i - 1] == "DEFINED" && is_version(command_.text(i))) {
        list_[i] = "CMAKE_HIP_COMPILER";
        continue;
      }
      list_[i] = words_for_amd(list_[i], is_condition);
      if (calls) program(i);
    }
    if (command_.name == "set" && facts_.target_variables.contains(subject) &&
        is_nvidia_target(command_.text(1)))
      list_[1] = arch::kDefaultTarget;
    CMakeFlags flags{cmake_words(list_), {}};
    if (!is_condition) flags = options(subject, calls);
    if (flags.text == cmake_words(arguments_of(command_, facts_.text))) return std::nullopt;
    // Nothing remains to append.
    if (is_list && (flags.text == fmt::format("APPEND {}", list_[1]) ||
                    flags.text == fmt::format("APPEND {} \"\"", list_[1])))
      return ForAmd{.lines = {},
                    .is_added = false,
                    .reason = fmt::format("{}", fmt::join(flags.reasons, ", "))};
    if (calls) for_all_targets(flags.text);
    if (command_.name == "set" && subject.starts_with("CMAKE_CUDA_FLAGS_REL")) optimise(flags.text);
    return line(fmt::format("{}({})", command_.name, flags.text),
                fmt::format("{}", fmt::join(flags.reasons, ", ")));
  }

  // Blanks lie between the options of a command line, semicolons between those of a list.
  CMakeFlags options(std::string_view subject, bool calls) {
    const FlagOf of = flag_owner(command_);
    for (std::string& each : list_) each = with_target_variables(std::move(each), facts_);
    const bool sets_line = command_.name != "list" && is_option_line(subject);
    if (sets_line)
      for (std::string& each : list_) each = with_quoted_option(std::move(each), of);
    CMakeFlags flags = flags_for_amd(cmake_words(list_), of, calls || sets_line);
    if (!flags.reasons.empty() && !calls) flags.text = with_quoted_expressions(flags.text);
    return flags;
  }

  bool is_option_line(std::string_view variable) const {
    if (variable.starts_with("CMAKE_")) return variable.find("FLAGS") != std::string_view::npos;
    if (facts_.option_lists.contains(variable)) return false;
    return variable.find("FLAGS") != std::string_view::npos ||
           facts_.option_lines.contains(variable);
  }

  static bool is_version(std::string_view name) {
    const auto answers = answers_for_amd(name);
    return !answers.empty() && answers[0].name == name && !answers[0].value.starts_with('$');
  }

  // A variable that the file sets is not CUDA's.
  bool is_own(std::string_view word) const {
    return std::any_of(
        facts_.variables.begin(), facts_.variables.end(), [&](const std::string& each) {
          return word == each || word.find("${" + each + "}") != std::string_view::npos;
        });
  }

  void program(std::size_t i) {
    const std::string_view word = command_.text(i);
    if (word == "nvcc" || word.ends_with("/nvcc") || word == "${CMAKE_CUDA_COMPILER}")
      list_[i] = "${hip_HIPCC_EXECUTABLE}";
  }

  // nvcc optimises by default, clang does not.
  static void optimise(std::string& text) {
    const std::size_t end = text.find('"', text.find('"') + 1);
    const bool is_asked = text.find("-O") != std::string::npos ||
                          text.find("${CMAKE_HIP_FLAGS_REL") != std::string::npos;
    if (!is_asked && end != std::string::npos) text.insert(end, " -O3");
  }

  // By default hipcc compiles for the GPUs of this machine.
  static void for_all_targets(std::string& text) {
    const std::size_t at = text.find("--genco");
    if (at != std::string::npos)
      text.insert(at + 7, " \"--offload-arch=$<JOIN:${CMAKE_HIP_ARCHITECTURES},$<COMMA>>\"");
  }

  const CMakeCommand& command_;
  const CMakeFacts& facts_;
  bool is_in_function_;
  CMakeArguments list_;
};

}  // namespace

bool is_cmake_condition(const CMakeCommand& command) {
  return is_any(command.name, {"if", "elseif", "while", "foreach"});
}

namespace {

// Where the value of a variable goes: into a list of options, or into a command line.
void note_uses(const CMakeCommand& command, CMakeFacts& facts) {
  const bool is_list = is_any(command.name, {"target_compile_options", "add_compile_options"});
  const bool is_line = is_any(command.name, {"set", "string"}) &&
                       (command.text(0).find("FLAGS") != std::string_view::npos ||
                        command.text(1).find("FLAGS") != std::string_view::npos);
  if (!is_list && !is_line) return;
  for (const CMakeArgument& argument : command.arguments)
    for (std::size_t at = argument.text.find("${"); at != std::string_view::npos;
         at = argument.text.find("${", at + 1)) {
      const std::size_t end = argument.text.find('}', at);
      if (end == std::string_view::npos) break;
      (is_list ? facts.option_lists : facts.option_lines)
          .emplace(argument.text.substr(at + 2, end - at - 2));
    }
}

}  // namespace

CMakeFacts facts_of_cmake(std::string_view text, const syntax::build::CMakeCommands& commands) {
  CMakeFacts facts;
  facts.text = text;
  facts.has_cuda_sources = text.find(".cu") != std::string_view::npos;
  for (const CMakeCommand& command : commands.list) {
    if (is_any(command.name, {"add_library", "add_executable", "cuda_add_library"}))
      facts.targets.emplace(command.text(0));
    if (is_any(command.name, {"set", "option"}) && !answers_for_amd(command.text(0)).empty())
      facts.variables.emplace(command.text(0));
    if (command.name == "find_package" && is_any(command.text(0), {"CUDA", "CUDAToolkit", "hip"}))
      facts.has_toolkit = true;
    note_uses(command, facts);
    if (command.name == "set" && is_nvidia_target(command.text(1)) &&
        text.find(fmt::format("-arch=${{{}}}", command.text(0))) != std::string_view::npos)
      facts.target_variables.emplace(command.text(0));
  }
  return facts;
}

std::string with_target_variables(std::string text, const CMakeFacts& facts) {
  for (const std::string& variable : facts.target_variables) {
    const std::string old = fmt::format("-arch=${{{}}}", variable);
    const std::string now = fmt::format("--offload-arch=${{{}}}", variable);
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + 1)) {
      const std::size_t begin = at > 0 && text[at - 1] == '-' ? at - 1 : at;  // --arch
      const bool is_word = begin == 0 || std::string_view(" \t\n\";:").find(text[begin - 1]) !=
                                             std::string_view::npos;
      if (is_word) text.replace(begin, at + old.size() - begin, now);
    }
  }
  return text;
}

CMakeArguments arguments_of(const CMakeCommand& command, std::string_view text) {
  CMakeArguments list;
  for (const CMakeArgument& argument : command.arguments)
    list.emplace_back(text.substr(argument.span.begin, argument.span.size()));
  return list;
}

std::string cmake_words(const CMakeArguments& arguments) {
  std::string out;
  for (const std::string& each : arguments)
    if (!each.empty()) out += (out.empty() ? "" : " ") + each;
  return out;
}

std::string cmake_line(std::string_view name, const CMakeArguments& arguments) {
  return fmt::format("{}({})", name, cmake_words(arguments));
}

std::optional<ForAmd> cmake_for_amd(const CMakeCommand& command, const CMakeFacts& facts,
                                    bool is_in_function) {
  auto amd = Translator(command, facts, is_in_function).run();
  if (!amd || facts.has_toolkit || is_cmake_condition(command)) return amd;
  // CMake's language alone provides neither targets nor include folders.
  const bool needs_package =
      std::any_of(amd->lines.begin(), amd->lines.end(), [](const auto& line) {
        return line.find("hip::host") != std::string::npos ||
               line.find("hip_INCLUDE_DIRS") != std::string::npos ||
               line.find("hip_HIPCC_EXECUTABLE") != std::string::npos;
      });
  if (needs_package) amd->lines.insert(amd->lines.begin(), "find_package(hip REQUIRED)");
  return amd;
}

}  // namespace hipwright::port
