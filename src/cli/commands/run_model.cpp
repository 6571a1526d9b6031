// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <functional>
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
  std::filesystem::path inputs, expected, out, cases, profile;
  std::uint64_t seed = 1;
  unsigned symbol_size = 2;
  unsigned repeats = 1;
  double relative = 1e-3, absolute = 1e-5;
  bool reference = false, nodes = false, json = false;
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

// Of operators, what ran and who computed it; the slowest first.
struct OpTime {
  std::string op;
  graph::RunBy by;
  std::size_t count = 0;
  double seconds = 0;
};
std::vector<OpTime> times_by_op(const graph::RunResult& result) {
  std::vector<OpTime> times;
  for (const graph::NodeRun& node : result.nodes) {
    auto found = std::ranges::find_if(
        times, [&](const OpTime& each) { return each.op == node.op && each.by == node.by; });
    if (found == times.end()) found = times.insert(times.end(), {node.op, node.by});
    ++found->count;
    found->seconds += node.seconds;
  }
  std::ranges::sort(times, std::greater(), &OpTime::seconds);
  return times;
}

std::string who_ran(const graph::RunResult& result) {
  using enum graph::RunBy;
  return fmt::format("{}: {} by the kernel library, {} by reference code on the host",
                     counted(result.nodes.size() - result.count(kShape), "node"),
                     result.count(kLibrary), result.count(kReference));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// The last of `options.repeats` runs, and the time of each.
struct Runs {
  graph::RunResult result;
  std::vector<double> seconds;
  std::string device;
};

void print_text_result(const Options& options, const std::vector<Output>& outputs,
                       const Runs& runs) {
  Table table({"output", "type", ">least", ">most", ">mean"});
  for (const Output& each : outputs)
    table.add({each.name, each.type, fmt::format("{:.6g}", each.least),
               fmt::format("{:.6g}", each.most), fmt::format("{:.6g}", each.mean)});
  print_text(table.text(globals().colour_out));
  if (options.nodes) {
    Table times({"operator", "by", ">nodes", ">ms"});
    for (const OpTime& each : times_by_op(runs.result))
      times.add({each.op, std::string(to_string(each.by)), std::to_string(each.count),
                 fmt::format("{:.3f}", each.seconds * 1e3)});
    print_text(times.text(globals().colour_out));
  }
  note(fmt::format("{}: {}", runs.device, who_ran(runs.result)));
  if (options.repeats > 1)
    note(fmt::format("{}: median {:.3f} ms, least {:.3f} ms", counted(options.repeats, "run"),
                     median(runs.seconds) * 1e3, std::ranges::min(runs.seconds) * 1e3));
}

Json json_result(const std::vector<Output>& outputs, const Runs& runs) {
  const graph::RunResult& result = runs.result;
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
                     {"by", to_string(each.by)}});
  return {{"device", runs.device},
          {"outputs", list},
          {"nodes", nodes},
          {"library_nodes", result.count(graph::RunBy::kLibrary)},
          {"reference_nodes", result.count(graph::RunBy::kReference)},
          {"peak_bytes", result.peak_bytes},
          {"copied_bytes", result.copied_bytes},
          {"seconds", runs.seconds}};
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

Result<Runs> run_on_device(const Options& options, const graph::Graph& graph,
                           const std::vector<graph::Tensor>& inputs) {
  HW_TRY(graph::Executor executor,
         graph::Executor::create(graph,
                                 {.device = options.device,
                                  .uses_library = !options.reference,
                                  .waits_for_nodes = options.nodes || !options.profile.empty()}));
  Runs runs{.result = {}, .seconds = {}, .device = executor.device()};
  // What is measured has compiled its kernels and copied its constants before.
  const unsigned warm_up = options.repeats > 1 ? 1 : 0;
  for (unsigned i = 0; i < options.repeats + warm_up; ++i) {
    HW_TRY(runs.result, executor.run(inputs));
    if (i >= warm_up) runs.seconds.push_back(runs.result.seconds);
  }
  return runs;
}

int compare_outputs(const Options& options, const graph::Graph& graph,
                    const std::vector<graph::Tensor>& outputs) {
  const auto expected = graph::read_tensors(options.expected, "output", graph.outputs.size());
  if (!expected) return report(expected.error());
  int code = kOk;
  for (std::size_t i = 0; i < expected->size(); ++i) {
    if (is_close((*expected)[i], outputs[i], options)) continue;
    print_error(fmt::format("hipwright: error: output '{}' is not as expected\n",
                            graph.values[graph.outputs[i]].name));
    code = kFindings;
  }
  return code;
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
                          ? graph::random_inputs(*graph, options.seed, options.symbol_size)
                          : graph::read_tensors(options.inputs, "input", graph->inputs.size());
  if (!inputs) return report(inputs.error());
  const auto runs = run_on_device(options, *graph, *inputs);
  if (!runs) return report(runs.error());
  const std::vector<graph::Tensor>& results = runs->result.outputs;
  std::vector<Output> outputs;
  for (std::size_t i = 0; i < results.size(); ++i)
    outputs.push_back(output_of(graph->values[graph->outputs[i]].name, results[i]));
  if (options.json)
    print(json_text(json_result(outputs, *runs)));
  else
    print_text_result(options, outputs, *runs);
  if (!options.out.empty())
    if (const Status written = write_outputs(options.out, *graph, results); !written)
      return report(written.error());
  if (!options.profile.empty())
    if (const Status written =
            write_file_atomic(options.profile, graph::trace_text(runs->result, runs->device));
        !written)
      return report(written.error());
  return options.expected.empty() ? kOk : compare_outputs(options, *graph, results);
}

const Command::Registration registration({
    .name = "run-model",
    .summary = "Run an ONNX model",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("MODEL", options->model, "ONNX model").type_name("MODEL");
      app.add_option("--device", options->device,
                     "Device: auto, hip[:N], cuda[:N], soft:TARGET, cpu")
          .type_name("DEVICE")
          .not_empty()
          .capture_default_str();
      app.add_option("--inputs", options->inputs,
                     "Directory with input_0.pb and so on; without it: random inputs")
          .type_name("DIR")
          .not_empty();
      app.add_option("--seed", options->seed, "Of the random inputs")
          .type_name("N")
          .capture_default_str();
      app.add_option("--size", options->symbol_size,
                     "Of dimensions that the model names but does not fix, in random inputs")
          .type_name("N")
          .range(1U, 1U << 20)
          .capture_default_str();
      app.add_option("--repeat", options->repeats,
                     "Run so often, after once without measuring, and print the median time")
          .type_name("N")
          .range(1U, 100000U)
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
      app.add_flag("--nodes", options->nodes, "Print the time of each kind of node");
      app.add_option("--profile", options->profile,
                     "Write a trace of the nodes, in Chrome's format")
          .type_name("FILE")
          .not_empty();
      app.add_flag("--json", options->json, "Print JSON");
      app.add_option("--write-docs", options->page, "Write docs/graph-operators.md")
          .type_name("FILE")
          .group("");
      return [options] { return run_model(*options); };
    },
});

}  // namespace

}  // namespace hipwright::cli
