// SPDX-License-Identifier: MIT
#include "cli/man.h"

#include <filesystem>
#include <memory>

#include "base/file.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/usage.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::string command;
  std::filesystem::path write;
};

Status write_pages(const CLI::App& tool, const std::filesystem::path& folder) {
  HW_CHECK(make_directories(folder));
  HW_CHECK(write_file_atomic(folder / man_file_name(tool), man_page(tool)));
  for (const CLI::App* command : visible_commands(tool))
    HW_CHECK(write_file_atomic(folder / man_file_name(*command), man_page(*command)));
  return {};
}

int run(const CLI::App& tool, const Options& options) {
  if (!options.write.empty()) {
    const Status written = write_pages(tool, options.write);
    return written ? kOk : report(written.error());
  }
  std::vector<std::string> names;
  for (const CLI::App* command : visible_commands(tool)) {
    names.push_back(command->get_name());
    if (options.command != command->get_name()) continue;
    print(man_page(*command));
    return kOk;
  }
  if (!options.command.empty())
    return report({"unknown command `" + options.command + "`" + suggestion(options.command, names),
                   "", "", ""});
  print(man_page(tool));
  return kOk;
}

const Command::Registration kCommand({
    .name = "man",
    .summary = "Print a manual page",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("COMMAND", options->command, "Command to describe (default: hipwright itself)")
          .type_name("COMMAND");
      app.add_option("--write", options->write, "Write all pages to DIR").type_name("DIR");
      return [options, app] { return run(app.tool(), *options); };
    },
});

}  // namespace

}  // namespace hipwright::cli
