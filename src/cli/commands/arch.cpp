// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/report.h"
#include "base/json.h"
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
    .summary = "Show facts about AMD GPU targets",
    .define =
        [](App app) {
          auto options = std::make_shared<Options>();
          app.add_option("TARGET", options->names,
                         "gfx names, target ids or product names; without one, list all targets")
              .type_name("TARGET");
          app.add_flag("--json", options->json, "Print JSON");
          // The older spelling: `hipwright arch show gfx942`.
          App details = app.add_subcommand("show", "Show the named targets").group("");
          details.add_option("TARGET", options->names).required();
          return [options] { return options->names.empty() ? list(*options) : show(*options); };
        },
}};

}  // namespace

}  // namespace hipwright::cli
