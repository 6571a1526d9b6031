// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "cli/trace.h"
#include "trace/export/merge.h"
#include "trace/export/shapes.h"
#include "trace/read/read.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  std::filesystem::path shapes, perfetto;
};

Status write_shapes(const trace::Trace& read, const std::filesystem::path& path) {
  const trace::ExportedShapes shapes = trace::exported_shapes(trace::summarize(read));
  if (shapes.shapes == 0)
    return fail("cannot export shapes", read.file, "the trace has no GEMMs with shapes",
                "Record it with shapes and without graphs: hipwright trace record.");
  HW_CHECK(write_file_atomic(path, shapes.csv));
  note(fmt::format("wrote {} to {}", counted(shapes.shapes, "shape"), path.string()));
  if (shapes.batched > 0)
    warn(fmt::format("omitted {}: the format has no batches",
                     counted(shapes.batched, "batched GEMM")));
  return {};
}

int run(const Options& options) {
  if (options.shapes.empty() && options.perfetto.empty())
    return report({"`hipwright trace export` needs --shapes or --perfetto", "", "",
                   "See: hipwright trace export --help"});
  if (!options.shapes.empty() && options.files.size() > 1)
    return report({"`--shapes` takes one trace", "", "", "Export the shapes of one rank."});
  for (const auto& path : {options.shapes, options.perfetto})
    if (!path.empty())
      if (const Status writable = can_write(path); !writable) return report(writable.error());
  std::vector<trace::Trace> traces;
  bool is_complete = true;
  for (const std::string& file : options.files) {
    auto read = trace::read_trace({file});
    if (!read) return report(read.error());
    if (!read->is_complete)
      for (const std::string& text : read->notes) warn(file + ": " + text);
    is_complete &= read->is_complete;
    traces.push_back(*std::move(read));
  }
  if (!options.shapes.empty())
    if (const Status written = write_shapes(traces.front(), options.shapes); !written)
      return report(written.error());
  if (!options.perfetto.empty()) {
    const trace::Merge merge = trace::merge_ranks(traces);
    if (const Status written =
            write_file_atomic(options.perfetto, trace::perfetto_json(traces, merge));
        !written)
      return report(written.error());
    print(trace::merge_text(merge, globals().colour_out));
    note("wrote " + options.perfetto.string());
  }
  return is_complete ? kOk : kNotChecked;
}

}  // namespace

TracePart define_trace_export(App app) {
  auto options = std::make_shared<Options>();
  App own = app.add_subcommand(
      "export", "Write a trace's GEMM shapes for a tuner, or traces of several ranks on one clock");
  own.add_option("TRACE", options->files, "A trace, or one per rank").required().type_name("TRACE");
  own.add_option("--shapes", options->shapes, "Write the GEMM shapes as AITER's tuner reads them")
      .type_name("FILE");
  own.add_option("--perfetto", options->perfetto,
                 "Write the events as Perfetto reads them; ranks are aligned on their collectives")
      .type_name("FILE");
  return {own, [options] { return run(*options); }};
}

}  // namespace hipwright::cli
