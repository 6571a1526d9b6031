// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/edit_distance.h"
#include "base/terminal.h"
#include "cli/command.h"

namespace hipwright::cli {

namespace {

Globals the_globals;

// The position of the first word after the tool's own flags.
int first_word(int argc, char** argv) {
  int at = 1;
  while (at < argc && (std::strcmp(argv[at], "-q") == 0 || std::strcmp(argv[at], "--quiet") == 0))
    ++at;
  return at;
}

// A command that takes its words raw must not be parsed by CLI11: `hipwright cc -o x` is clang's.
const Command* raw_command(std::string_view word) {
  for (const Command& command : registered_commands())
    if (command.run_raw && word == command.name) return &command;
  return nullptr;
}

// A first word that is neither an option nor a command: CLI11 would only say that one is missing.
std::optional<Error> unknown_command(std::string_view word) {
  if (word.empty() || word.starts_with('-')) return std::nullopt;
  std::string nearest;
  std::size_t least = 3;  // more wrong letters than two is another word
  for (const Command& command : registered_commands()) {
    if (word == command.name) return std::nullopt;
    if (const std::size_t distance = edit_distance(word, command.name); distance < least) {
      least = distance;
      nearest = command.name;
    }
  }
  return Error{"cannot run the command", std::string(word), "there is none of that name",
               nearest.empty() ? "See: hipwright --help" : "Did you mean " + nearest + "?"};
}

int run_tool(int argc, char** argv) {
  the_globals.colour_out = wants_colour(STDOUT_FILENO);
  the_globals.colour_err = wants_colour(STDERR_FILENO);
  auto& commands = registered_commands();
  std::sort(commands.begin(), commands.end(),
            [](const Command& a, const Command& b) { return std::strcmp(a.name, b.name) < 0; });
  const int first = first_word(argc, argv);
  const std::string_view word = first < argc ? argv[first] : "";
  if (const auto error = unknown_command(word)) return report(*error);
  if (const Command* raw = raw_command(word)) {
    the_globals.quiet = first > 1;
    return raw->run_raw({argv + first + 1, argv + argc});
  }

  CLI::App app("Takes CUDA code to AMD GPUs, proves that the port works, and makes it fast.",
               "hipwright");
  app.set_version_flag("--version", "hipwright " HIPWRIGHT_VERSION);
  app.add_flag("-q,--quiet", the_globals.quiet, "No progress, no notes: results and errors only");
  app.require_subcommand(1);
  app.fallthrough();
  int exit_code = kOk;
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    if (command.run_raw) continue;
    sub->callback([&exit_code, run = command.define(*sub)] { exit_code = run(); });
  }
  if (argc == 1) {
    print(app.help());
    return kOk;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kOk : kUsage;
  }
  return exit_code;
}

}  // namespace

const Globals& globals() {
  return the_globals;
}

std::vector<Command>& registered_commands() {
  static std::vector<Command> commands;
  return commands;
}

Command::Registration::Registration(Command command) {
  registered_commands().push_back(std::move(command));
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void warn(const std::string& text) {
  const std::string label = paint("warning:", Colour::kYellow, the_globals.colour_err);
  std::fprintf(stderr, "hipwright: %s %s\n", label.c_str(), text.c_str());
}

int report(const Error& error) {
  const std::string label = paint("error:", Colour::kRed, the_globals.colour_err);
  std::fprintf(stderr, "hipwright: %s %s\n", label.c_str(), error.message().c_str());
  return kUsage;
}

}  // namespace hipwright::cli

int main(int argc, char** argv) {
  const int code = hipwright::cli::run_tool(argc, argv);
  // A full disk or a closed pipe shows only when the buffer is written out.
  if (std::fflush(stdout) != 0) {
    std::perror("hipwright: error: cannot write the output");
    return hipwright::cli::kUsage;
  }
  return code;
}
