// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/report.h"
#include "cli/command.h"

namespace hipwright::cli {

namespace {

struct Options {
  bool json = false;
  std::vector<std::string> names;
};

int list(const Options& options) {
  std::vector<const arch::ArchInfo*> infos;
  for (const arch::ArchInfo& info : arch::all()) infos.push_back(&info);
  print(options.json ? json_text(arch::overview_json(infos))
                     : arch::overview_text(infos, globals().colour_out));
  return kOk;
}

int show(const Options& options) {
  // Joined by blanks, so that RX 7900 XTX needs no quotes.
  const auto targets = arch::parse_target_names(fmt::format("{}", fmt::join(options.names, " ")));
  if (!targets) return report(targets.error());
  print(options.json ? json_text(arch::details_json(*targets))
                     : arch::details_text(*targets, globals().colour_out));
  return kOk;
}

const Command::Registration registration{{
    .name = "arch",
    .summary = "What is known about AMD GPU targets, with sources",
    .define =
        [](CLI::App& app) {
          auto options = std::make_shared<Options>();
          app.add_flag("--json", options->json, "Print JSON");
          CLI::App* details = app.add_subcommand("show", "All facts about the named targets");
          details->add_option("names", options->names, "gfx names, target ids or product names")
              ->required();
          return [options, details] { return details->parsed() ? show(*options) : list(*options); };
        },
}};

}  // namespace

}  // namespace hipwright::cli
