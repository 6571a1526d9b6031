// SPDX-License-Identifier: MIT
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion/completion.h"
#include "cli/help.h"

namespace hipwright::cli {

namespace {

constexpr const char* kHead =
    R"(# bash completion for hipwright, printed by: hipwright completion bash
_hipwright_files() { # -f or -d
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_hipwright_words() { # words separated by blanks
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_hipwright_list() { # completes the last item of a list with commas
  mapfile -t COMPREPLY < <(compgen -P "${current%"${current##*,}"}" -W "$1" -- "${current##*,}")
}

_hipwright() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} path=hipwright i
  # bash splits --option=value at the equals sign.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      _hipwright_files -f
      return
    fi
    case "$path ${COMP_WORDS[i]}" in
)";

// The call that completes from `source`, or nothing when only the user knows.
std::string call(const ValueSource& source) {
  switch (source.kind) {
    case ValueSource::kFiles:
      return "_hipwright_files -f";
    case ValueSource::kDirectories:
      return "_hipwright_files -d";
    case ValueSource::kWords:
      return fmt::format("_hipwright_words '{}'", fmt::join(source.words, " "));
    case ValueSource::kWordList:
      return fmt::format("_hipwright_list '{}'", fmt::join(source.words, " "));
    case ValueSource::kNone:
    case ValueSource::kFree:
      break;
  }
  return ":";
}

// After an option with a value: `"path --option" | … ) call; return ;;`, one line per call.
std::string option_cases(const CLI::App& tool) {
  std::map<std::string, std::vector<std::string>> patterns;
  for (const CLI::App* command : all_commands(tool))
    for (const CLI::Option* option : accepted_options(*command)) {
      const ValueSource source = value_source(*option);
      if (source.kind == ValueSource::kNone) continue;
      for (const std::string& spelling : spellings(*option))
        patterns[call(source)].push_back(fmt::format("\"{} {}\"", full_name(*command), spelling));
    }
  std::string text;
  for (const auto& [action, list] : patterns)
    text +=
        fmt::format("    {})\n      {}\n      return\n      ;;\n", fmt::join(list, " | "), action);
  return text;
}

std::string command_case(const CLI::App& command) {
  std::vector<std::string> options, names;
  for (const CLI::Option* option : accepted_options(command))
    for (std::string& spelling : spellings(*option)) options.push_back(std::move(spelling));
  for (const CLI::App* each : visible_commands(command)) names.push_back(each->get_name());
  std::string text = fmt::format(
      "    \"{}\")\n      if [[ $current == -* ]]; then\n        _hipwright_words '{}'\n      "
      "else\n",
      full_name(command), fmt::join(options, " "));
  text += fmt::format("        {}\n", call(argument_source(command)));
  if (!names.empty())
    text += fmt::format(
        "        mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY "
        "< <(compgen -W '{}' -- \"$current\")\n",
        fmt::join(names, " "));
  return text + "      fi\n      ;;\n";
}

}  // namespace

std::string bash_completion(const CLI::App& tool) {
  std::string text = kHead;
  std::vector<std::string> below;
  for (const CLI::App* command : all_commands(tool))
    if (command->get_parent() != nullptr)
      below.push_back(fmt::format("\"{}\"", full_name(*command)));
  text += fmt::format("      {}) path+=\" ${{COMP_WORDS[i]}}\" ;;\n    esac\n  done\n",
                      fmt::join(below, " | "));
  text += "  case \"$path $previous\" in\n" + option_cases(tool) + "  esac\n  case $path in\n";
  for (const CLI::App* command : all_commands(tool)) text += command_case(*command);
  return text + "  esac\n}\ncomplete -F _hipwright hipwright\n";
}

}  // namespace hipwright::cli
