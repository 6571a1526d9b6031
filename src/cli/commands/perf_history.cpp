// SPDX-License-Identifier: MIT
#include "perf/history/history.h"

#include <ctime>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/stop.h"
#include "cli/perf.h"
#include "perf/bisect/bisect.h"
#include "perf/history/report.h"

namespace fs = std::filesystem;

namespace hipwright::cli {

namespace {

struct Options {
  fs::path database, html;
  std::vector<fs::path> add;
  std::string commit;
  perf::SeriesFilter filter;
  double threshold = 3;  // percent
  bool json = false;
};

// Seconds since 1970 of "2026-03-01T12:00:00Z"; 0 for other texts.
std::int64_t time_of(const std::string& made) {
  std::tm parts{};
  return strptime(made.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr ? 0 : timegm(&parts);
}

Status add(const Options& options) {
  if (options.add.empty()) return {};
  std::vector<perf::Record> records;
  for (const fs::path& file : options.add) {
    HW_TRY(records.emplace_back(), perf::read_record(file));
  }
  perf::Commit commit;
  if (!options.commit.empty()) {
    HW_TRY(commit, perf::commit_of("", options.commit));
  }
  HW_TRY(perf::History history, perf::History::open(options.database));
  for (std::size_t i = 0; i < records.size(); ++i) {
    perf::Commit of = commit;
    if (options.commit.empty()) of = {"", records[i].label, time_of(records[i].made)};
    HW_TRY(const bool added, history.add(records[i], of));
    if (!added) note(fmt::format("{} is in the history already", options.add[i].string()));
  }
  return {};
}

Result<int> show(const Options& options) {
  if (!options.html.empty()) HW_CHECK(can_write(options.html));
  HW_CHECK(add(options));
  HW_TRY(const perf::History history, perf::History::open_to_read(options.database));
  HW_TRY(const auto series, history.series(options.filter, {.threshold = options.threshold / 100}));
  if (!options.html.empty())
    HW_CHECK(write_file_atomic(options.html, perf::history_html(series, "Performance history")));
  if (options.json)
    print(json_text(perf::history_json(series)));
  else
    print(perf::history_text(series, globals().colour_out));
  return kOk;
}

struct BisectWords {
  std::string good, bad, build, directory;
  std::vector<std::string> command;
  PerfRuns runs;
  PerfGate gate;
  bool json = false;
};

Result<int> find_commit(const BisectWords& words) {
  perf::BisectOptions options{.directory = words.directory,
                              .good = words.good,
                              .bad = words.bad,
                              .command = words.command,
                              .build = words.build,
                              .compare = words.gate.options()};
  HW_TRY(options.measure, words.runs.options());
  options.measure.progress.reset();
  options.log = [](const std::string& line) { note(line); };
  stop_on_interrupt();
  const auto found = perf::bisect(options);
  if (!found) {
    const int code = report(found.error());
    return stop_requested() ? kStopped : code;
  }
  const perf::BisectResult& result = *found;
  print(words.json ? json_text(perf::bisect_json(result)) : perf::bisect_text(result));
  if (!result.is_known) return kNotChecked;
  if (!result.is_regression) return kFindings;
  return result.suspects.size() == 1 ? kOk : kNotChecked;
}

}  // namespace

PerfPart define_perf_history(App app) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand("history", "Keep results over time, and find where they changed");
  part.add_option("DATABASE", options->database, "SQLite file").type_name("FILE").required();
  part.add_option("--add", options->add, "Add a record; creates the database if it is missing")
      .type_name("RECORD")
      .allow_extra_args(false);
  part.add_option("--commit", options->commit,
                  "Commit of the current git repository that was measured")
      .type_name("REVISION");
  part.add_option("--benchmark", options->filter.benchmark, "Show one benchmark").type_name("NAME");
  part.add_option("--metric", options->filter.metric, "Show one metric").type_name("NAME");
  part.add_option("--threshold", options->threshold, "Smallest relative change to report")
      .type_name("PERCENT")
      .range(0.0, 1000.0)
      .capture_default_str();
  part.add_option("--html", options->html, "Write charts to FILE").type_name("FILE");
  part.add_flag("--json", options->json, "Print JSON");
  return {part, [options] {
            const auto done = show(*options);
            return done ? *done : report(done.error());
          }};
}

PerfPart define_perf_bisect(App app) {
  auto options = std::make_shared<BisectWords>();
  App part = app.add_subcommand("bisect", "Find the commit that made a command slower");
  part.add_option("GOOD", options->good, "Commit that is fast").type_name("COMMIT").required();
  part.add_option("BAD", options->bad, "Commit that is slow").type_name("COMMIT").required();
  part.add_option("COMMAND", options->command, "Command and its arguments, after --")
      .type_name("COMMAND")
      .required();
  part.add_option("--repository", options->directory, "Git repository (default: the current one)")
      .type_name("DIR");
  part.add_option("--build", options->build, "Shell command that builds a working tree")
      .type_name("COMMAND");
  options->runs.define(part);
  options->gate.define(part);
  part.add_flag("--json", options->json, "Print JSON");
  return {part, [options] {
            const auto done = find_commit(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace hipwright::cli
