// SPDX-License-Identifier: MIT
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "cli/trace.h"
#include "trace/advice/advice.h"
#include "trace/read/read.h"
#include "trace/report/html.h"
#include "trace/report/text.h"

namespace hipwright::cli {

namespace {

constexpr double kNoEnd = 1e9;

struct Options {
  std::vector<std::string> files;
  bool json = false, whole_names = false;
  std::filesystem::path csv, html;
  unsigned rows = 15;
  double from = 0, to = kNoEnd;  // seconds
};

trace::Window window_of(const Options& options) {
  trace::Window window{.from = static_cast<trace::Nanoseconds>(options.from * 1e9)};
  if (options.to < kNoEnd) window.to = static_cast<trace::Nanoseconds>(options.to * 1e9);
  return window;
}

Status write_files(const Options& options, const trace::Trace& read, const trace::Summary& summary,
                   const std::vector<trace::Advice>& advice) {
  if (!options.html.empty()) {
    HW_CHECK(write_file_atomic(options.html, trace::summary_html(read, summary, advice)));
    note("wrote " + options.html.string());
  }
  if (!options.csv.empty()) {
    HW_CHECK(write_file_atomic(options.csv, trace::kernels_csv(read, summary)));
    note("wrote " + options.csv.string());
  }
  return {};
}

int summary(const Options& options) {
  for (const auto& path : {options.csv, options.html})
    if (!path.empty())
      if (const Status writable = can_write(path); !writable) return report(writable.error());
  if (options.from >= options.to)
    return report(fail("cannot cut the trace", "--to", "the window ends before --from").error());
  const auto read = trace::read_trace(options.files, window_of(options));
  if (!read) return report(read.error());
  const trace::Summary numbers = trace::summarize(*read);
  const std::vector<trace::Advice> advice = trace::advise(*read, numbers);
  if (const Status written = write_files(options, *read, numbers, advice); !written)
    return report(written.error());
  if (options.json)
    print(json_text(trace::summary_json(*read, numbers, advice)));
  else
    print(trace::summary_text(*read, numbers, advice,
                              {.colour = globals().colour_out,
                               .rows = options.rows,
                               .whole_names = options.whole_names}));
  return numbers.is_complete ? kOk : kNotChecked;
}

}  // namespace

TracePart define_trace_summary(App app) {
  auto options = std::make_shared<Options>();
  App own =
      app.add_subcommand("summary", "Show where the time of a trace goes, and what to do about it");
  own.add_option("TRACE", options->files,
                 "A trace; or the CSV files that a profiler wrote side by side")
      .required()
      .type_name("TRACE");
  own.add_flag("--json", options->json, "Print JSON");
  own.add_option("--html", options->html, "Write a report for browsers: timeline, charts, tables")
      .type_name("FILE");
  own.add_option("--csv", options->csv, "Write one row per kernel name").type_name("FILE");
  own.add_option("--rows", options->rows, "Rows of each table")
      .type_name("N")
      .range(1U, 100000U)
      .capture_default_str();
  own.add_option("--from", options->from,
                 "Leave out what begins before this many seconds since the first event")
      .type_name("SECONDS")
      .range(0.0, kNoEnd);
  own.add_option("--to", options->to, "Leave out what begins after that many seconds")
      .type_name("SECONDS")
      .range(0.0, kNoEnd);
  own.add_flag("--full-names", options->whole_names,
               "Print the kernels' names as the profiler wrote them");
  return {own, [options] { return summary(*options); }};
}

}  // namespace hipwright::cli
