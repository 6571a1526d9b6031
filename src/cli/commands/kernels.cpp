// SPDX-License-Identifier: MIT
#include "hipwright/kernels.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "arch/target.h"
#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/table.h"
#include "cli/command.h"
#include "kernels/bundle.h"
#include "kernels/support.h"

namespace hipwright::cli {

namespace {

struct ListOptions {
  std::string page;
  bool json = false;
};

int list(const ListOptions& options) {
  if (!options.page.empty()) {
    const Status written = write_file_atomic(options.page, kernels::support_page());
    return written ? kOk : report(written.error());
  }
  print(options.json ? json_text(kernels::list_json()) : kernels::list_text(globals().colour_out));
  return kOk;
}

struct BuildOptions {
  std::string targets;
  std::vector<std::string> ops;
  std::filesystem::path directory;
  bool json = false;
};

// All, if none is named.
Result<std::vector<const kernels::Op*>> chosen_ops(const std::vector<std::string>& names) {
  std::vector<const kernels::Op*> ops;
  for (const std::string& name : names) {
    const kernels::Op* const op = kernels::find_op(name);
    if (op == nullptr)
      return fail("unknown operation", name, "", "`hipwright kernels list` lists them.");
    ops.push_back(op);
  }
  if (ops.empty())
    for (const kernels::Op& op : kernels::all_ops()) ops.push_back(&op);
  return ops;
}

int build(const BuildOptions& options) {
  const auto targets = arch::parse_targets(options.targets);
  if (!targets) return report(targets.error());
  const auto ops = chosen_ops(options.ops);
  if (!ops) return report(ops.error());
  const auto built = kernels::build_bundles(*ops, *targets, options.directory);
  if (!built) return report(built.error());
  Json list = Json::array();
  Table table({"operation", "file", ">kernels", ">bytes"});
  for (const kernels::BundleSummary& each : *built) {
    table.add(
        {each.operation, each.file, std::to_string(each.kernels), std::to_string(each.bytes)});
    list.push_back({{"operation", each.operation},
                    {"unit", each.unit},
                    {"file", each.file},
                    {"kernels_per_target", each.kernels},
                    {"bytes", each.bytes}});
  }
  print(options.json ? json_text({{"bundles", std::move(list)}})
                     : table.text(globals().colour_out));
  return kOk;
}

const Command::Registration registration({
    .name = "kernels",
    .summary = "List and compile the kernel library",
    .define = [](App app) -> std::function<int()> {
      app.require_subcommand();
      App list_app = app.add_subcommand("list", "List the operations");
      auto list_options = std::make_shared<ListOptions>();
      list_app.add_flag("--json", list_options->json, "Print JSON");
      list_app.add_option("--write-docs", list_options->page, "Write docs/kernels-operations.md")
          .type_name("FILE")
          .group("");
      App build_app = app.add_subcommand(
          "build",
          "Compile the operations for AMD targets, for programs that run without a compiler");
      auto options = std::make_shared<BuildOptions>();
      build_app.add_option("--arch", options->targets, "Targets, separated by commas")
          .type_name("TARGETS")
          .required();
      build_app.add_option("--op", options->ops, "Only this operation; can be repeated")
          .type_name("NAME");
      build_app
          .add_option("-o,--output", options->directory,
                      "Directory for the bundles and their index")
          .type_name("DIR")
          .required();
      build_app.add_flag("--json", options->json, "Print JSON");
      return [list_app, list_options, options] {
        return list_app.parsed() ? list(*list_options) : build(*options);
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
