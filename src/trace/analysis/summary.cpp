// SPDX-License-Identifier: MIT
#include "trace/analysis/summary.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "base/words.h"
#include "trace/analysis/host_ops.h"
#include "trace/analysis/idle.h"

namespace hipwright::trace {

namespace {

std::string device_name(const Trace& trace, std::int64_t number, std::optional<Peaks>& peaks) {
  auto found = std::ranges::find(trace.devices, number, &Device::id);
  // A profiler that saw one kind of device may number it otherwise.
  if (found == trace.devices.end() && !trace.devices.empty()) found = trace.devices.begin();
  if (found == trace.devices.end()) return fmt::format("GPU {}", number);
  peaks = peaks_of(*found);
  if (!found->name.empty()) return found->name;
  if (peaks) return peaks->device + " (by its properties)";
  return found->gfx.empty() ? fmt::format("GPU {}", number) : found->gfx;
}

void count_kernels(const Trace& trace, const std::vector<Category>& categories, Summary& summary) {
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::size_t i = 0; i < trace.gpu.size(); ++i) {
    const GpuEvent& event = trace.gpu[i];
    const Nanoseconds length = event.time.length();
    const std::uint64_t key = std::uint64_t{event.name} << 2 | static_cast<unsigned>(event.kind);
    const auto [place, is_new] = places.emplace(key, summary.kernels.size());
    if (is_new)
      summary.kernels.push_back(
          {.name = event.name, .category = categories[i], .kind = event.kind, .shortest = length});
    KernelUse& use = summary.kernels[place->second];
    ++use.count;
    use.sum += length;
    use.shortest = std::min(use.shortest, length);
    use.longest = std::max(use.longest, length);
    if (event.kind != GpuKind::kKernel) continue;
    ++summary.kernel_events;
    for (HistogramBin& bin : summary.histogram)
      if (length >= bin.from && (bin.to == 0 || length < bin.to)) ++bin.count, bin.time += length;
  }
  std::ranges::stable_sort(summary.kernels, std::ranges::greater(), &KernelUse::sum);
}

// The operation that a kernel is counted for: the innermost one whose work is known; else the
// innermost.
class Owner {
 public:
  explicit Owner(const Trace& trace) : trace_(trace) {}

  std::uint32_t of(std::uint32_t op) {
    std::uint32_t plain = kNone;
    unsigned steps = 0;
    for (std::uint32_t at = op; at != kNone && steps < 8; at = trace_.ops[at].parent, ++steps) {
      if (trace_.ops[at].is_annotation) continue;
      if (plain == kNone) plain = at;
      if (has_work(trace_.ops[at])) return at;
    }
    return plain == kNone ? op : plain;
  }

 private:
  bool has_work(const Op& op) {
    if (op.shapes == 0) return false;
    const auto key = std::tuple(op.name, op.shapes, op.types, op.arguments);
    const auto [place, is_new] = known_.emplace(key, false);
    if (is_new) place->second = work_of(op_call(trace_, op)).has_value();
    return place->second;
  }

  const Trace& trace_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, bool> known_;
};

void roofline(const Trace& trace, const Summary& summary, OpUse& use) {
  if (!use.work || !summary.peaks || use.gpu == 0) return;
  const std::string& types = trace.text(use.types);
  const auto least = least_time(
      *use.work, use.gemm ? use.gemm->type : types.substr(0, types.find(',')), *summary.peaks);
  if (!least) return;
  use.is_memory_bound = least->is_memory_bound;
  use.roofline = least->seconds * static_cast<double>(use.calls) / use.seconds();
}

void count_ops(const Trace& trace, const std::vector<Category>& categories, Summary& summary) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Key, std::size_t> places;
  std::vector<std::uint32_t> counted(trace.ops.size(), 0);
  std::vector<std::map<std::uint32_t, std::pair<Nanoseconds, Category>>> kernels;
  Owner owner(trace);
  for (std::size_t i = 0; i < trace.gpu.size(); ++i) {
    const GpuEvent& event = trace.gpu[i];
    if (event.op == kNone) continue;
    const std::uint32_t index = owner.of(event.op);
    const Op& op = trace.ops[index];
    const auto [place, is_new] =
        places.emplace(Key{op.name, op.shapes, op.types, op.arguments}, summary.ops.size());
    if (is_new) {
      OpUse use{.name = op.name, .shapes = op.shapes, .types = op.types, .arguments = op.arguments};
      const OpCall call = op_call(trace, op);
      use.work = work_of(call);
      use.gemm = gemm_of(call);
      summary.ops.push_back(std::move(use));
      kernels.emplace_back();
    }
    OpUse& use = summary.ops[place->second];
    if (counted[index]++ == 0) ++use.calls;
    ++use.kernels;
    use.gpu += event.time.length();
    auto& kernel = kernels[place->second][event.name];
    kernel.first += event.time.length();
    kernel.second = categories[i];
  }
  for (std::size_t i = 0; i < summary.ops.size(); ++i) {
    OpUse& use = summary.ops[i];
    std::vector<std::tuple<Nanoseconds, std::uint32_t, Category>> sorted;
    for (const auto& [name, kernel] : kernels[i])
      sorted.emplace_back(kernel.first, name, kernel.second);
    std::ranges::sort(sorted, std::ranges::greater());
    use.category = std::get<2>(sorted.front());
    for (const auto& [time, name, category] : sorted)
      if (use.names.size() < 4) use.names.push_back(name);
    roofline(trace, summary, use);
  }
  std::ranges::stable_sort(summary.ops, std::ranges::greater(), &OpUse::gpu);
}

void add_devices(const Trace& trace, Summary& summary) {
  Nanoseconds most = -1;
  for (const DeviceTime& device : summary.devices) {
    std::optional<Peaks> peaks;
    summary.device_names.push_back(device_name(trace, device.device, peaks));
    summary.span += device.span.length();
    summary.busy += device.busy;
    for (std::size_t i = 0; i < kCategories; ++i) {
      summary.categories[i].events += device.categories[i].events;
      summary.categories[i].sum += device.categories[i].sum;
      summary.categories[i].exclusive += device.categories[i].exclusive;
    }
    if (device.busy <= most) continue;
    most = device.busy;
    summary.peaks = peaks;
    summary.device = summary.device_names.back();
  }
}

}  // namespace

OpCall op_call(const Trace& trace, const Op& op) {
  return {trace.text(op.name), parse_shapes(trace.text(op.shapes)),
          split_text(trace.text(op.types), ','), split_text(trace.text(op.arguments), '|')};
}

std::optional<LeastTime> least_time(const Work& work, std::string_view type, const Peaks& peaks) {
  LeastTime least{.seconds = peaks.bandwidth ? work.bytes / *peaks.bandwidth : 0};
  if (work.flops > 0) {
    const auto rate = peaks.rate(type);
    if (!rate) return std::nullopt;  // the roof of this type is not known
    if (work.flops / *rate > least.seconds) least = {work.flops / *rate, false};
  }
  if (least.seconds <= 0) return std::nullopt;
  return least;
}

double OpUse::flops_per_second() const {
  return work && gpu > 0 ? work->flops * static_cast<double>(calls) / seconds() : 0;
}

double OpUse::bytes_per_second() const {
  return work && gpu > 0 ? work->bytes * static_cast<double>(calls) / seconds() : 0;
}

Summary summarize(const Trace& trace) {
  Summary summary{.file = trace.file,
                  .format = trace.format,
                  .rank = trace.rank,
                  .world_size = trace.world_size,
                  .notes = trace.notes,
                  .is_complete = trace.is_complete};
  const std::vector<Category> categories = categories_of(trace);
  summary.devices = device_times(trace, categories);
  summary.events = trace.gpu.size();
  summary.has_calls = !trace.calls.empty();
  summary.has_ops = !trace.ops.empty();
  summary.has_shapes = std::ranges::any_of(trace.ops, [](const Op& op) { return op.shapes != 0; });
  add_devices(trace, summary);
  if ((!summary.peaks || summary.peaks->is_empty()) && !summary.devices.empty())
    summary.notes.push_back(
        fmt::format("no peak rates known for `{}`: no roofline", summary.device));
  if (trace.gpu.empty())
    summary.notes.push_back(trace.is_complete
                                ? "no GPU events: was the profiler told to record the GPU?"
                                : "no GPU events in the part that was read");
  constexpr Nanoseconds kBounds[] = {0,      1'000,  2'000,   5'000,     10'000,
                                     20'000, 50'000, 100'000, 1'000'000, 0};
  for (std::size_t i = 0; i + 1 < std::size(kBounds); ++i)
    summary.histogram.push_back({kBounds[i], kBounds[i + 1]});
  count_kernels(trace, categories, summary);
  count_ops(trace, categories, summary);
  add_idle(trace, summary);
  if (trace.gpu.empty()) add_host_ops(trace, summary);
  return summary;
}

}  // namespace hipwright::trace
