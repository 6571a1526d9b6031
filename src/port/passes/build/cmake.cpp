// SPDX-License-Identifier: MIT
// CMake files: replaces the CUDA language by HIP, and NVIDIA's packages by ROCm's.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "port/build/cmake_command.h"
#include "port/build/cmake_names.h"
#include "port/marks.h"
#include "port/pass.h"
#include "port/ported_file.h"
#include "port/source/amd_support.h"
#include "port/source/paths.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::port::passes {

namespace build = syntax::build;
using build::CMakeCommand;
using Argument = build::CMakeArgument;

namespace {

class CMakeFile {
 public:
  CMakeFile(PortedFile& file, const AmdSupport& amd, Mode mode)
      : file_(file),
        amd_(amd),
        text_(file.source->text()),
        mode_(mode),
        commands_(build::read_cmake(text_)),
        facts_(facts_of_cmake(text_, commands_)) {}

  void translate() {
    if (is_for_amd()) return;
    std::vector<Translated> group;
    int functions = 0;  // that are open
    for (std::size_t i = 0; i < commands_.list.size(); ++i) {
      const CMakeCommand& command = commands_.list[i];
      if (command.name == "function" || command.name == "macro") ++functions;
      if (command.name == "endfunction" || command.name == "endmacro") --functions;
      auto amd = cmake_for_amd(command, facts_, functions > 0);
      report_left(command, amd ? &*amd : nullptr);
      report_stop(command);
      if (mode_ == Mode::kDual) answer(command);
      if (!amd || (is_cmake_condition(command) && mode_ == Mode::kDual)) continue;
      if (amd->is_added && are_behind(i, amd->lines)) continue;
      if (command.name == "project") report_build_type(command);
      Translated next{&command, i, *std::move(amd)};
      if (!group.empty() && !goes_with(group.back(), next)) write(std::exchange(group, {}));
      group.push_back(std::move(next));
    }
    if (!group.empty()) write(group);
    for (const auto& [place, lines] : answers_) {
      const std::string next = std::string(line_break()) + indentation_at(place);
      add({place, place}, fmt::format("if({}){}{}endif(){}", kCMakeSwitch, lines, next, next),
          "HP403", "the condition tests this");
    }
    if (mode_ == Mode::kDual && (needs_switch_ || !answers_.empty())) declare_switch();
  }

 private:
  struct Translated {
    const CMakeCommand* command;
    std::size_t index;
    ForAmd amd;
  };

  // Neighbouring commands that differ by platform share one if().
  bool goes_with(const Translated& a, const Translated& b) const {
    const auto is_exchanged = [](const Translated& each) {
      return !each.amd.is_added && !each.amd.lines.empty();
    };
    const std::string_view between =
        text_.substr(a.command->span.end, b.command->span.begin - a.command->span.end);
    return mode_ == Mode::kDual && b.index == a.index + 1 && is_exchanged(a) && is_exchanged(b) &&
           between.find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  // nvcc optimises by default, clang++ does not.
  void report_build_type(const CMakeCommand& project) {
    if (text_.find("CMAKE_BUILD_TYPE") != std::string_view::npos) return;
    file_.report("HP411", Severity::kNote, project.span,
                 "no build type is set, so CMake does not optimise HIP kernels",
                 "Configure with -DCMAKE_BUILD_TYPE=Release.");
  }

  // Commands that stop CMake, or that it silently ignores.
  void report_left(const CMakeCommand& command, const ForAmd* amd) {
    constexpr std::array<std::string_view, 9> kOld = {
        "cuda_compile_ptx",
        "cuda_compile_fatbin",
        "cuda_compile_cubin",
        "cuda_wrap_srcs",
        "cuda_link_separable_compilation_objects",
        "cuda_compute_separable_compilation_object_file_name",
        "cuda_build_shared_library",
        "cuda_build_clean_target",
        "cuda_include_nvcc_dependencies"};
    if (std::find(kOld.begin(), kOld.end(), command.name) != kOld.end())
      return file_.report(
          "HP409", Severity::kError, command.span,
          fmt::format("{}() belongs to FindCUDA and has no counterpart", command.name),
          command.name.starts_with("cuda_compile_")
              ? "Compile with hipcc --genco in an add_custom_command(), and load the "
                "file with hipModuleLoad."
              : "CMake's HIP language does not need it.");
    if (command.name == "message" || (amd != nullptr && amd->is_added)) return;
    std::string text;
    if (amd != nullptr)
      for (const std::string& line : amd->lines) text += line + ' ';
    else
      text = text_.substr(command.span.begin, command.span.size());
    if (command.name == "find_program" && text.find("nvcc") != std::string::npos)
      return file_.report("HP409", Severity::kWarning, command.span, "the build looks for nvcc",
                          "AMD machines lack it: look for hipcc, or remove the search.");
    const auto left = left_for_people(text);
    if (!left) return;
    file_.report("HP409", left->stops ? Severity::kError : Severity::kWarning, command.span,
                 fmt::format("{} has no counterpart", left->word), left->advice);
  }

  // if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA") message(FATAL_ERROR …)
  void report_stop(const CMakeCommand& command) {
    const std::string& name = command.name;
    if (name == "if" || name == "elseif") {
      const std::string_view text = text_.substr(command.span.begin, command.span.size());
      const bool asks = text.find("CUDA_COMPILER_ID") != std::string_view::npos &&
                        text.find("NVIDIA") != std::string_view::npos;
      const OnAmd now = !asks                                         ? OnAmd::kUnknown
                        : text.find("NOT ") != std::string_view::npos ? OnAmd::kRuns
                                                                      : OnAmd::kSkipped;
      if (name == "if")
        compiler_.push_back(now);
      else if (!compiler_.empty())
        compiler_.back() = now;
    } else if (name == "else" && !compiler_.empty()) {
      compiler_.back() = compiler_.back() == OnAmd::kSkipped ? OnAmd::kRuns : OnAmd::kUnknown;
    } else if (name == "endif" && !compiler_.empty()) {
      compiler_.pop_back();
    } else if (name == "message" &&
               (command.text(0) == "FATAL_ERROR" || command.text(0) == "SEND_ERROR") &&
               std::ranges::find(compiler_, OnAmd::kRuns) != compiler_.end() &&
               std::ranges::find(compiler_, OnAmd::kSkipped) == compiler_.end()) {
      file_.report("HP409", Severity::kError, command.span,
                   "the build stops for compilers other than NVIDIA's",
                   "The compiler of CMake's HIP language is Clang: accept it.");
    }
  }

  // Conditions stay: the variables they test get their values for AMD.
  void answer(const CMakeCommand& command) {
    const std::string& name = command.name;
    const bool is_else = name == "else" || name == "elseif";
    if (is_else && blocks_.size() > 1) blocks_.back().answered.clear();
    if (name.starts_with("end") && blocks_.size() > 1) blocks_.pop_back();
    const std::size_t place = name == "elseif" && blocks_.size() > 1
                                  ? blocks_.back().begin->span.begin
                                  : command.span.begin;
    if (is_cmake_condition(command)) ask(command, place);
    constexpr std::array<std::string_view, 5> kOpen = {"if", "while", "foreach", "function",
                                                       "macro"};
    if (std::find(kOpen.begin(), kOpen.end(), name) != kOpen.end())
      blocks_.push_back({&command, {}});
  }

  void ask(const CMakeCommand& command, std::size_t place) {
    std::string lines;
    const std::string next = std::string(line_break()) + indentation_at(place);
    for (const CMakeAnswer& each :
         answers_for_amd(text_.substr(command.span.begin, command.span.size()))) {
      if (facts_.variables.contains(each.name)) continue;
      const bool is_known = std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
        return block.answered.contains(each.name);
      });
      if (is_known) continue;
      // For an elseif() the lines go before its if(), in the enclosing block.
      Block& block = command.name == "elseif" && blocks_.size() > 1 ? blocks_[blocks_.size() - 2]
                                                                    : blocks_.back();
      block.answered.insert(each.name);
      lines += fmt::format("{}  set({} {})", next, each.name, each.value);
    }
    if (!lines.empty()) answers_[place] += lines;
  }

  // In a file that was ported before these lines already follow the command.
  bool are_behind(std::size_t index, const std::vector<std::string>& lines) const {
    if (commands_.list.size() - index <= lines.size()) return false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Span span = commands_.list[index + 1 + i].span;
      if (text_.substr(span.begin, span.size()) != lines[i]) return false;
    }
    return true;
  }

  // Ported already, by us or by the project. Of a project that builds for AMD, a part that does not
  // is NVIDIA's.
  bool is_for_amd() const {
    return has_switch(commands_) || amd_.builds().has(file_.source->path());
  }

  // Ours: option(USE_ROCM "Build for AMD GPUs" OFF), if(USE_ROCM), if(NOT USE_ROCM).
  static bool has_switch(const build::CMakeCommands& commands) {
    return std::ranges::any_of(commands.list, [](const CMakeCommand& command) {
      return (command.name == "option" || command.name == "if") &&
             (command.text(0) == kCMakeSwitch ||
              (command.text(0) == "NOT" && command.text(1) == kCMakeSwitch));
    });
  }

  std::string indentation_at(std::size_t place) const {
    const std::size_t line = text_.rfind('\n', place);
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    const std::string_view before = text_.substr(begin, place - begin);
    return before.find_first_not_of(" \t") == std::string_view::npos ? std::string(before) : "";
  }

  void declare_switch() {
    const CMakeCommand* place = nullptr;
    for (const CMakeCommand& command : commands_.list) {
      if (command.name == "cmake_minimum_required") place = &command;
      if (command.name == "project") {
        if (place == nullptr) place = &command;
        break;
      }
    }
    // A file below the top inherits it.
    if (place == nullptr) return;
    const bool is_behind = place->name != "project";
    const std::size_t at = is_behind ? place->span.end : place->span.begin;
    const std::string line = fmt::format("option({} \"{}\" OFF)", kCMakeSwitch, kCMakeSwitchText);
    add({at, at}, is_behind ? std::string(line_break()) + line : line + std::string(line_break()),
        "HP404", "selects the platform");
  }

  void write(const std::vector<Translated>& group) {
    const CMakeCommand& first = *group.front().command;
    const Span span = {first.span.begin, group.back().command->span.end};
    const std::string next = std::string(line_break()) + indentation_at(first.span.begin);
    std::vector<std::string> lines;
    for (const Translated& each : group)
      lines.insert(lines.end(), each.amd.lines.begin(), each.amd.lines.end());
    const std::string_view old = text_.substr(span.begin, span.size());
    const bool is_added = group.front().amd.is_added;
    add(span,
        mode_ == Mode::kHip
            ? for_hip(first, lines, is_added, next)
            : for_both(is_added ? std::string(old) : indented(group, old), lines, is_added, next),
        "HP403", reason_of(group));
    needs_switch_ = true;
  }

  static std::string reason_of(const std::vector<Translated>& group) {
    std::string out;
    for (const Translated& each : group) {
      if (!out.empty()) out += "; ";
      out += each.command->name;
      if (!each.amd.reason.empty()) out += fmt::format(" ({})", each.amd.reason);
    }
    return out;
  }

  // Comments between the arguments of a rewritten command move above it.
  std::string for_hip(const CMakeCommand& command, const std::vector<std::string>& lines,
                      bool is_added, const std::string& next) const {
    const std::string_view old = text_.substr(command.span.begin, command.span.size());
    if (lines.empty()) return "# not for AMD GPUs: " + commented(old);
    std::string out(is_added ? old : std::string_view());
    if (!is_added)
      for (const Span comment : command.comments)
        out += std::string(text_.substr(comment.begin, comment.size())) + next;
    for (std::size_t i = 0; i < lines.size(); ++i)
      out += (i > 0 || is_added ? next : "") + lines[i];
    return out;
  }

  static std::string commented(std::string_view text) {
    std::string out;
    for (const char c : text) {
      out += c;
      if (c == '\n') out += "# ";
    }
    return out;
  }

  // Indented by one step, unless a line begins inside quotes.
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

  void add(Span span, std::string now, CodeId code, std::string reason) {
    file_.change({.edit = {span, std::move(now)}, .code = code, .reason = std::move(reason)});
  }

  std::string_view line_break() const { return line_break_of(text_); }

  PortedFile& file_;
  const AmdSupport& amd_;
  std::string_view text_;
  Mode mode_;
  build::CMakeCommands commands_;
  CMakeFacts facts_;
  bool needs_switch_ = false;
  // What AMD's build does with each open if() because of a question for NVIDIA's compiler.
  enum class OnAmd { kUnknown, kRuns, kSkipped };
  std::vector<OnAmd> compiler_;
  std::map<std::size_t, std::string> answers_;  // set() lines before a condition
  // Variables that have AMD's values from their beginning on; the first is the file.
  struct Block {
    const CMakeCommand* begin;
    std::set<std::string_view> answered;
  };
  std::vector<Block> blocks_ = {{nullptr, {}}};
};

void apply(TextContext& context) {
  CMakeFile(context.file, context.amd, context.options.mode).translate();
}

}  // namespace

Pass cmake() {
  return {
      .codes = {"HP403", "HP404", "HP409", "HP411"}, .text = apply, .language = Language::kCMake};
}

}  // namespace hipwright::port::passes
