// SPDX-License-Identifier: MIT
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "cli/trace.h"
#include "trace/compare/compare.h"
#include "trace/read/read.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::string a, b;
  bool json = false;
  std::filesystem::path html;
  unsigned rows = 15;
};

int compare(const Options& options) {
  if (!options.html.empty())
    if (const Status writable = can_write(options.html); !writable) return report(writable.error());
  const auto a = trace::read_trace({options.a});
  if (!a) return report(a.error());
  const auto b = trace::read_trace({options.b});
  if (!b) return report(b.error());
  const trace::Comparison comparison =
      trace::compare(*a, trace::summarize(*a), *b, trace::summarize(*b));
  if (!options.html.empty()) {
    if (const Status written = write_file_atomic(options.html, trace::comparison_html(comparison));
        !written)
      return report(written.error());
    note("wrote " + options.html.string());
  }
  print(options.json ? json_text(trace::comparison_json(comparison))
                     : trace::comparison_text(comparison, options.rows, globals().colour_out));
  return a->is_complete && b->is_complete ? kOk : kNotChecked;
}

}  // namespace

TracePart define_trace_compare(App app) {
  auto options = std::make_shared<Options>();
  App own =
      app.add_subcommand("compare", "Show where the difference between two traces comes from");
  own.add_option("A", options->a, "Trace before, or on one device").required().type_name("A");
  own.add_option("B", options->b, "Trace after, or on another device").required().type_name("B");
  own.add_flag("--json", options->json, "Print JSON");
  own.add_option("--html", options->html, "Write a report for browsers").type_name("FILE");
  own.add_option("--rows", options->rows, "Rows of the table")
      .type_name("N")
      .range(1U, 100000U)
      .capture_default_str();
  return {own, [options] { return compare(*options); }};
}

}  // namespace hipwright::cli
