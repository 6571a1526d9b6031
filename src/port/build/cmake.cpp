// SPDX-License-Identifier: MIT
#include "port/build/cmake.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "port/build/cmake_names.h"
#include "port/build/flags.h"
#include "port/source/paths.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::port {

namespace build = syntax::build;
using Command = build::CMakeCommand;
using Argument = build::CMakeArgument;

namespace {

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What AMD's build has in place of a command.
struct ForAmd {
  std::vector<std::string> lines;  // without indentation; none: the command goes
  bool is_added = false;           // they come behind the command, which stays
};

class CMakeFile {
 public:
  CMakeFile(PortedFile& file, Mode mode)
      : file_(file), text_(file.source->text()), mode_(mode), commands_(build::read_cmake(text_)) {}

  void translate() {
    for (const Command& command : commands_.list) {
      if (is_switch(command)) return;  // ported already, by us or by the project
    }
    std::vector<Translated> group;
    for (std::size_t i = 0; i < commands_.list.size(); ++i) {
      const Command& command = commands_.list[i];
      auto amd = for_amd(command);
      if (!amd || (is_condition(command) && mode_ == Mode::kDual)) continue;
      if (amd->is_added && are_behind(i, amd->lines)) continue;
      Translated next{&command, i, *std::move(amd)};
      if (!group.empty() && !goes_with(group.back(), next)) write(std::exchange(group, {}));
      group.push_back(std::move(next));
    }
    if (!group.empty()) write(group);
  }

 private:
  struct Translated {
    const Command* command;
    std::size_t index;
    ForAmd amd;
  };

  // Neighbours that both platforms have their own version of share one if().
  bool goes_with(const Translated& a, const Translated& b) const {
    const auto is_exchanged = [](const Translated& each) {
      return !each.amd.is_added && !each.amd.lines.empty();
    };
    const std::string_view between =
        text_.substr(a.command->span.end, b.command->span.begin - a.command->span.end);
    return mode_ == Mode::kDual && b.index == a.index + 1 && is_exchanged(a) && is_exchanged(b) &&
           between.find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  // Of a file that was ported before: these lines follow the command already.
  bool are_behind(std::size_t index, const std::vector<std::string>& lines) const {
    if (commands_.list.size() - index <= lines.size()) return false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Span span = commands_.list[index + 1 + i].span;
      if (text_.substr(span.begin, span.size()) != lines[i]) return false;
    }
    return true;
  }

  static bool is_switch(const Command& command) {
    return (command.name == "option" || command.name == "if") &&
           (command.text(0) == kCMakeSwitch ||
            (command.text(0) == "NOT" && command.text(1) == kCMakeSwitch));
  }
  static bool is_condition(const Command& command) {
    return is_any(command.name, {"if", "elseif", "while"});
  }

  std::optional<ForAmd> for_amd(const Command& command) const {
    const std::string& name = command.name;
    if (is_any(name, {"project", "enable_language", "check_language"})) return language(command);
    if (name == "find_package") return package(command);
    if (name == "target_link_libraries") return libraries(command);
    if (is_any(name, {"add_executable", "add_library", "target_sources", "cuda_add_executable",
                      "cuda_add_library"}))
      return sources(command);
    if (is_any(name, {"set_target_properties", "set_source_files_properties"}))
      return properties(command);
    if (auto amd = old_flags(command)) return amd;
    if (is_any(name, {"set", "list", "string", "set_property", "target_compile_features",
                      "target_compile_options", "add_compile_options", "include_directories",
                      "target_include_directories", "if", "elseif"}))
      return words(command);
    return std::nullopt;
  }

  // The command with other arguments; one that is empty is left out.
  std::string with(const Command& command, const std::vector<std::string>& arguments,
                   std::string_view name = {}) const {
    std::string out(name.empty() ? std::string_view(command.name) : name);
    out += '(';
    bool is_first = true;
    for (const std::string& argument : arguments) {
      if (argument.empty()) continue;
      if (!is_first) out += ' ';
      is_first = false;
      out += argument;
    }
    return out + ')';
  }

  std::vector<std::string> arguments_of(const Command& command) const {
    std::vector<std::string> list;
    for (const Argument& argument : command.arguments)
      list.emplace_back(text_.substr(argument.span.begin, argument.span.size()));
    return list;
  }

  std::optional<ForAmd> language(const Command& command) const {
    auto list = arguments_of(command);
    bool is_changed = false;
    for (std::size_t i = command.name == "project" ? 1 : 0; i < list.size(); ++i) {
      if (list[i] != "CUDA") continue;
      list[i] = "HIP";
      is_changed = true;
    }
    if (!is_changed) return std::nullopt;
    return ForAmd{.lines = {with(command, list)}};
  }

  std::optional<ForAmd> package(const Command& command) const {
    const std::string_view name = command.text(0);
    // With the old package the CUDA language was never asked for.
    if (name == "CUDA")
      return ForAmd{.lines = {"enable_language(HIP)", "find_package(hip REQUIRED)"}};
    if (name == "CUDAToolkit") return ForAmd{.lines = {"find_package(hip REQUIRED)"}};
    if (name == "CUDNN" || name == "cudnn")
      return ForAmd{.lines = {"find_package(miopen REQUIRED)"}};
    if (name == "NCCL") return ForAmd{.lines = {"find_package(rccl REQUIRED)"}};
    return std::nullopt;
  }

  std::optional<ForAmd> libraries(const Command& command) const {
    auto list = arguments_of(command);
    std::set<std::string_view> packages;
    bool is_changed = false;
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (const auto library = library_for_amd(command.arguments[i].text)) {
        list[i] = library->target;
        if (!library->package.empty() && library->package != "hip")
          packages.insert(library->package);
        is_changed = true;
      }
    }
    if (!is_changed) return std::nullopt;
    ForAmd amd;
    for (const std::string_view package : packages)
      amd.lines.push_back(fmt::format("find_package({} REQUIRED)", package));
    amd.lines.push_back(with(command, list));
    return amd;
  }

  // A .cu file is HIP when it is told to be.
  std::optional<ForAmd> sources(const Command& command) const {
    ForAmd amd;
    amd.is_added = !command.name.starts_with("cuda_");
    if (!amd.is_added)
      amd.lines.push_back(with(command, arguments_of(command), command.name.substr(5)));
    std::string files, variables;
    for (std::size_t i = 1; i < command.arguments.size(); ++i) {
      const std::string_view text = command.text(i);
      if (text.ends_with(".cu")) files += fmt::format("{} ", text);
      if (text.starts_with("${") && text.ends_with("}")) variables += fmt::format(" {}", text);
    }
    if (!files.empty())
      amd.lines.push_back(
          fmt::format("set_source_files_properties({}PROPERTIES LANGUAGE HIP)", files));
    if (!variables.empty() && text_.find(".cu") != std::string_view::npos) {
      amd.lines.push_back(fmt::format("set(hip_sources{})", variables));
      amd.lines.push_back("list(FILTER hip_sources INCLUDE REGEX \"\\\\.cu$\")");
      amd.lines.push_back("set_source_files_properties(${hip_sources} PROPERTIES LANGUAGE HIP)");
    }
    if (amd.lines.empty()) return std::nullopt;
    return amd;
  }

  // PROPERTIES name value name value
  std::optional<ForAmd> properties(const Command& command) const {
    auto list = arguments_of(command);
    const auto begin = std::find(list.begin(), list.end(), "PROPERTIES");
    if (begin == list.end()) return std::nullopt;
    bool is_changed = false;
    bool has_any = false;
    for (auto name = begin + 1; name != list.end() && name + 1 != list.end(); name += 2) {
      if (const auto word = word_for_amd(*name)) {
        is_changed = true;
        *name = word->now;
        if (word->is_dropped) (name + 1)->clear();
      }
      has_any |= !name->empty();
    }
    if (!is_changed) return std::nullopt;
    ForAmd amd;
    if (has_any) amd.lines.push_back(with(command, list));
    return amd;
  }

  // Commands in which words stand for themselves. One whose subject goes, goes.
  std::optional<ForAmd> words(const Command& command) const {
    auto list = arguments_of(command);
    bool is_changed = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto word = word_for_amd(list[i]);
      if (word && word->is_dropped) {
        if (is_condition(command)) return std::nullopt;
        const bool is_include = command.name.ends_with("include_directories");
        if (!is_include) return ForAmd{};
      }
      std::string now = flags_in(word ? word->now : list[i], mentions_cuda(command));
      is_changed |= now != list[i];
      list[i] = std::move(now);
    }
    if (!is_changed) return std::nullopt;
    return ForAmd{.lines = {with(command, list)}};
  }

  // CUDA_NVCC_FLAGS is a list, CMAKE_HIP_FLAGS a command line.
  static std::optional<ForAmd> old_flags(const Command& command) {
    const bool is_set = command.name == "set" && command.text(0) == "CUDA_NVCC_FLAGS";
    const bool is_appended = is_any(command.name, {"list", "string"}) &&
                             command.text(0) == "APPEND" && command.text(1) == "CUDA_NVCC_FLAGS";
    if (!is_set && !is_appended) return std::nullopt;
    std::string words;
    for (std::size_t i = is_set ? 1 : 2; i < command.arguments.size(); ++i) {
      const std::string_view word = command.text(i);
      if (is_any(word, {"CACHE", "PARENT_SCOPE"})) break;
      words += fmt::format("{}{}", words.empty() ? "" : " ", word);
    }
    std::replace(words.begin(), words.end(), ';', ' ');
    if (const auto word = word_for_amd(words); word && !word->is_dropped) words = word->now;
    words = flags_in(words, true);
    while (words.ends_with(' ')) words.pop_back();
    if (words.empty()) return ForAmd{};
    return ForAmd{.lines = {is_set ? fmt::format("set(CMAKE_HIP_FLAGS \"{}\")", words)
                                   : fmt::format("string(APPEND CMAKE_HIP_FLAGS \" {}\")", words)}};
  }

  static bool mentions_cuda(const Command& command) {
    return std::any_of(
        command.arguments.begin(), command.arguments.end(),
        [](const Argument& each) { return each.text.find("CUDA") != std::string_view::npos; });
  }

  // nvcc's options, in a quoted list or behind the ':' of a generator expression.
  static std::string flags_in(const std::string& argument, bool is_cuda) {
    if (!is_cuda || argument.find('-') == std::string::npos) return argument;
    constexpr std::string_view kEnds = " \t\";>";
    std::string out;
    std::size_t at = 0;
    while (at < argument.size()) {
      const bool begins = argument[at] == '-' &&
                          (at == 0 || kEnds.find(argument[at - 1]) != std::string_view::npos ||
                           argument[at - 1] == ':');
      if (!begins) {
        out += argument[at++];
        continue;
      }
      const std::size_t end = std::min(argument.find_first_of(kEnds, at), argument.size());
      const std::size_t next = std::min(argument.find_first_not_of(" \t;", end), argument.size());
      const std::size_t next_end = std::min(argument.find_first_of(kEnds, next), argument.size());
      const std::string_view text = argument;
      const auto flag =
          translate_flag(text.substr(at, end - at), text.substr(next, next_end - next));
      if (!flag) {
        out += text.substr(at, end - at);
        at = end;
        continue;
      }
      out += flag->now;
      at = flag->takes_next ? next_end : end;
      if (flag->now.empty())
        while (at < argument.size() && argument[at] == ' ') ++at;
    }
    return out;
  }

  std::string indentation_of(const Command& command) const {
    const std::size_t line = text_.rfind('\n', command.span.begin);
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    const std::string_view before = text_.substr(begin, command.span.begin - begin);
    return before.find_first_not_of(" \t") == std::string_view::npos ? std::string(before) : "";
  }

  void declare_switch() {
    const Command* place = nullptr;
    for (const Command& command : commands_.list) {
      if (command.name == "cmake_minimum_required") place = &command;
      if (command.name == "project") {
        if (place == nullptr) place = &command;
        break;
      }
    }
    // A file below the top has it from there.
    if (place == nullptr) return;
    const bool is_behind = place->name != "project";
    const std::size_t at = is_behind ? place->span.end : place->span.begin;
    const std::string line = fmt::format("option({} \"Build for AMD GPUs\" OFF)", kCMakeSwitch);
    add({at, at}, is_behind ? std::string(line_break()) + line : line + std::string(line_break()),
        "HP404", "which of the two is built");
  }

  void write(const std::vector<Translated>& group) {
    const Command& first = *group.front().command;
    const Span span = {first.span.begin, group.back().command->span.end};
    const std::string next = std::string(line_break()) + indentation_of(first);
    std::vector<std::string> lines;
    for (const Translated& each : group)
      lines.insert(lines.end(), each.amd.lines.begin(), each.amd.lines.end());
    const std::string_view old = text_.substr(span.begin, span.size());
    const bool is_added = group.front().amd.is_added;
    add(span,
        mode_ == Mode::kHip
            ? for_hip(old, lines, is_added, next)
            : for_both(is_added ? std::string(old) : indented(group, old), lines, is_added, next),
        "HP403", first.name);
    if (mode_ == Mode::kDual && !std::exchange(has_switch_, true)) declare_switch();
  }

  static std::string for_hip(std::string_view old, const std::vector<std::string>& lines,
                             bool is_added, const std::string& next) {
    std::string out(is_added ? old : std::string_view());
    for (const std::string& line : lines) out += (out.empty() ? "" : next) + line;
    return out.empty()
               ? "# not for AMD GPUs: " + std::string(old.substr(0, old.find_first_of("\r\n")))
               : out;
  }

  // One step further in, unless a line begins inside of quotes.
  static std::string indented(const std::vector<Translated>& group, std::string_view old) {
    for (const Translated& each : group)
      for (const Argument& argument : each.command->arguments)
        if (argument.text.find('\n') != std::string_view::npos) return std::string(old);
    std::string out;
    for (std::size_t i = 0; i < old.size(); ++i) {
      out += old[i];
      const bool is_blank = i + 1 < old.size() && (old[i + 1] == '\n' || old[i + 1] == '\r');
      if (old[i] == '\n' && !is_blank) out += "  ";
    }
    return out;
  }

  static std::string for_both(std::string_view old, const std::vector<std::string>& lines,
                              bool is_added, const std::string& next) {
    std::string out = is_added ? std::string(old) + next : std::string();
    out += fmt::format("if({}{})", lines.empty() ? "NOT " : "", kCMakeSwitch);
    for (const std::string& line : lines) out += next + "  " + line;
    if (!is_added) {
      if (!lines.empty()) out += next + "else()";
      out += next + "  " + std::string(old);
    }
    return out + next + "endif()";
  }

  void add(Span span, std::string now, std::string_view code, std::string reason) {
    file_.changes.add({.edit = {span, std::move(now)},
                       .phase = Phase::kBuild,
                       .code = code,
                       .reason = std::move(reason)});
  }

  std::string_view line_break() const { return line_break_of(text_); }

  PortedFile& file_;
  std::string_view text_;
  Mode mode_;
  build::CMakeCommands commands_;
  bool has_switch_ = false;
};

}  // namespace

void translate_cmake(PortedFile& file, Mode mode) {
  CMakeFile(file, mode).translate();
}

}  // namespace hipwright::port
