// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/json.h"
#include "trace/report/text.h"

namespace hipwright::trace {

namespace {

// Times are microseconds, exact to the nanosecond.
double us(Nanoseconds time) {
  return static_cast<double>(time) / 1000;
}

double share(Nanoseconds part, Nanoseconds whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Json categories_json(const std::array<CategoryTime, kCategories>& times, Nanoseconds busy) {
  Json out = Json::object();
  for (const Category category : all_categories()) {
    const CategoryTime& time = times[static_cast<std::size_t>(category)];
    if (time.events == 0) continue;
    out[std::string(key_of(category))] = {{"events", time.events},
                                          {"exclusive_us", us(time.exclusive)},
                                          {"sum_us", us(time.sum)},
                                          {"share", share(time.exclusive, busy)}};
  }
  return out;
}

Json devices_json(const Trace& trace, const Summary& summary) {
  Json out = Json::array();
  for (std::size_t i = 0; i < summary.devices.size(); ++i) {
    const DeviceTime& device = summary.devices[i];
    Json streams = Json::array();
    for (const StreamTime& stream : device.streams)
      streams.push_back({{"stream", trace.streams[stream.stream].number},
                         {"events", stream.events},
                         {"busy_us", us(stream.busy)},
                         {"overlap_us", us(stream.overlap)}});
    out.push_back({{"device", device.device},
                   {"name", summary.device_names[i]},
                   {"span_us", us(device.span.length())},
                   {"busy_us", us(device.busy)},
                   {"idle_us", us(device.idle())},
                   {"categories", categories_json(device.categories, device.busy)},
                   {"streams", streams}});
  }
  return out;
}

Json idle_json(const Summary& summary) {
  const Idle& idle = summary.idle;
  Json stalls = Json::array(), syncs = Json::array();
  for (const Stall& stall : summary.stalls)
    stalls.push_back({{"cause", stall.cause},
                      {"gaps", stall.gaps},
                      {"time_us", us(stall.time)},
                      {"waits_for_gpu", stall.is_sync}});
  for (const Synchronisation& sync : summary.syncs)
    syncs.push_back({{"call", sync.name}, {"count", sync.count}, {"time_us", us(sync.time)}});
  return {{"total_us", us(idle.total)},
          {"launch_overhead_us", us(idle.launch)},
          {"launch_overhead_share", share(idle.launch, summary.span)},
          {"within_graph_us", us(idle.in_graph)},
          {"host_us", us(idle.host)},
          {"unknown_us", us(idle.unknown)},
          {"small_gaps", {{"count", idle.small_gaps}, {"time_us", us(idle.small)}}},
          {"large_gaps", {{"count", idle.large_gaps}, {"time_us", us(idle.large)}}},
          {"host_stalls", stalls},
          {"synchronisations", syncs}};
}

Json kernels_json(const Trace& trace, const Summary& summary) {
  Json out = Json::array();
  for (const KernelUse& kernel : summary.kernels) {
    Json row = {{"name", trace.text(kernel.name)}, {"category", key_of(kernel.category)},
                {"count", kernel.count},           {"sum_us", us(kernel.sum)},
                {"min_us", us(kernel.shortest)},   {"max_us", us(kernel.longest)}};
    if (const auto tensile = parse_tensile(trace.text(kernel.name)))
      row["tensile"] = {{"macro_tile", {tensile->m, tensile->n, tensile->k}},
                        {"transpose_a", tensile->transposes_a},
                        {"transpose_b", tensile->transposes_b},
                        {"types", tensile->types}};
    out.push_back(std::move(row));
  }
  return out;
}

Json ops_json(const Trace& trace, const Summary& summary) {
  Json out = Json::array();
  for (const OpUse& op : summary.ops) {
    Json row = {{"name", trace.text(op.name)},
                {"shapes", parse_shapes(trace.text(op.shapes))},
                {"types", split_text(trace.text(op.types), ',')},
                {"calls", op.calls},
                {"kernels", op.kernels},
                {"gpu_us", us(op.gpu)},
                {"category", key_of(op.category)}};
    if (op.work) {
      if (op.work->flops > 0) row["tflops"] = op.flops_per_second() * 1e-12;
      row["tb_per_s"] = op.bytes_per_second() * 1e-12;
    }
    if (op.roofline) {
      row["of_roof"] = *op.roofline;
      row["bound_by"] = op.is_memory_bound ? "memory" : "compute";
    }
    out.push_back(std::move(row));
  }
  return out;
}

Json advice_json(const std::vector<Advice>& advice) {
  Json out = Json::array();
  for (const Advice& each : advice)
    out.push_back({{"code", each.code},
                   {"title", each.title},
                   {"step", each.step},
                   {"expected_us", us(each.expected)},
                   {"bound_us", us(each.bound)},
                   {"speedup_bound", each.speedup},
                   {"figures", each.figures},
                   {"evidence", each.evidence},
                   {"next", each.next}});
  return out;
}

std::string csv_cell(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

Json summary_json(const Trace& trace, const Summary& summary, const std::vector<Advice>& advice) {
  Json histogram = Json::array();
  for (const HistogramBin& bin : summary.histogram)
    histogram.push_back({{"from_us", us(bin.from)},
                         {"to_us", bin.to == 0 ? Json() : Json(us(bin.to))},
                         {"kernels", bin.count},
                         {"time_us", us(bin.time)}});
  Json out = {{"file", summary.file},
              {"format", summary.format},
              {"complete", summary.is_complete},
              {"notes", summary.notes}};
  if (summary.rank >= 0) out["rank"] = summary.rank;
  out["device"] = summary.device;
  out["span_us"] = us(summary.span);
  out["busy_us"] = us(summary.busy);
  out["events"] = summary.events;
  out["kernels_run"] = summary.kernel_events;
  out["uncategorised_share"] = share(summary.exclusive(Category::kOther), summary.busy);
  out["exposed_communication_us"] = us(summary.exclusive(Category::kCommunication));
  out["exposed_copies_us"] = us(summary.exclusive(Category::kCopy));
  out["categories"] = categories_json(summary.categories, summary.busy);
  out["idle"] = idle_json(summary);
  const Launches& launches = summary.launches;
  out["launches"] = {{"calls", launches.calls},
                     {"call_time_us", us(launches.call_time)},
                     {"graph_launches", launches.graph_calls},
                     {"kernels_in_graphs", launches.graph_kernels},
                     {"time_in_graphs_us", us(launches.graph_time)}};
  out["devices"] = devices_json(trace, summary);
  out["advice"] = advice_json(advice);
  out["kernels"] = kernels_json(trace, summary);
  out["operations"] = ops_json(trace, summary);
  for (const HostOp& op : summary.host_ops)
    out["host_operations"].push_back(
        {{"name", trace.text(op.name)},
         {"shapes", shapes_text(trace, {.shapes = op.shapes, .types = op.types})},
         {"calls", op.calls},
         {"own_us", static_cast<double>(op.self) / 1000}});
  out["durations"] = histogram;
  return out;
}

std::string kernels_csv(const Trace& trace, const Summary& summary) {
  std::string out = "category,count,sum_us,average_us,min_us,max_us,name\n";
  for (const KernelUse& kernel : summary.kernels)
    out +=
        fmt::format("{},{},{:.3f},{:.3f},{:.3f},{:.3f},{}\n", key_of(kernel.category), kernel.count,
                    us(kernel.sum), us(kernel.sum) / static_cast<double>(kernel.count),
                    us(kernel.shortest), us(kernel.longest), csv_cell(trace.text(kernel.name)));
  return out;
}

}  // namespace hipwright::trace
