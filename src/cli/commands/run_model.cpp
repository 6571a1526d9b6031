// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "base/json.h"
#include "base/table.h"
#include "cli/command.h"
#include "graph/cases/cases.h"
#include "graph/execute/execute.h"
#include "graph/onnx/onnx.h"
#include "graph/op.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::string model, device = "cpu", page;
  std::filesystem::path inputs, expected, out, cases;
  std::uint64_t seed = 1;
  double relative = 1e-3, absolute = 1e-5;
  bool reference = false, profile = false, json = false;
};

struct Output {
  std::string name, type;
  double least = 0, most = 0, mean = 0;
};

Output output_of(const std::string& name, const graph::Tensor& tensor) {
  Output out{.name = name,
             .type = std::string(to_string(tensor.type)) + graph::dims_text(tensor.dims)};
  if (!has_arithmetic(tensor.type) || tensor.count() == 0) return out;
  const std::vector<double> values = graph::floats_of(tensor);
  const auto [least, most] = std::ranges::minmax(values);
  out.least = least;
  out.most = most;
  for (const double value : values) out.mean += value / static_cast<double>(values.size());
  return out;
}

bool is_close(const graph::Tensor& expected, const graph::Tensor& actual, const Options& options) {
  const graph::Difference each = graph::difference(expected, actual);
  const bool is_near = each.absolute <= options.absolute || each.relative <= options.relative;
  return each.is_same_type && !each.has_other_specials && is_near;
}

Status write_outputs(const std::filesystem::path& directory, const graph::Graph& graph,
                     const std::vector<graph::Tensor>& outputs) {
  HW_CHECK(make_directories(directory));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    HW_CHECK(write_file_atomic(
        directory / fmt::format("output_{}.pb", i),
        graph::onnx::tensor_bytes(outputs[i], graph.values[graph.outputs[i]].name)));
  return {};
}

std::size_t library_nodes(const graph::RunResult& result) {
  return static_cast<std::size_t>(
      std::ranges::count(result.nodes, true, &graph::NodeRun::by_library));
}

void print_text_result(const Options& options, const std::vector<Output>& outputs,
                       const graph::RunResult& result) {
  Table table({"output", "type", ">least", ">most", ">mean"});
  for (const Output& each : outputs)
    table.add({each.name, each.type, fmt::format("{:.6g}", each.least),
               fmt::format("{:.6g}", each.most), fmt::format("{:.6g}", each.mean)});
  print_text(table.text(globals().colour_out));
  if (options.profile) {
    Table nodes({"node", ">seconds", "by"});
    for (const graph::NodeRun& each : result.nodes)
      nodes.add({each.node, fmt::format("{:.6f}", each.seconds),
                 each.by_library ? "kernel library" : "reference"});
    print_text(nodes.text(globals().colour_out));
  }
  note(fmt::format("{}: {} by the kernel library, {} by reference code",
                   counted(result.nodes.size(), "node"), library_nodes(result),
                   result.nodes.size() - library_nodes(result)));
}

Json json_result(const std::vector<Output>& outputs, const graph::RunResult& result) {
  Json list = Json::array(), nodes = Json::array();
  for (const Output& each : outputs)
    list.push_back({{"name", each.name},
                    {"type", each.type},
                    {"least", each.least},
                    {"most", each.most},
                    {"mean", each.mean}});
  for (const graph::NodeRun& each : result.nodes)
    nodes.push_back({{"node", each.node},
                     {"operator", each.op},
                     {"seconds", each.seconds},
                     {"by", each.by_library ? "library" : "reference"}});
  return {{"outputs", list},
          {"nodes", nodes},
          {"library_nodes", library_nodes(result)},
          {"peak_bytes", result.peak_bytes}};
}

int run_cases(const Options& options) {
  const auto results = graph::run_cases(options.cases);
  if (!results) return report(results.error());
  if (options.json)
    print(json_text(graph::cases_json(*results)));
  else
    print_text(graph::cases_text(*results, globals().colour_out));
  using enum graph::CaseResult::Outcome;
  if (std::ranges::count(*results, kFail, &graph::CaseResult::outcome) != 0) return kFindings;
  return std::ranges::count(*results, kUnsupported, &graph::CaseResult::outcome) != 0 ? kNotChecked
                                                                                      : kOk;
}

int run_model(const Options& options) {
  if (!options.page.empty()) {
    const Status written = write_file_atomic(options.page, graph::operators_page());
    return written ? kOk : report(written.error());
  }
  if (!options.cases.empty()) return run_cases(options);
  if (options.model.empty())
    return report(
        {"`hipwright run-model` needs a model", "", "", "See: hipwright run-model --help"});
  auto graph = graph::onnx::read_model(options.model);
  if (!graph) return report(graph.error());
  for (const std::string& text : graph->notes) warn(options.model + ": " + text);
  if (const Status typed = graph::infer_types(*graph); !typed) return report(typed.error());
  const auto inputs = options.inputs.empty()
                          ? graph::random_inputs(*graph, options.seed)
                          : graph::read_tensors(options.inputs, "input", graph->inputs.size());
  if (!inputs) return report(inputs.error());
  const auto result = graph::run(*graph, *inputs, {.uses_library = !options.reference});
  if (!result) return report(result.error());
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < result->outputs.size(); ++i)
    outputs.push_back(output_of(graph->values[graph->outputs[i]].name, result->outputs[i]));
  if (options.json)
    print(json_text(json_result(outputs, *result)));
  else
    print_text_result(options, outputs, *result);
  if (!options.out.empty())
    if (const Status written = write_outputs(options.out, *graph, result->outputs); !written)
      return report(written.error());
  if (options.expected.empty()) return kOk;
  const auto expected = graph::read_tensors(options.expected, "output", graph->outputs.size());
  if (!expected) return report(expected.error());
  int code = kOk;
  for (std::size_t i = 0; i < expected->size(); ++i) {
    if (is_close((*expected)[i], result->outputs[i], options)) continue;
    print_error(fmt::format("hipwright: error: output '{}' is not as expected\n", outputs[i].name));
    code = kFindings;
  }
  return code;
}

const Command::Registration registration({
    .name = "run-model",
    .summary = "Run an ONNX model",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("MODEL", options->model, "ONNX model").type_name("MODEL");
      app.add_option("--device", options->device, "Where to run it")
          .one_of({"cpu"})
          .capture_default_str();
      app.add_option("--inputs", options->inputs,
                     "Directory with input_0.pb and so on; without it: random inputs")
          .type_name("DIR")
          .not_empty();
      app.add_option("--seed", options->seed, "Of the random inputs")
          .type_name("N")
          .capture_default_str();
      app.add_option("--expect", options->expected,
                     "Compare with output_0.pb and so on in a directory")
          .type_name("DIR")
          .not_empty();
      app.add_option("-o,--out", options->out, "Write output_0.pb and so on into a directory")
          .type_name("DIR")
          .not_empty();
      app.add_option("--cases", options->cases, "Run every case of ONNX's test data in a directory")
          .type_name("DIR")
          .not_empty();
      app.add_flag("--reference", options->reference, "Use reference code only, no kernel library");
      app.add_flag("--profile", options->profile, "Print the time of every node");
      app.add_flag("--json", options->json, "Print JSON");
      app.add_option("--write-docs", options->page, "Write docs/graph-operators.md")
          .type_name("FILE")
          .group("");
      return [options] { return run_model(*options); };
    },
});

}  // namespace

}  // namespace hipwright::cli
