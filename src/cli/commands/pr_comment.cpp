// SPDX-License-Identifier: MIT
// Comments on pull requests: benchmarks and reminders. Shown, and posted only with --yes.
#include <fmt/format.h>

#include "base/json.h"
#include "cli/perf.h"
#include "cli/pr.h"
#include "github/drafts/ping.h"
#include "github/fetch/fetch.h"
#include "perf/compare/report.h"

namespace hipwright::cli {

namespace {

struct Options {
  PrOptions common;
  std::string number;
  std::filesystem::path base, head;
  PerfGate gate;
  bool yes = false;
};

// Both sides on one AMD GPU, or it is no verification on hardware.
std::string heading(const perf::Record& base, const perf::Record& head) {
  const auto gpu = [](const perf::Record& record) {
    const auto found = record.machine.find("gpu0");
    return found == record.machine.end() ? std::string() : found->second;
  };
  const std::string name = gpu(head);
  if (name.empty() || name == "unknown" || name == "none" || gpu(base) != name)
    return "### Benchmark (not on an AMD GPU)\n\n";
  return fmt::format("### Hardware Verification ({})\n\n", name);
}

Result<int> bench_comment(const Options& options) {
  HW_TRY(const perf::Record base, perf::read_record(options.base));
  HW_TRY(const perf::Record head, perf::read_record(options.head));
  const perf::Comparison comparison = perf::compare(base, head, options.gate.options());
  const std::string text = heading(base, head) + perf::comparison_markdown(comparison);
  if (options.number.empty()) {
    if (options.yes)
      return fail("cannot post the comment", "", "no pull request given", "Give --pr NUMBER.");
    print_text(text);
    return gate_code(comparison);
  }
  HW_TRY(const auto id, options.common.pull_request(options.number));
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(const int posted, post_comment(session, id, text, options.yes));
  return posted == kOk ? gate_code(comparison) : posted;
}

Result<int> ping(const Options& options) {
  HW_TRY(const auto id, options.common.pull_request(options.number));
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(github::PullRequest read, github::fetch_pull_request(session.client, id));
  HW_TRY(const github::Judged judged, session.judge(std::move(read)));
  HW_TRY(const std::string viewer, github::fetch_viewer(session.client));
  const github::Ping draft =
      github::draft_ping(judged.pull_request, judged.assessment, session.profiles.of(id.repository),
                         viewer, session.now);
  if (options.common.is_json())
    print(json_text({{"pull_request", id.text()},
                     {"state", to_string(judged.assessment.state)},
                     {"text", draft.text},
                     {"bot_command", draft.is_command},
                     {"may_send", draft.may_send()},
                     {"why_not", draft.why_not}}));
  if (!draft.may_send()) {
    note(fmt::format("no reminder for {}: {}", id.text(), draft.why_not));
    return kFindings;
  }
  if (options.common.is_json() && !options.yes) return kOk;
  return post_comment(session, id, draft.text, options.yes);
}

}  // namespace

PrPart define_pr_bench_comment(App app) {
  auto options = std::make_shared<Options>();
  App part =
      app.add_subcommand("bench-comment", "Write a comment with measurements before and after");
  part.add_option("BASE", options->base, "Record of `perf run` without the change")
      .type_name("FILE")
      .required();
  part.add_option("HEAD", options->head, "Record with the change").type_name("FILE").required();
  part.add_option("--pr", options->number, "Pull request to post it on").type_name("NUMBER");
  part.add_flag("--yes", options->yes, "Post it; without this option, only print it");
  options->gate.define(part);
  options->common.define(part);
  return {part, [options] {
            const auto done = bench_comment(*options);
            return done ? *done : report(done.error());
          }};
}

PrPart define_pr_ping(App app) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand("ping", "Write a reminder to those whose turn it is");
  part.add_option("NUMBER", options->number, "Number, OWNER/NAME#NUMBER, or address")
      .type_name("NUMBER")
      .required();
  part.add_flag("--yes", options->yes, "Post it; without this option, only print it");
  part.add_flag("--json{json}", options->common.format, "Print JSON");
  options->common.define(part);
  return {part, [options] {
            const auto done = ping(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace hipwright::cli
