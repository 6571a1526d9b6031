// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <sstream>

#include <fmt/format.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/terminal.h"
#include "base/visible.h"
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
    sub->callback([&exit_code, sub, run = command.define(App(sub))] {
      if (auto stray = stray_arguments(*sub); !stray.empty()) throw CLI::ExtrasError(stray);
      exit_code = run();
    });
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
    std::ostringstream text;
    const int code = tool.exit(asked, text, text);
    print(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    return report(usage_error(tool, error));
  }
  return exit_code;
}

// A descriptor that the caller closed would be that of the next file: messages would end up in it.
// What is printed to a closed standard output is an error, as to a full disk.
void open_standard_streams() {
  constexpr int kModes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
  for (int each = 0; each < 3; ++each)
    if (::fcntl(each, F_GETFD) < 0) static_cast<void>(::open("/dev/null", kModes[each]));
}

int out_of_memory(int argc, char** argv) {
  std::string words = "hipwright";
  for (int i = 1; i < argc; ++i) words += " " + std::string(argv[i]);
  return report({"not enough memory for", words, "", "Pass fewer files at a time, or add memory."});
}

// No exception leaves main.
int run_guarded(int argc, char** argv) {
  try {
    return run_tool(argc, argv);
  } catch (const std::bad_alloc&) {
    return out_of_memory(argc, argv);
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.path1().empty())
      return report({"cannot find the working directory", "", error.code().message(),
                     "Change to an existing directory."});
    return report({"cannot use", error.path1().string(), error.code().message(), ""});
  } catch (const std::exception& error) {
    return report({"internal error", "", error.what(), ""});
  }
}

int the_write_error = 0;  // of standard output, the first one

void write_out(std::string_view text) {
  errno = 0;
  std::fwrite(text.data(), 1, text.size(), stdout);  // says that all is written when it is not
  if (std::ferror(stdout) != 0 && the_write_error == 0) the_write_error = errno;
}

// A full disk or a closed pipe may show only when the last bytes are written out.
int finish_output(int code) {
  errno = 0;
  const bool failed = std::ferror(stdout) != 0;
  const bool closed = std::fclose(stdout) == 0;
  if (!failed && closed) return code;
  const int reason = the_write_error != 0 ? the_write_error : errno;
  return report({"cannot write the output", "", errno_text(reason == 0 ? EIO : reason), ""});
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
  static const bool is_shown = is_terminal(STDOUT_FILENO);
  if (is_shown) return print_text(text);
  write_out(text);
}

void print_text(std::string_view text) {
  write_out(visible(text, the_globals.colour_out));
}

void print_error(std::string_view text) {
  const std::string shown = visible(text, the_globals.colour_err);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void note(const std::string& text) {
  if (!the_globals.quiet) print_error(fmt::format("hipwright: {}\n", text));
}

void warn(const std::string& text) {
  const std::string label = paint("warning:", Colour::kYellow, the_globals.colour_err);
  print_error(fmt::format("hipwright: {} {}\n", label, text));
}

int report(const Error& error) {
  const std::string label = paint("error:", Colour::kRed, the_globals.colour_err);
  print_error(fmt::format("hipwright: {} {}\n", label, error.message()));
  return kUsage;
}

}  // namespace hipwright::cli

int main(int argc, char** argv) {
  using namespace hipwright;
  cli::open_standard_streams();
  ::signal(SIGCHLD, SIG_DFL);  // where it is ignored, nobody learns how a program ended
  start_cleanup();
  catch_interrupts();
  sweep_temporary_directories();
  const int code = cli::finish_output(cli::run_guarded(argc, argv));
  stop_cleanup();
  return stop_requested() ? 128 + stop_signal() : code;
}
