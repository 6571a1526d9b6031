// SPDX-License-Identifier: MIT
#include "base/git.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace hipwright {

namespace {

constexpr std::array<const char*, 6> kSafe = {"core.fsmonitor=false", "core.hooksPath=/",
                                              "core.pager=cat",       "core.editor=false",
                                              "core.askPass=false",   "log.showSignature=false"};

ProcessCommand question(const std::filesystem::path& folder) {
  ProcessCommand command{.argv = {"git"},
                         .directory = folder,
                         // A partial clone would fetch what it lacks.
                         .environment = {{"GIT_OPTIONAL_LOCKS", "0"},
                                         {"GIT_ALLOW_PROTOCOL", "none"},
                                         {"GIT_NO_LAZY_FETCH", "1"},
                                         {"GIT_TERMINAL_PROMPT", "0"},
                                         {"LC_ALL", "C"}},
                         .timeout = std::chrono::minutes(5)};
  for (const char* setting : kSafe) command.argv.insert(command.argv.end(), {"-c", setting});
  return command;
}

// "filter.lfs" for each filter that any settings define.
Result<std::set<std::string>> filters_in(const std::filesystem::path& folder) {
  ProcessCommand command = question(folder);
  command.argv.insert(command.argv.end(),
                      {"config", "-z", "--name-only", "--get-regexp", "^filter\\."});
  HW_TRY(const Finished asked, run(command));
  std::set<std::string> names;
  for (std::string_view left = asked.out; !left.empty();) {
    const std::string_view key = left.substr(0, left.find('\0'));
    names.emplace(key.substr(0, key.rfind('.')));
    left.remove_prefix(std::min(key.size() + 1, left.size()));
  }
  return names;
}

// These read files of the work tree, through filters.
bool reads_files(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    return word == "diff" || word == "status" || word == "ls-files";
  });
}

Status turn_off_filters(ProcessCommand& command) {
  HW_TRY(const std::set<std::string> filters, filters_in(command.directory));
  // Not with -c, which would end a name at the first '='.
  std::size_t count = 0;
  const auto set = [&](const std::string& name, const char* value) {
    const std::string number = std::to_string(count++);
    command.environment.emplace_back("GIT_CONFIG_KEY_" + number, name);
    command.environment.emplace_back("GIT_CONFIG_VALUE_" + number, value);
  };
  for (const std::string& filter : filters) {
    set(filter + ".clean", "");
    set(filter + ".smudge", "");
    set(filter + ".process", "");
    set(filter + ".required", "false");
  }
  if (count != 0) command.environment.emplace_back("GIT_CONFIG_COUNT", std::to_string(count));
  return {};
}

}  // namespace

Result<Finished> ask_git(const std::filesystem::path& folder, std::vector<std::string> words) {
  ProcessCommand command = question(folder);
  if (reads_files(words)) HW_CHECK(turn_off_filters(command));
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  return run(command);
}

}  // namespace hipwright
