// SPDX-License-Identifier: MIT
#include "graph/optimize/optimize.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "graph/onnx/onnx.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::string model, level = "balanced", architecture;
  std::filesystem::path out, report, shapes, dot;
  std::vector<std::string> skips;
  unsigned seeds = 1;
  bool passes = false, json = false, print = false;
};

Status write_results(const Options& options, const graph::Graph& graph,
                     const graph::Summary& summary) {
  if (!options.out.empty()) {
    HW_CHECK(graph::onnx::write_model(graph, options.out));
    note("wrote " + options.out.string());
  }
  if (!options.report.empty()) {
    HW_CHECK(write_file_atomic(options.report, graph::summary_html(summary, options.model)));
    note("wrote " + options.report.string());
  }
  if (!options.dot.empty()) {
    HW_CHECK(write_file_atomic(options.dot, graph::graph_dot(graph)));
    note("wrote " + options.dot.string());
  }
  if (options.shapes.empty()) return {};
  const graph::Shapes shapes = graph::gemm_shapes(graph);
  HW_CHECK(write_file_atomic(options.shapes, shapes.csv));
  note(fmt::format("wrote {} to {}", counted(shapes.count, "shape"), options.shapes.string()));
  if (shapes.unknown > 0)
    warn(
        fmt::format("omitted {}: batched, or of unknown size", counted(shapes.unknown, "product")));
  return {};
}

int optimize(const Options& options) {
  if (options.passes) {
    print(options.json ? json_text(graph::passes_json())
                       : graph::passes_text(globals().colour_out));
    return kOk;
  }
  if (options.model.empty())
    return report({"`hipwright optimize` needs a model", "", "", "See: hipwright optimize --help"});
  const auto level = graph::parse_level(options.level);
  if (!level) return report(level.error());
  for (const auto& path : {options.out, options.report, options.shapes, options.dot})
    if (!path.empty())
      if (const Status writable = can_write(path); !writable) return report(writable.error());
  const auto original = graph::onnx::read_model(options.model);
  if (!original) return report(original.error());
  for (const std::string& text : original->notes) warn(options.model + ": " + text);
  graph::Graph graph = *original;
  auto summary = graph::optimize(graph, {*level, options.architecture, options.skips});
  if (!summary) return report(summary.error());
  if (options.seeds > 0) {
    const auto accuracy = graph::compare_graphs(*original, graph, *summary, options.seeds);
    if (!accuracy) return report(accuracy.error());
    summary->accuracy = *accuracy;
  }
  const bool is_wrong = summary->accuracy && !summary->accuracy->passes;
  print(options.json ? json_text(graph::summary_json(*summary))
                     : graph::summary_text(*summary, globals().colour_out));
  if (options.print) print_text(graph::graph_text(graph));
  if (is_wrong) {
    print_error(
        "hipwright: error: the optimized model computes something else; nothing was written\n");
    return kFindings;
  }
  if (const Status written = write_results(options, graph, *summary); !written)
    return report(written.error());
  return summary->accuracy ? kOk : kNotChecked;
}

const Command::Registration registration({
    .name = "optimize",
    .summary = "Optimize an ONNX model and compare it with the original",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("MODEL", options->model, "ONNX model").type_name("MODEL");
      app.add_option("--level", options->level, "How much to change")
          .one_of({"conservative", "balanced", "aggressive"})
          .capture_default_str();
      app.add_option("--arch", options->architecture, "Target, for passes that need its units")
          .type_name("TARGET");
      app.add_option("-o,--out", options->out, "Write the optimized model")
          .type_name("FILE")
          .not_empty();
      app.add_option("--report", options->report, "Write a report for browsers")
          .type_name("FILE")
          .not_empty();
      app.add_option("--shapes", options->shapes, "Write the shapes of its matrix products as CSV")
          .type_name("FILE")
          .not_empty();
      app.add_option("--dot", options->dot, "Write a picture for Graphviz")
          .type_name("FILE")
          .not_empty();
      app.add_option("--skip", options->skips, "Omit a pass")
          .type_name("PASS")
          .allow_extra_args(false);
      app.add_option("--check", options->seeds, "Random inputs to compare on; 0: do not compare")
          .type_name("N")
          .range(0U, 1000U)
          .capture_default_str();
      app.add_flag("--passes", options->passes, "List the passes and the levels that include them");
      app.add_flag("--print", options->print, "Print the optimized graph");
      app.add_flag("--json", options->json, "Print JSON");
      return [options] { return optimize(*options); };
    },
});

}  // namespace

}  // namespace hipwright::cli
