// SPDX-License-Identifier: MIT
// The parts of targets: sources, libraries, properties, folders.
#include <algorithm>
#include <cctype>
#include <initializer_list>

#include <fmt/format.h>

#include "base/words.h"
#include "port/build/cmake_command.h"
#include "port/build/cmake_flags.h"
#include "port/build/cmake_names.h"

namespace hipwright::port {

using syntax::build::CMakeArgument;
using syntax::build::CMakeCommand;

namespace {

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

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string_view unquoted(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

bool property(CMakeArguments::iterator name, CMakeArguments::iterator end, FlagOf of) {
  const CMakeArguments before(name, end);
  const bool is_language = *name == "LANGUAGE" || *name == "LINKER_LANGUAGE";
  const bool is_flags =
      name->find("FLAGS") != std::string::npos || name->find("OPTIONS") != std::string::npos;
  *name = words_for_amd(*name);
  for (auto value = name + 1; value < end; ++value) {
    if (is_language && unquoted(*value) == "CUDA") *value = "HIP";
    *value = words_for_amd(*value);
    if (!is_flags) continue;
    const bool is_line = name->find("FLAGS") != std::string::npos;
    if (is_line) *value = with_quoted_option(std::move(*value), of);
    *value = with_quoted_expressions(flags_for_amd(*value, of, is_line).text);
  }
  return before != CMakeArguments(name, end);
}

}  // namespace

// Are the options in here nvcc's, for certain?
FlagOf flag_owner(const CMakeCommand& command) {
  const bool is_cuda = std::any_of(command.arguments.begin(), command.arguments.end(),
                                   [](const CMakeArgument& each) {
                                     return each.text.find("CUDA") != std::string_view::npos ||
                                            each.text.find("NVCC") != std::string_view::npos ||
                                            each.text.find("nvcc") != std::string_view::npos;
                                   });
  return is_cuda ? FlagOf::kNvcc : FlagOf::kAnyones;
}

// In target_link_libraries a library may have its plain name; elsewhere only what certainly belongs
// to CUDA counts.
std::optional<ForAmd> cmake_libraries(const CMakeCommand& command, const CMakeFacts& facts) {
  CMakeArguments list = arguments_of(command, facts.text);
  const bool is_link = is_any(command.name, {"target_link_libraries", "link_libraries"});
  std::set<std::string_view> packages;
  bool is_changed = false;
  for (std::size_t i = command.name == "link_libraries" ? 0 : 1; i < list.size(); ++i) {
    const std::string_view word = command.text(i);
    if (facts.targets.contains(word)) continue;
    if (!is_link && !word.starts_with("CUDA::") && !word.starts_with("${CUDA_")) continue;
    if (const auto flag = translate_flag(word, {}, FlagOf::kAnyones);
        flag && word.starts_with("-l")) {
      list[i] = flag->now;
      is_changed = true;
    } else if (const auto library = library_for_amd(word)) {
      list[i] = library->target;
      if (!library->package.empty() && library->package != "hip") packages.insert(library->package);
      is_changed = true;
    }
  }
  CMakeFlags flags{cmake_words(list), {}};
  if (is_link) flags = flags_for_amd(flags.text, FlagOf::kAnyones, false);
  is_changed |= !flags.reasons.empty();
  if (!is_changed) return std::nullopt;
  ForAmd amd;
  for (const std::string_view package : packages)
    amd.lines.push_back(fmt::format("find_package({} REQUIRED)", package));
  amd.lines.push_back(fmt::format("{}({})", command.name, flags.text));
  return amd;
}

// PROPERTIES name value name value, or PROPERTY name value…
std::optional<ForAmd> cmake_properties(const CMakeCommand& command, const CMakeFacts& facts) {
  CMakeArguments list = arguments_of(command, facts.text);
  const FlagOf of = flag_owner(command);
  const bool is_one = command.name == "set_property";
  const auto begin = std::find(list.begin(), list.end(), is_one ? "PROPERTY" : "PROPERTIES");
  if (begin == list.end() || begin + 1 == list.end()) return std::nullopt;
  const bool is_of_targets = command.name == "set_target_properties" || list[0] == "TARGET";
  ForAmd amd;
  bool is_changed = false;
  bool has_any = false;
  std::vector<std::string> device_link;
  for (auto name = begin + 1; name < list.end(); name += is_one ? list.end() - name : 2) {
    const auto end = is_one ? list.end() : std::min(name + 2, list.end());
    const std::string value = name + 1 < end ? *(name + 1) : "";
    if (*name == "CUDA_SEPARABLE_COMPILATION" && is_of_targets)
      for (auto target = list.begin() + (is_one ? 1 : 0); target != begin; ++target)
        if (*target != "APPEND") append(device_link, cmake_device_link(*target, unquoted(value)));
    if (const std::string_view why = why_not_set(*name); !why.empty()) {
      amd.reason += fmt::format("{}{}: {}", amd.reason.empty() ? "" : ", ", *name, why);
      std::fill(name, end, "");
      is_changed = true;
      continue;
    }
    has_any = true;
    is_changed |= property(name, end, of);
  }
  if (!is_changed) return std::nullopt;
  if (has_any) amd.lines.push_back(cmake_line(command.name, list));
  append(amd.lines, std::move(device_link));
  return amd;
}

// Host compilers need HIP's headers, and the platform macro.
std::optional<ForAmd> cmake_folders(const CMakeCommand& command, const CMakeFacts& facts) {
  CMakeArguments list = arguments_of(command, facts.text);
  bool is_changed = false;
  bool has_headers = false;
  bool has_any = false;
  const bool is_of_target = command.name.starts_with("target_");
  std::string keyword = "PRIVATE";
  for (std::size_t i = is_of_target ? 1 : 0; i < list.size(); ++i) {
    const std::string_view word = command.text(i);
    if (is_any(word, {"PUBLIC", "PRIVATE", "INTERFACE"})) {
      keyword = has_headers ? keyword : std::string(word);
      continue;
    }
    if (is_any(word, {"SYSTEM", "BEFORE", "AFTER"})) continue;
    const bool is_library = word.starts_with("${CUDA_TOOLKIT_ROOT_DIR}/lib") ||
                            word.starts_with("${CUDAToolkit_LIBRARY_DIR}") ||
                            word.starts_with("/usr/local/cuda/lib");
    if (!is_library && names_cudas_headers(word)) {
      list[i] = has_headers ? "" : "${hip_INCLUDE_DIRS}";
      has_headers = is_changed = true;
    } else if (is_library) {
      list[i].clear();
      is_changed = true;
    }
    has_any |= !list[i].empty();
  }
  if (!is_changed) return std::nullopt;
  ForAmd amd;
  if (has_any) amd.lines.push_back(cmake_line(command.name, list));
  if (has_headers)
    amd.lines.push_back(
        is_of_target ? fmt::format("target_compile_definitions({} {} __HIP_PLATFORM_AMD__=1)",
                                   list[0], keyword)
                     : "add_compile_definitions(__HIP_PLATFORM_AMD__=1)");
  return amd;
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

}  // namespace hipwright::port
