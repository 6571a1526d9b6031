// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "port/isolation/view.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::port {

namespace build = syntax::build;

namespace {

// Variables that are off when one builds for NVIDIA.
constexpr std::array<std::string_view, 7> kAmdVariables = {
    "USE_ROCM", "USE_HIP", "HIP_FOUND", "hip_FOUND", "ROCM_FOUND", "GGML_HIP", "WITH_ROCM"};

bool is_amd(std::string_view word) {
  return std::find(kAmdVariables.begin(), kAmdVariables.end(), word) != kAmdVariables.end();
}

enum class Answer { kOpen, kYes, kNo };

// if(USE_ROCM), if(NOT USE_ROCM); everything else is open.
Answer answer_of(const build::CMakeCommand& command) {
  if (command.arguments.size() == 1 && is_amd(command.text(0))) return Answer::kNo;
  if (command.arguments.size() == 2 && command.text(0) == "NOT" && is_amd(command.text(1)))
    return Answer::kYes;
  return Answer::kOpen;
}

class View {
 public:
  explicit View(std::string_view text) : text_(text) {}

  std::vector<SeenToken> run() {
    const build::CMakeCommands commands = build::read_cmake(text_);
    for (const build::CMakeCommand& command : commands.list) look_at(command);
    return std::move(seen_);
  }

 private:
  // One if() … endif().
  struct Group {
    bool is_compiled = true;
    bool is_live = true;
    bool is_decided = false;
    bool is_written = false;
  };

  bool is_seen() const { return groups_.empty() || groups_.back().is_live; }

  void look_at(const build::CMakeCommand& command) {
    if (command.name == "if") {
      groups_.push_back({.is_compiled = is_seen()});
      next(command, answer_of(command));
    } else if (command.name == "elseif" && !groups_.empty()) {
      next(command, answer_of(command));
    } else if (command.name == "else" && !groups_.empty()) {
      next(command, Answer::kYes);
    } else if (command.name == "endif" && !groups_.empty()) {
      const bool is_written = groups_.back().is_written;
      groups_.pop_back();
      if (is_written) see(command, "endif");
    } else if (command.name != "option" || !is_amd(command.text(0))) {
      if (is_seen()) see(command, command.name);
    }
  }

  void next(const build::CMakeCommand& command, Answer answer) {
    Group& group = groups_.back();
    group.is_live = group.is_compiled && !group.is_decided && answer != Answer::kNo;
    if (!group.is_live) return;
    group.is_decided = answer == Answer::kYes;
    if (group.is_decided) {
      if (group.is_written) see(command, "else");
      return;
    }
    see(command, group.is_written ? "elseif" : "if");
    group.is_written = true;
  }

  void see(const build::CMakeCommand& command, std::string_view name) {
    seen_.push_back({std::string(name), command.span.begin});
    if (name == "else" || name == "endif") return;  // what stands in their brackets is a comment
    for (const build::CMakeArgument& argument : command.arguments)
      seen_.push_back({std::string(text_.substr(argument.span.begin, argument.span.size())),
                       argument.span.begin});
  }

  std::string_view text_;
  std::vector<Group> groups_;
  std::vector<SeenToken> seen_;
};

}  // namespace

std::vector<SeenToken> nvidia_view_of_cmake(std::string_view text) {
  return View(text).run();
}

}  // namespace hipwright::port
