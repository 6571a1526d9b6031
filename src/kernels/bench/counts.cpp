// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/table.h"
#include "kernels/bench/bench.h"
#include "kernels/bundle.h"
#include "kernels/trial.h"
#include "perf/record/json_input.h"
#include "toolchain/code_object/resources.h"

namespace hipwright::kernels {

namespace {

using perf::JsonField;

Result<std::uint64_t> count_at(JsonField at, std::initializer_list<const char*> path) {
  for (const char* step : path) {
    HW_TRY(at, at.at(step));
  }
  return at.count();
}

Result<Counts> read_kernel(const JsonField& kernel, const Benchmark& benchmark) {
  Counts counts{.benchmark = benchmark};
  HW_TRY(const JsonField name, kernel.at("kernel"));
  HW_TRY(counts.kernel, name.text());
  for (const char* kind : {"loads", "stores", "atomics"}) {
    HW_TRY(const auto bytes, count_at(kernel, {"global", kind, "bytes"}));
    HW_TRY(const auto accesses, count_at(kernel, {"global", kind, "accesses"}));
    HW_TRY(const auto lines, count_at(kernel, {"global", kind, "lines"}));
    counts.bytes += bytes;
    counts.accesses += accesses;
    counts.lines += lines;
  }
  const auto read = [&](auto& to, std::initializer_list<const char*> path) -> Status {
    HW_TRY(const std::uint64_t value, count_at(kernel, path));
    to = static_cast<std::remove_reference_t<decltype(to)>>(value);
    return {};
  };
  HW_CHECK(read(counts.line_bytes, {"global", "line_bytes"}));
  HW_CHECK(read(counts.lds_conflicts, {"lds", "bank_conflicts"}));
  HW_CHECK(read(counts.lds_passes, {"lds", "passes"}));
  HW_CHECK(read(counts.lds_moved, {"lds", "bytes"}));
  HW_CHECK(read(counts.lds_bytes, {"lds_bytes"}));
  HW_CHECK(read(counts.instructions, {"instructions", "total"}));
  HW_CHECK(read(counts.vgprs, {"vgprs"}));
  HW_TRY(const JsonField occupancy, kernel.at("occupancy"));
  HW_TRY(const JsonField waves, occupancy.at("waves_per_simd"));
  HW_TRY(counts.waves_per_simd, waves.number());
  HW_CHECK(read(counts.max_waves_per_simd, {"occupancy", "max_waves_per_simd"}));
  // A kernel without such instructions has no such class.
  if (const auto waits = count_at(kernel, {"instructions", "by_class", "wait"}))
    counts.waits = *waits;
  if (const auto matrix = count_at(kernel, {"instructions", "by_class", "matrix"}))
    counts.matrix = *matrix;
  return counts;
}

Result<unsigned> spills_of(const Benchmark& benchmark, const std::string& device,
                           const std::string& kernel) {
  HW_TRY(const arch::Target target, arch::parse_target(device.substr(device.find(':') + 1)));
  std::string unit;
  for (const Instance& each : instances_of(*benchmark.op, chip_of(*target.info)))
    if (each.symbol == kernel) unit = each.unit;
  HW_TRY(std::string code, compile_op(*benchmark.op, unit, target));
  HW_TRY(const auto object,
         toolchain::CodeObject::parse(toolchain::Bytes(std::move(code)), benchmark.op->name));
  for (const toolchain::KernelResources& each : toolchain::kernel_resources(object))
    if (each.name == kernel) return each.vgpr_spills + each.sgpr_spills;
  return fail("cannot find the kernel", kernel, "its code object lacks it");
}

std::string ratio_text(double ratio) {
  return fmt::format("{:.3f}", ratio);
}

// Of an operation with several kernels: resources are those of the one with most instructions.
Counts sum_of(const Counts& a, const Counts& b) {
  Counts sum = a.instructions < b.instructions ? b : a;
  sum.bytes = a.bytes + b.bytes;
  sum.accesses = a.accesses + b.accesses;
  sum.lines = a.lines + b.lines;
  sum.lds_conflicts = a.lds_conflicts + b.lds_conflicts;
  sum.lds_passes = a.lds_passes + b.lds_passes;
  sum.lds_moved = a.lds_moved + b.lds_moved;
  sum.instructions = a.instructions + b.instructions;
  sum.waits = a.waits + b.waits;
  sum.matrix = a.matrix + b.matrix;
  sum.spills = a.spills + b.spills;
  return sum;
}

double per_matrix(const Counts& counts, std::uint64_t count) {
  return static_cast<double>(count) / static_cast<double>(counts.matrix);
}

// What the kernels with a matrix unit do for each of its instructions; empty without them.
std::string matrix_text(const std::vector<Counts>& counts, bool colour) {
  Table table({"for each matrix instruction", ">of", ">instructions", ">waits", ">LDS bytes",
               ">global bytes"});
  bool has_any = false;
  for (const Counts& each : counts) {
    if (each.matrix == 0) continue;
    has_any = true;
    table.add({to_string(*each.benchmark.op, each.benchmark.problem), std::to_string(each.matrix),
               fmt::format("{:.2f}", per_matrix(each, each.instructions)),
               ratio_text(per_matrix(each, each.waits)),
               fmt::format("{:.0f}", per_matrix(each, each.lds_moved)),
               fmt::format("{:.0f}", per_matrix(each, each.bytes))});
  }
  return has_any ? "\n" + table.text(colour) : std::string();
}

}  // namespace

double Counts::bytes_over_ideal() const {
  return static_cast<double>(bytes) /
         static_cast<double>(ideal_bytes(*benchmark.op, benchmark.problem));
}

double Counts::lines_over_ideal() const {
  return static_cast<double>(lines) * line_bytes / static_cast<double>(bytes);
}

Status run_once(const std::string& selector, const Benchmark& benchmark) try {
  const Device device = Device::open(selector);
  AMDMemoryManager memory(device, AMDConfig{});
  Kernels kernels(device);
  Trial trial(*benchmark.op, benchmark.problem, kernels, memory,
              initial_storage(*benchmark.op, benchmark.problem, 1));
  trial.submit();
  device.synchronize();
  return {};
} catch (const AMDBackendError& error) {
  return fail("cannot run on", selector, error.what(), error.details().advice);
}

Result<Counts> count_one(const std::string& device, const Benchmark& benchmark,
                         const OneRun& command) {
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  const std::filesystem::path report = scratch.path() / "report.json";
  HW_TRY(const Finished finished,
         run({.argv = command(benchmark), .environment = {{"HIPWRIGHT_SOFT_REPORT", report}}}));
  const std::string what = to_string(*benchmark.op, benchmark.problem);
  if (!finished.ok()) return fail("cannot count", what, finished.err);
  HW_TRY(const std::string text, read_file(report));
  HW_TRY(const Json json, parse_json(text, report.string()));
  HW_TRY(const JsonField kernels, JsonField(json, what).at("kernels"));
  HW_TRY(const auto list, kernels.items());
  if (list.empty()) return fail("cannot count", what, "no kernel ran");
  Counts counts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    HW_TRY(Counts each, read_kernel(list[i], benchmark));
    HW_TRY(each.spills, spills_of(benchmark, device, each.kernel));
    counts = i == 0 ? each : sum_of(counts, each);
  }
  return counts;
}

std::string text_of(const std::vector<Counts>& counts, bool colour) {
  Table table({"operation", ">bytes", ">lines", ">LDS conflicts", ">instructions", ">waits",
               ">VGPRs", ">LDS", ">spills", ">waves/SIMD"});
  for (const Counts& each : counts)
    table.add({to_string(*each.benchmark.op, each.benchmark.problem),
               ratio_text(each.bytes_over_ideal()), ratio_text(each.lines_over_ideal()),
               std::to_string(each.lds_conflicts), std::to_string(each.instructions),
               std::to_string(each.waits), std::to_string(each.vgprs),
               std::to_string(each.lds_bytes), std::to_string(each.spills),
               fmt::format("{:g} of {}", each.waves_per_simd, each.max_waves_per_simd)});
  return table.text(colour) + matrix_text(counts, colour);
}

Json json_of(const std::vector<Counts>& counts) {
  Json results = Json::array();
  for (const Counts& each : counts)
    results.push_back({{"problem", to_string(*each.benchmark.op, each.benchmark.problem)},
                       {"kernel", each.kernel},
                       {"global_bytes", each.bytes},
                       {"ideal_bytes", ideal_bytes(*each.benchmark.op, each.benchmark.problem)},
                       {"bytes_over_ideal", each.bytes_over_ideal()},
                       {"accesses", each.accesses},
                       {"lines", each.lines},
                       {"lines_over_ideal", each.lines_over_ideal()},
                       {"lds_bank_conflicts", each.lds_conflicts},
                       {"lds_passes", each.lds_passes},
                       {"instructions", each.instructions},
                       {"waits", each.waits},
                       {"matrix_instructions", each.matrix},
                       {"lds_bytes_moved", each.lds_moved},
                       {"vgprs", each.vgprs},
                       {"lds_bytes", each.lds_bytes},
                       {"spills", each.spills},
                       {"waves_per_simd", each.waves_per_simd},
                       {"max_waves_per_simd", each.max_waves_per_simd}});
  return results;
}

}  // namespace hipwright::kernels
