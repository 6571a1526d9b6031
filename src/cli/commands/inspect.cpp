// SPDX-License-Identifier: MIT
#include "toolchain/code_object/inspect.h"

#include <memory>

#include "base/json.h"
#include "cli/command.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  bool json = false;
};

int inspect(const Options& options) {
  int code = kOk;
  Json list = Json::array();
  bool first = true;
  for (const std::string& file : options.files) {
    const auto inspection = toolchain::inspect_file(file);
    if (!inspection) {
      code = report(inspection.error());
      list.push_back({{"file", file}, {"error", json_of(inspection.error())}});
      continue;
    }
    for (const toolchain::InspectedImage& inspected : inspection->images)
      if (inspected.error) code = report(*inspected.error);
    if (options.json) {
      list.push_back(toolchain::inspection_json(*inspection));
    } else {
      print((first ? "" : "\n") + toolchain::inspection_text(*inspection, globals().colour_out));
      first = false;
    }
  }
  if (options.json) print(json_text({{"files", std::move(list)}}));
  return code;
}

const Command::Registration registration({
    .name = "inspect",
    .summary = "Show the kernels in an executable, library or code object",
    .define =
        [](App app) {
          auto options = std::make_shared<Options>();
          app.add_option("FILE", options->files, "Executables, libraries, code objects or bundles")
              .required()
              .type_name("FILE");
          app.add_flag("--json", options->json, "Print JSON");
          return [options] { return inspect(*options); };
        },
});

}  // namespace

}  // namespace hipwright::cli
