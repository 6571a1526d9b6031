// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>

#include "base/json.h"
#include "cli/command.h"
#include "port/api/report.h"

namespace hipwright::cli {

namespace {

namespace api = port::api;

struct Options {
  bool json = false;
  bool list = false;
  bool missing = false;
  std::string library;
  std::string hip;
  std::string write_docs;
  std::vector<std::string> names;
};

Result<api::Selection> selection_of(const Options& options) {
  api::Selection selection{.missing = options.missing};
  if (!options.hip.empty()) {
    HW_TRY(selection.version, api::parse_hip_version(options.hip));
  }
  if (!options.library.empty()) {
    selection.library = api::parse_library(options.library);
    if (!selection.library)
      return fail("unknown library", options.library, "", "List the libraries with: hipwright api");
  }
  return selection;
}

int list(const Options& options, const api::Selection& selection) {
  const auto entries = api::select(selection);
  print(options.json ? json_text(api::list_json(entries, selection.version))
                     : api::list_text(entries, globals().colour_out));
  return kOk;
}

int look_up(const Options& options, std::optional<api::HipVersion> version) {
  std::vector<api::Answer> answers;
  for (const std::string& name : options.names) answers.push_back(api::look_up(name));
  print(options.json ? json_text(api::answers_json(answers, version))
                     : api::answers_text(answers, version, globals().colour_out));
  const bool good = std::ranges::all_of(
      answers, [&](const api::Answer& answer) { return api::is_good(answer, version); });
  return good ? kOk : kFindings;
}

int run(const Options& options) {
  if (!options.write_docs.empty()) {
    const auto written = api::write_pages(options.write_docs);
    return written ? kOk : report(written.error());
  }
  const auto selection = selection_of(options);
  if (!selection) return report(selection.error());
  if (!options.names.empty() && !options.list) return look_up(options, selection->version);
  if (!options.names.empty())
    return report({"unexpected argument", options.names[0],
                   "`--list` takes no names, only `--library`, `--missing` and `--hip`", ""});
  if (options.list || options.missing || !options.library.empty()) return list(options, *selection);
  print(options.json ? json_text(api::coverage_json()) : api::coverage_text(globals().colour_out));
  return kOk;
}

const Command::Registration registration{{
    .name = "api",
    .summary = "Look up the HIP counterpart of a CUDA name",
    .define =
        [](App app) {
          auto options = std::make_shared<Options>();
          app.add_option("NAME", options->names, "CUDA names, CUDA headers or HIP names");
          app.add_option("--hip", options->hip,
                         "Check availability in this HIP release, for example 6.2")
              .type_name("VERSION");
          app.add_flag("--list", options->list, "List all names");
          app.add_option("--library", options->library, "List the names of one library")
              .type_name("NAME");
          app.add_flag("--missing", options->missing, "List only names without a counterpart");
          app.add_flag("--json", options->json, "Print JSON");
          app.add_option("--write-docs", options->write_docs, "Write the pages of docs/api to DIR")
              .group("");
          return [options] { return run(*options); };
        },
}};

}  // namespace

}  // namespace hipwright::cli
