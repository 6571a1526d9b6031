// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/json.h"
#include "cli/pr.h"
#include "github/fetch/fetch.h"
#include "github/find/find.h"

namespace hipwright::cli {

namespace {

struct Options {
  PrOptions common;
  unsigned limit = 20;
};

constexpr std::size_t kMostRead = 300;  // of each repository and search

Result<int> find(const Options& options) {
  HW_TRY(PrSession session, options.common.open());
  std::vector<github::Repository> repositories;
  for (const std::string& name : options.common.repositories) {
    HW_TRY(repositories.emplace_back(), github::parse_repository(name));
  }
  if (repositories.empty()) {
    HW_TRY(repositories.emplace_back(), options.common.repository());
  }
  std::vector<github::Summary> all;
  for (const github::Repository& repository : repositories) {
    const std::string scope = "is:open sort:updated repo:" + repository.text();
    std::vector<std::string> searches = {scope + " ROCm in:title", scope + " AMD in:title"};
    for (const std::string& label : session.profiles.of(repository).rocm_labels)
      if (label.find_first_of("*?\"") == std::string::npos)
        searches.push_back(fmt::format("{} label:\"{}\"", scope, label));
    for (const std::string& search : searches) {
      HW_TRY(auto found, github::fetch_summaries(session.client, search, kMostRead));
      for (github::Summary& each : found)
        if (std::ranges::find(all, each.id, &github::Summary::id) == all.end())
          all.push_back(std::move(each));
    }
  }
  std::vector<github::Candidate> ranked = github::rank(all, session.profiles);
  if (ranked.size() > options.limit) ranked.resize(options.limit);
  if (options.common.is_json())
    print(json_text(github::candidates_json(ranked)));
  else
    print_text(github::candidates_text(ranked, globals().colour_out));
  session.finish();
  return kOk;
}

}  // namespace

PrPart define_pr_find(App app) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand("find", "Find open issues that read like bugs the linter knows");
  part.add_option("--limit", options->limit, "Most results")
      .type_name("N")
      .range(1U, 1000U)
      .capture_default_str();
  part.add_flag("--json{json}", options->common.format, "Print JSON");
  options->common.define(part);
  return {part, [options] {
            const auto done = find(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace hipwright::cli
