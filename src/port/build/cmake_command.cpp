// SPDX-License-Identifier: MIT
#include "port/build/cmake_command.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include <fmt/format.h>

#include "port/build/cmake_flags.h"
#include "port/build/cmake_names.h"

namespace hipwright::port {

using syntax::build::CMakeArgument;
using Command = syntax::build::CMakeCommand;

namespace {

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_off(std::string_view value) {
  std::string upper(value);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return is_any(upper, {"OFF", "FALSE", "NO", "0", "N", ""});
}

bool is_on(std::string_view value) {
  std::string upper(value);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return is_any(upper, {"ON", "TRUE", "YES", "1", "Y"});
}

std::string joined(const CMakeArguments& list) {
  std::string out;
  for (const std::string& each : list)
    if (!each.empty()) out += (out.empty() ? "" : " ") + each;
  return out;
}

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class Translator {
 public:
  Translator(const Command& command, const CMakeFacts& facts, bool is_in_function)
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
    if (is_any(name, {"target_link_libraries", "link_libraries"})) return libraries();
    if (is_any(name, {"add_executable", "add_library", "target_sources"})) return sources();
    if (auto amd = find_cuda_for_amd(command_, facts_, is_in_function_)) return amd;
    if (is_any(name, {"set_target_properties", "set_source_files_properties", "set_property"}))
      return properties();
    if (name.ends_with("include_directories") || name == "link_directories") return folders();
    if (auto amd = nvcc_flags_for_amd(command_)) return amd;
    if (name == "set" && command_.text(0).ends_with("CUDA_SEPARABLE_COMPILATION"))
      return ForAmd{.lines = cmake_device_link({}, command_.text(1)),
                    .is_added = false,
                    .reason = "HIP's compilers are asked with -fgpu-rdc"};
    if (is_any(name, {"set", "list", "string", "target_compile_features", "target_compile_options",
                      "add_compile_options", "target_link_options", "add_link_options",
                      "add_definitions", "add_custom_command", "add_custom_target",
                      "execute_process", "if", "elseif", "while"}))
      return words();
    return std::nullopt;
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
    const CMakeFlags flags = flags_for_amd(joined(list_), FlagOf::kNvcc, false);
    return ForAmd{
        .lines = {"include(CheckCompilerFlag)", fmt::format("check_compiler_flag({})", flags.text)},
        .is_added = false,
        .reason = {}};
  }

  // Who can do without CUDA can do without HIP.
  std::optional<ForAmd> package() {
    const std::string_view name = command_.text(0);
    const auto has = [&](std::string_view word) {
      return std::find(list_.begin(), list_.end(), word) != list_.end();
    };
    const std::string how = has("REQUIRED") ? " REQUIRED" : has("QUIET") ? " QUIET" : "";
    const std::string hip = fmt::format("find_package(hip{})", how);
    if (name == "CUDAToolkit") return line(hip);
    // With the old package the CUDA language was never asked for.
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

  std::optional<ForAmd> libraries() {
    std::set<std::string_view> packages;
    bool is_changed = false;
    for (std::size_t i = command_.name == "link_libraries" ? 0 : 1; i < list_.size(); ++i) {
      const std::string_view word = command_.text(i);
      if (facts_.targets.contains(word)) continue;
      if (const auto flag = translate_flag(word, {}, FlagOf::kAnyones);
          flag && word.starts_with("-l")) {
        list_[i] = flag->now;
        is_changed = true;
      } else if (const auto library = library_for_amd(word)) {
        list_[i] = library->target;
        if (!library->package.empty() && library->package != "hip")
          packages.insert(library->package);
        is_changed = true;
      }
    }
    const CMakeFlags flags = flags_for_amd(joined(list_), FlagOf::kAnyones, false);
    is_changed |= !flags.reasons.empty();
    if (!is_changed) return std::nullopt;
    ForAmd amd;
    for (const std::string_view package : packages)
      amd.lines.push_back(fmt::format("find_package({} REQUIRED)", package));
    amd.lines.push_back(fmt::format("{}({})", command_.name, flags.text));
    return amd;
  }

  // A .cu file is HIP when it is told to be.
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

  // PROPERTIES name value name value, or PROPERTY name value…
  std::optional<ForAmd> properties() {
    const bool is_one = command_.name == "set_property";
    const auto begin = std::find(list_.begin(), list_.end(), is_one ? "PROPERTY" : "PROPERTIES");
    if (begin == list_.end() || begin + 1 == list_.end()) return std::nullopt;
    const bool is_of_targets = command_.name == "set_target_properties" || list_[0] == "TARGET";
    ForAmd amd;
    bool is_changed = false;
    bool has_any = false;
    std::vector<std::string> device_link;
    for (auto name = begin + 1; name < list_.end(); name += is_one ? list_.end() - name : 2) {
      const auto end = is_one ? list_.end() : std::min(name + 2, list_.end());
      const std::string value = name + 1 < end ? *(name + 1) : "";
      if (*name == "CUDA_SEPARABLE_COMPILATION" && is_of_targets)
        for (auto target = list_.begin() + (is_one ? 1 : 0); target != begin; ++target)
          if (*target != "APPEND") append(device_link, cmake_device_link(*target, unquoted(value)));
      if (const std::string_view why = why_not_set(*name); !why.empty()) {
        amd.reason += fmt::format("{}{}: {}", amd.reason.empty() ? "" : ", ", *name, why);
        std::fill(name, end, "");
        is_changed = true;
        continue;
      }
      has_any = true;
      is_changed |= property(name, end);
    }
    if (!is_changed) return std::nullopt;
    if (has_any) amd.lines.push_back(cmake_line(command_.name, list_));
    append(amd.lines, std::move(device_link));
    return amd;
  }

  static std::string_view unquoted(std::string_view text) {
    const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return is_quoted ? text.substr(1, text.size() - 2) : text;
  }

  bool property(CMakeArguments::iterator name, CMakeArguments::iterator end) {
    const CMakeArguments before(name, end);
    const bool is_language = *name == "LANGUAGE" || *name == "LINKER_LANGUAGE";
    const bool is_flags =
        name->find("FLAGS") != std::string::npos || name->find("OPTIONS") != std::string::npos;
    *name = words_for_amd(*name);
    for (auto value = name + 1; value < end; ++value) {
      if (is_language && unquoted(*value) == "CUDA") *value = "HIP";
      *value = words_for_amd(*value);
      if (is_flags)
        *value = flags_for_amd(*value, of(), name->find("FLAGS") != std::string::npos).text;
    }
    return before != CMakeArguments(name, end);
  }

  // Host compilers need HIP's headers, and to be told whose they are.
  std::optional<ForAmd> folders() {
    bool is_changed = false;
    bool has_headers = false;
    bool has_any = false;
    const bool is_of_target = command_.name.starts_with("target_");
    std::string keyword = "PRIVATE";
    for (std::size_t i = is_of_target ? 1 : 0; i < list_.size(); ++i) {
      const std::string_view word = command_.text(i);
      if (is_any(word, {"PUBLIC", "PRIVATE", "INTERFACE"})) {
        keyword = has_headers ? keyword : std::string(word);
        continue;
      }
      if (is_any(word, {"SYSTEM", "BEFORE", "AFTER"})) continue;
      const bool is_library = word.starts_with("${CUDA_TOOLKIT_ROOT_DIR}/lib") ||
                              word.starts_with("${CUDAToolkit_LIBRARY_DIR}") ||
                              word.starts_with("/usr/local/cuda/lib");
      if (!is_library && names_cudas_headers(word)) {
        list_[i] = has_headers ? "" : "${hip_INCLUDE_DIRS}";
        has_headers = is_changed = true;
      } else if (is_library) {
        list_[i].clear();
        is_changed = true;
      }
      has_any |= !list_[i].empty();
    }
    if (!is_changed) return std::nullopt;
    ForAmd amd;
    if (has_any) amd.lines.push_back(cmake_line(command_.name, list_));
    if (has_headers)
      amd.lines.push_back(
          is_of_target ? fmt::format("target_compile_definitions({} {} __HIP_PLATFORM_AMD__=1)",
                                     list_[0], keyword)
                       : "add_compile_definitions(__HIP_PLATFORM_AMD__=1)");
    return amd;
  }

  // Are the options in here nvcc's, for certain?
  FlagOf of() const {
    const bool is_cuda = std::any_of(command_.arguments.begin(), command_.arguments.end(),
                                     [](const CMakeArgument& each) {
                                       return each.text.find("CUDA") != std::string_view::npos ||
                                              each.text.find("NVCC") != std::string_view::npos ||
                                              each.text.find("nvcc") != std::string_view::npos;
                                     });
    return is_cuda ? FlagOf::kNvcc : FlagOf::kAnyones;
  }

  // Commands in which words stand for themselves. One whose subject means nothing for HIP goes.
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
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (is_own(command_.text(i))) continue;
      list_[i] = words_for_amd(list_[i], is_condition);
      if (calls) program(i);
    }
    CMakeFlags flags{joined(list_), {}};
    if (!is_condition) {
      const bool is_line =
          calls || (subject.find("FLAGS") != std::string_view::npos && command_.name != "list");
      flags = flags_for_amd(flags.text, of(), is_line);
    }
    if (flags.text == joined(arguments_of(command_, facts_.text))) return std::nullopt;
    if (calls) for_all_targets(flags.text);
    if (command_.name == "set" && subject.starts_with("CMAKE_CUDA_FLAGS_REL")) optimise(flags.text);
    return line(fmt::format("{}({})", command_.name, flags.text),
                fmt::format("{}", fmt::join(flags.reasons, ", ")));
  }

  // A variable that the file gives a value is not CUDA's.
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

  // nvcc optimises without being asked, clang does not.
  static void optimise(std::string& text) {
    const std::size_t end = text.find('"', text.find('"') + 1);
    const bool is_asked = text.find("-O") != std::string::npos ||
                          text.find("${CMAKE_HIP_FLAGS_REL") != std::string::npos;
    if (!is_asked && end != std::string::npos) text.insert(end, " -O3");
  }

  // hipcc alone would take the GPUs of this machine.
  static void for_all_targets(std::string& text) {
    const std::size_t at = text.find("--genco");
    if (at != std::string::npos)
      text.insert(at + 7, " \"--offload-arch=$<JOIN:${CMAKE_HIP_ARCHITECTURES},$<COMMA>>\"");
  }

  const Command& command_;
  const CMakeFacts& facts_;
  bool is_in_function_;
  CMakeArguments list_;
};

}  // namespace

bool is_cmake_condition(const Command& command) {
  return is_any(command.name, {"if", "elseif", "while"});
}

CMakeFacts facts_of_cmake(std::string_view text, const syntax::build::CMakeCommands& commands) {
  CMakeFacts facts;
  facts.text = text;
  facts.has_cuda_sources = text.find(".cu") != std::string_view::npos;
  for (const Command& command : commands.list) {
    if (is_any(command.name, {"add_library", "add_executable", "cuda_add_library"}))
      facts.targets.emplace(command.text(0));
    if (is_any(command.name, {"set", "option"}) && !answers_for_amd(command.text(0)).empty())
      facts.variables.emplace(command.text(0));
  }
  return facts;
}

CMakeArguments arguments_of(const Command& command, std::string_view text) {
  CMakeArguments list;
  for (const CMakeArgument& argument : command.arguments)
    list.emplace_back(text.substr(argument.span.begin, argument.span.size()));
  return list;
}

std::string cmake_line(std::string_view name, const CMakeArguments& arguments) {
  return fmt::format("{}({})", name, joined(arguments));
}

std::vector<std::string> cmake_languages(const std::vector<std::string>& sources,
                                         bool may_be_in_variables) {
  std::string files, variables;
  for (const std::string& each : sources) {
    if (each.ends_with(".cu")) files += each + ' ';
    if (each.starts_with("${") && each.ends_with("}")) variables += ' ' + each;
  }
  std::vector<std::string> lines;
  if (!files.empty())
    lines.push_back(fmt::format("set_source_files_properties({}PROPERTIES LANGUAGE HIP)", files));
  if (!variables.empty() && may_be_in_variables) {
    lines.push_back(fmt::format("set(hip_sources{})", variables));
    lines.emplace_back("list(FILTER hip_sources INCLUDE REGEX \"\\\\.cu$\")");
    lines.emplace_back("set_source_files_properties(${hip_sources} PROPERTIES LANGUAGE HIP)");
  }
  return lines;
}

std::vector<std::string> cmake_device_link(std::string_view target, std::string_view value) {
  if (is_off(value)) return {};
  std::string compile = "$<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>";
  std::string link = "$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc;--hip-link>";
  if (!is_on(value)) {
    compile = fmt::format("$<$<BOOL:{}>:{}>", value, compile);
    link = fmt::format("$<$<BOOL:{}>:{}>", value, link);
  }
  if (target.empty())
    return {fmt::format("add_compile_options(\"{}\")", compile),
            fmt::format("add_link_options(\"{}\")", link)};
  return {fmt::format("target_compile_options({} PRIVATE \"{}\")", target, compile),
          fmt::format("target_link_options({} PUBLIC \"{}\")", target, link)};
}

std::optional<ForAmd> cmake_for_amd(const Command& command, const CMakeFacts& facts,
                                    bool is_in_function) {
  return Translator(command, facts, is_in_function).run();
}

}  // namespace hipwright::port
