// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/json.h"
#include "base/stop.h"
#include "cli/command.h"
#include "kernels/bench/bench.h"
#include "verify/numeric/values.h"

namespace hipwright::cli {

namespace {

using kernels::Benchmark;
using kernels::Op;

struct Options {
  std::string device = "auto";
  std::vector<std::string> ops, shapes;
  std::string type = "bf16", form;
  unsigned rounds = 30;
  bool json = false;
  bool once = false;
};

struct Shape {
  std::int64_t rows, columns, depth = 0;
};
constexpr Shape kOnHardware[] = {{1, 4096}, {128, 4096}, {4096, 4096}, {8192, 8192}, {16384, 8192}};
constexpr Shape kOnCpu[] = {{1, 4096}, {128, 4096}, {4096, 4096}};
constexpr Shape kOnSoftware[] = {{1, 4096}, {16, 4096}, {8, 8192}};

std::vector<Shape> default_shapes(const std::string& device) {
  if (device.starts_with("soft:")) return {std::begin(kOnSoftware), std::end(kOnSoftware)};
  if (device == "cpu") return {std::begin(kOnCpu), std::end(kOnCpu)};
  return {std::begin(kOnHardware), std::end(kOnHardware)};
}

Result<Shape> parse_shape(const std::string& text) {
  constexpr std::int64_t kMost = 1 << 20;
  Shape shape{};
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto size = [&](std::int64_t& to) {
    const auto [next, error] = std::from_chars(at, end, to);
    at = next;
    return error == std::errc() && to > 0 && to <= kMost;
  };
  const auto times = [&] { return at != end && *at++ == 'x'; };
  if (size(shape.rows) && times() && size(shape.columns) &&
      (at == end || (times() && size(shape.depth) && at == end)))
    return shape;
  return fail("invalid shape", text, "expected ROWSxCOLUMNS[xDEPTH], each from 1 to 1048576",
              "For example: --shape 4096x8192");
}

std::string text_of(const kernels::Problem& problem) {
  std::string text = fmt::format("{}x{}", problem.rows, problem.columns);
  return problem.depth == 0 ? text : fmt::format("{}x{}", text, problem.depth);
}

Result<const Op*> parse_op(const std::string& name) {
  if (const Op* op = kernels::find_op(name)) return op;
  return fail("unknown operation", name, "", "`hipwright kernels list` lists them.");
}

Result<std::vector<Benchmark>> benchmarks_of(const Options& options) {
  HW_TRY(const DataType type, verify::parse_type(options.type));
  if (std::ranges::find(kernels::element_types(), type) == kernels::element_types().end())
    return fail("unsupported type", options.type, "", "Use f32, f16 or bf16.");
  std::vector<const Op*> ops;
  for (const std::string& name : options.ops) {
    HW_TRY(const Op* op, parse_op(name));
    ops.push_back(op);
  }
  if (ops.empty())
    for (const Op& op : kernels::all_ops()) ops.push_back(&op);
  std::vector<Shape> shapes;
  for (const std::string& text : options.shapes) {
    HW_TRY(const Shape shape, parse_shape(text));
    shapes.push_back(shape);
  }
  if (shapes.empty()) shapes = default_shapes(options.device);
  std::vector<Benchmark> benchmarks;
  for (const Op* op : ops)
    for (const Shape& shape : shapes)
      for (unsigned variant = 0; variant < op->variants.size(); ++variant)
        if (options.form.empty() || options.form == op->variants[variant])
          benchmarks.push_back({op, {type, shape.rows, shape.columns, {}, variant, shape.depth}});
  if (benchmarks.empty())
    return fail("nothing to measure", options.form, "no chosen operation has that form",
                "`hipwright kernels list` lists the forms.");
  return benchmarks;
}

// This program, for one benchmark.
std::vector<std::string> command_of(const Options& options, const Benchmark& benchmark) {
  const auto& problem = benchmark.problem;
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                    "bench",
                                    "kernels",
                                    "--once",
                                    "--device",
                                    options.device,
                                    "--op",
                                    benchmark.op->name,
                                    "--type",
                                    options.type,
                                    "--shape",
                                    text_of(problem)};
  if (const auto form = benchmark.op->variants[problem.variant]; !form.empty())
    words.insert(words.end(), {"--form", std::string(form)});
  return words;
}

int count(const Options& options, const std::vector<Benchmark>& benchmarks) {
  std::vector<kernels::Counts> counts;
  for (const Benchmark& each : benchmarks) {
    if (stop_requested()) break;
    auto counted = kernels::count_one(
        options.device, each, [&](const Benchmark& one) { return command_of(options, one); });
    if (!counted) return report(counted.error());
    counts.push_back(*std::move(counted));
  }
  print(options.json
            ? json_text({{"device", options.device}, {"results", kernels::json_of(counts)}})
            : kernels::text_of(counts, globals().colour_out));
  return stop_requested() ? kStopped : kOk;
}

int bench(const Options& options) {
  const auto benchmarks = benchmarks_of(options);
  if (!benchmarks) return report(benchmarks.error());
  if (options.once) {
    const Status ran = kernels::run_once(options.device, benchmarks->front());
    return ran ? kOk : report(ran.error());
  }
  stop_on_interrupt();
  if (options.device.starts_with("soft:")) return count(options, *benchmarks);
  const auto run = kernels::time_all(options.device, *benchmarks, options.rounds);
  if (!run) return report(run.error());
  print(options.json ? json_text(kernels::json_of(*run))
                     : kernels::text_of(*run, globals().colour_out));
  return kOk;
}

const Command::Registration registration({
    .name = "bench",
    .summary = "Measure the kernel library on a device",
    .define = [](App app) -> std::function<int()> {
      app.require_subcommand();
      App part = app.add_subcommand(
          "kernels", "Times on a GPU or the CPU; on the software GPU, what kernels do");
      auto options = std::make_shared<Options>();
      part.add_option("--device", options->device,
                      "Device: auto, hip[:N], cuda[:N], soft:TARGET, cpu")
          .type_name("DEVICE")
          .capture_default_str();
      part.add_option("--op", options->ops, "Only this operation; can be repeated")
          .type_name("NAME");
      part.add_option("--form", options->form, "Only this form: tanh, e4m3").type_name("FORM");
      part.add_option("--type", options->type, "Element type")
          .one_of({"f32", "f16", "bf16"})
          .capture_default_str();
      part.add_option("--shape", options->shapes,
                      "Rows and columns, as 4096x8192, of gemm also the depth; can be repeated")
          .type_name("SHAPE");
      part.add_option("--rounds", options->rounds, "Measurements of each")
          .type_name("N")
          .range(3.0, 10000.0)
          .capture_default_str();
      part.add_flag("--json", options->json, "Print JSON");
      part.add_flag("--once", options->once, "Run the first benchmark once and print nothing")
          .group("");
      return [options] { return bench(*options); };
    },
});

}  // namespace

}  // namespace hipwright::cli
