// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/terminal.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/usage.h"

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

// The help of a raw command is declared with the others and printed by CLI11.
bool asks_for_help(int argc, char** argv, int at) {
  return at + 1 == argc &&
         (std::strcmp(argv[at], "--help") == 0 || std::strcmp(argv[at], "-h") == 0);
}

std::string exit_code_footer(const char* more) {
  std::string text = "Exit codes:\n";
  for (const ExitCode& each : kExitCodes)
    text += fmt::format("  {:>3}  {}\n", each.code, each.meaning);
  if (*more != '\0') text += fmt::format("  {}\n", more);
  text.pop_back();
  return text;
}

void define(CLI::App& tool, int& exit_code) {
  tool.formatter(std::make_shared<HelpFormatter>());
  tool.set_version_flag("--version", "hipwright " HIPWRIGHT_VERSION, "Print the version");
  tool.set_help_flag("-h,--help", "Print help");
  tool.add_flag("-q,--quiet", the_globals.quiet, "Print results and errors only");
  tool.require_subcommand(1);
  tool.fallthrough();
  tool.group("Commands");
  tool.footer(exit_code_footer(""));
  for (const Command& command : registered_commands()) {
    CLI::App* sub = tool.add_subcommand(command.name, command.summary);
    sub->footer(exit_code_footer(command.exit_codes));
    sub->callback([&exit_code, run = command.define(App(sub))] { exit_code = run(); });
  }
}

int run_tool(int argc, char** argv) {
  the_globals.colour_out = wants_colour(STDOUT_FILENO);
  the_globals.colour_err = wants_colour(STDERR_FILENO);
  auto& commands = registered_commands();
  std::sort(commands.begin(), commands.end(),
            [](const Command& a, const Command& b) { return std::strcmp(a.name, b.name) < 0; });
  const int first = first_word(argc, argv);
  const Command* raw = raw_command(first < argc ? argv[first] : "");
  if (raw != nullptr && !asks_for_help(argc, argv, first + 1)) {
    the_globals.quiet = first > 1;
    return raw->run_raw({argv + first + 1, argv + argc});
  }
  CLI::App tool("Port CUDA code to AMD GPUs, and prove that the port works.", "hipwright");
  int exit_code = kOk;
  define(tool, exit_code);
  if (argc == 1) {
    print(tool.help());
    return kOk;
  }
  try {
    tool.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return tool.exit(asked);
  } catch (const CLI::ParseError& error) {
    return report(usage_error(tool, error));
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

void note(const std::string& text) {
  if (!the_globals.quiet) std::fprintf(stderr, "hipwright: %s\n", text.c_str());
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
