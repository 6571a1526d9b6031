// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "port/isolation/branches.h"
#include "port/isolation/view.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::port {

namespace build = syntax::build;

namespace {

// Variables that are off in NVIDIA builds.
constexpr std::array<std::string_view, 7> kAmdVariables = {
    "USE_ROCM", "USE_HIP", "HIP_FOUND", "hip_FOUND", "ROCM_FOUND", "GGML_HIP", "WITH_ROCM"};

bool is_amd(std::string_view word) {
  return std::find(kAmdVariables.begin(), kAmdVariables.end(), word) != kAmdVariables.end();
}

using Answer = Branches::Answer;

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
  void look_at(const build::CMakeCommand& command) {
    if (command.name == "if") {
      write(command, branches_.open(answer_of(command)));
    } else if (command.name == "elseif" && !branches_.empty()) {
      write(command, branches_.next(answer_of(command)));
    } else if (command.name == "else" && !branches_.empty()) {
      write(command, branches_.next(Answer::kYes));
    } else if (command.name == "endif" && !branches_.empty()) {
      if (branches_.close()) see(command, "endif");
    } else if (!is_switch_for_amd(command)) {
      if (branches_.is_seen()) see(command, command.name);
    }
  }

  // option(USE_ROCM "…" OFF): without the option the build is unchanged.
  bool is_switch_for_amd(const build::CMakeCommand& command) const {
    if (command.name != "option" || !is_amd(command.text(0))) return false;
    if (command.arguments.size() < 3) return true;
    std::string value(command.text(2));
    std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::toupper(c); });
    return value == "OFF" || value == "FALSE" || value == "NO" || value == "0" || value == "N";
  }

  void write(const build::CMakeCommand& command, Branches::Left left) {
    if (left == Branches::Left::kElse) see(command, "else");
    if (left == Branches::Left::kElseIf) see(command, "elseif");
    if (left == Branches::Left::kIf) see(command, "if");
  }

  void see(const build::CMakeCommand& command, std::string_view name) {
    seen_.push_back({std::string(name), command.span.begin});
    if (name == "else" || name == "endif") return;  // their bracketed text is a comment
    for (const build::CMakeArgument& argument : command.arguments)
      seen_.push_back({std::string(text_.substr(argument.span.begin, argument.span.size())),
                       argument.span.begin});
  }

  std::string_view text_;
  Branches branches_;
  std::vector<SeenToken> seen_;
};

}  // namespace

std::vector<SeenToken> nvidia_view_of_cmake(std::string_view text) {
  return View(text).run();
}

}  // namespace hipwright::port
