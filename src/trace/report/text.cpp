// SPDX-License-Identifier: MIT
#include "trace/report/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/table.h"
#include "base/terminal.h"

namespace hipwright::trace {

namespace {

constexpr std::size_t kBar = 20;

double real(Nanoseconds time) {
  return static_cast<double>(time);
}

class Writer {
 public:
  Writer(const Trace& trace, const Summary& summary, const TextOptions& options)
      : trace_(trace), summary_(summary), options_(options) {}

  std::string text(const std::vector<Advice>& advice) {
    head();
    if (summary_.events > 0) {
      categories();
      idle();
      streams();
      kernels();
      ops();
      histogram();
    }
    host_ops();
    show_advice(advice);
    return std::move(out_);
  }

 private:
  void title(std::string_view text) {
    out_ += "\n" + paint(text, Colour::kBold, options_.colour) + "\n";
  }
  void line(std::string_view text) { out_ += fmt::format("{}\n", text); }

  std::string name_of(std::uint32_t name) const {
    return options_.whole_names ? trace_.text(name) : short_name(trace_.text(name));
  }

  void head() {
    line(fmt::format("{}: {}", summary_.file, summary_.format));
    if (summary_.rank >= 0)
      line(fmt::format("rank {} of {}", summary_.rank,
                       std::max(summary_.world_size, summary_.rank + 1)));
    for (std::size_t i = 0; i < summary_.devices.size(); ++i) {
      const DeviceTime& device = summary_.devices[i];
      line(fmt::format(
          "device {}: {}; span {}, busy {} ({}), idle {}", device.device, summary_.device_names[i],
          time_text(device.span.length()), time_text(device.busy),
          percent(real(device.busy), real(device.span.length())), time_text(device.idle())));
    }
    for (const std::string& note : summary_.notes)
      line(paint("note: " + note, Colour::kDim, options_.colour));
  }

  void categories() {
    title("GPU time by category");
    Table table({"category", ">events", ">time", ">of busy", "", ">overlapped"});
    std::vector<Category> order(all_categories().begin(), all_categories().end());
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](Category c) { return summary_.exclusive(c); });
    for (const Category category : order) {
      const CategoryTime& time = summary_.of(category);
      if (time.events == 0) continue;
      table.add({std::string(title_of(category)), std::to_string(time.events),
                 time_text(time.exclusive), percent(real(time.exclusive), real(summary_.busy)),
                 bar_text(real(time.exclusive) / std::max(real(summary_.busy), 1.0), kBar),
                 time.sum > time.exclusive ? time_text(time.sum - time.exclusive) : "-"});
    }
    table.add({"busy", std::to_string(summary_.events), time_text(summary_.busy),
               percent(real(summary_.busy), real(summary_.busy)), "", ""});
    out_ += table.text(options_.colour);
    groups();
    for (const Category category : {Category::kCommunication, Category::kCopy}) {
      const CategoryTime& time = summary_.of(category);
      if (time.events > 0)
        line(fmt::format("exposed {}: {} of {} ({} of the span)", title_of(category),
                         time_text(time.exclusive), time_text(time.sum),
                         percent(real(time.exclusive), real(summary_.span))));
    }
  }

  // The breakdown that decides what to work on, of the whole span.
  void groups() {
    std::string text = "of the span: ";
    for (const Group group :
         {Group::kGemm, Group::kAttention, Group::kElementwise, Group::kOther}) {
      Nanoseconds time = 0;
      for (const Category category : all_categories())
        if (group_of(category) == group) time += summary_.exclusive(category);
      text += fmt::format("{} {}, ", title_of(group), percent(real(time), real(summary_.span)));
    }
    const Idle& idle = summary_.idle;
    text += fmt::format("launch overhead {}, other idle {}",
                        percent(real(idle.launch), real(summary_.span)),
                        percent(real(idle.total - idle.launch), real(summary_.span)));
    line(text);
  }

  void idle() {
    const Idle& idle = summary_.idle;
    if (idle.total == 0) return;
    title("Idle time of the GPU");
    Table table({"", ">time", ">of span", ">gaps"});
    const auto row = [&](const char* what, Nanoseconds time, std::string gaps) {
      if (time > 0)
        table.add(
            {what, time_text(time), percent(real(time), real(summary_.span)), std::move(gaps)});
    };
    row("launch overhead", idle.launch, "");
    row("  between kernels of one graph launch", idle.in_graph, "");
    row("the host had not launched yet", idle.host, "");
    row("cause not known (no host call)", idle.unknown, "");
    row("in gaps shorter than 100 µs", idle.small, std::to_string(idle.small_gaps));
    row("in gaps of 100 µs and more", idle.large, std::to_string(idle.large_gaps));
    out_ += table.text(options_.colour);
    if (summary_.launches.calls > 0)
      line(fmt::format("{}, {} on the host; {} of {} ran under {}",
                       counted(summary_.launches.calls, "launch call"),
                       time_text(summary_.launches.call_time), summary_.launches.graph_kernels,
                       counted(summary_.kernel_events, "kernel"),
                       summary_.launches.graph_calls == 1
                           ? "1 graph launch"
                           : fmt::format("{} graph launches", summary_.launches.graph_calls)));
    for (std::size_t i = 0; i < std::min<std::size_t>(summary_.stalls.size(), 5); ++i) {
      const Stall& stall = summary_.stalls[i];
      line(fmt::format("host stall: {} in {}: {}{}", time_text(stall.time),
                       counted(stall.gaps, "gap"), stall.cause,
                       stall.is_sync ? " (waits for the GPU)" : ""));
    }
  }

  void streams() {
    std::size_t count = 0;
    for (const DeviceTime& device : summary_.devices) count += device.streams.size();
    if (count < 2) return;
    title("Streams");
    Table table({"device", "stream", ">events", ">busy", ">of span", ">with others"});
    std::vector<std::pair<std::int64_t, StreamTime>> streams;
    for (const DeviceTime& device : summary_.devices)
      for (const StreamTime& stream : device.streams) streams.emplace_back(device.device, stream);
    std::ranges::stable_sort(streams, std::ranges::greater(),
                             [](const auto& each) { return each.second.busy; });
    for (std::size_t i = 0; i < std::min(options_.rows, streams.size()); ++i) {
      const auto& [device, stream] = streams[i];
      table.add({std::to_string(device), std::to_string(trace_.streams[stream.stream].number),
                 std::to_string(stream.events), time_text(stream.busy),
                 percent(real(stream.busy), real(summary_.span)), time_text(stream.overlap)});
    }
    out_ += table.text(options_.colour);
    if (streams.size() > options_.rows)
      line(fmt::format("… {} more", streams.size() - options_.rows));
  }

  void kernels() {
    title("Kernels");
    Nanoseconds all = 0;
    for (const KernelUse& kernel : summary_.kernels) all += kernel.sum;
    Table table({">time", ">share", ">count", ">average", "category", "kernel"});
    for (std::size_t i = 0; i < std::min(options_.rows, summary_.kernels.size()); ++i) {
      const KernelUse& kernel = summary_.kernels[i];
      table.add({time_text(kernel.sum), percent(real(kernel.sum), real(all)),
                 std::to_string(kernel.count),
                 time_text(kernel.sum / static_cast<Nanoseconds>(kernel.count)),
                 std::string(title_of(kernel.category)), name_of(kernel.name)});
    }
    out_ += table.text(options_.colour);
    if (summary_.kernels.size() > options_.rows)
      line(fmt::format("… {} more", summary_.kernels.size() - options_.rows));
  }

  void ops() {
    if (summary_.ops.empty()) return;
    title("Operations");
    Table table({">GPU time", ">calls", ">TFLOP/s", ">TB/s", ">of roof", "operation", "shapes"});
    for (std::size_t i = 0; i < std::min(options_.rows, summary_.ops.size()); ++i) {
      const OpUse& op = summary_.ops[i];
      table.add({time_text(op.gpu), std::to_string(op.calls),
                 op.work && op.work->flops > 0
                     ? fmt::format("{:.1f}", op.flops_per_second() * 1e-12)
                     : "-",
                 op.work ? fmt::format("{:.2f}", op.bytes_per_second() * 1e-12) : "-",
                 op.roofline ? fmt::format("{:.0f}% {}", *op.roofline * 100,
                                           op.is_memory_bound ? "memory" : "compute")
                             : "-",
                 trace_.text(op.name), shapes_text(trace_, op)});
    }
    out_ += table.text(options_.colour);
    if (summary_.peaks && !summary_.peaks->is_empty())
      line(fmt::format("roof: {} ({})", peaks_text(), summary_.peaks->source));
  }

  void host_ops() {
    if (summary_.host_ops.empty()) return;
    title("Operations on the host");
    Nanoseconds all = 0;
    for (const HostOp& op : summary_.host_ops) all += op.self;
    Table table({">own time", ">share", ">calls", "operation", "shapes"});
    for (std::size_t i = 0; i < std::min(options_.rows, summary_.host_ops.size()); ++i) {
      const HostOp& op = summary_.host_ops[i];
      table.add({time_text(op.self), percent(real(op.self), real(all)), std::to_string(op.calls),
                 trace_.text(op.name),
                 shapes_text(trace_, {.shapes = op.shapes, .types = op.types})});
    }
    out_ += table.text(options_.colour);
    if (summary_.host_ops.size() > options_.rows)
      line(fmt::format("… {} more", summary_.host_ops.size() - options_.rows));
  }

  std::string peaks_text() const {
    std::string text = summary_.peaks->device;
    const auto add = [&](const char* name, const std::optional<double>& value, double unit,
                         const char* of) {
      if (value) text += fmt::format(", {} {:.5g} {}", name, *value / unit, of);
    };
    add("bf16", summary_.peaks->bf16, 1e12, "TFLOP/s");
    add("fp32", summary_.peaks->fp32, 1e12, "TFLOP/s");
    add("memory", summary_.peaks->bandwidth, 1e12, "TB/s");
    return text;
  }

  void histogram() {
    title("Kernels by duration");
    Table table({"duration", ">kernels", ">time", ">share of time", ""});
    std::size_t most = 1;
    Nanoseconds all = 0;
    for (const HistogramBin& bin : summary_.histogram)
      most = std::max(most, bin.count), all += bin.time;
    for (const HistogramBin& bin : summary_.histogram) {
      if (bin.count == 0) continue;
      table.add({bin.to == 0 ? fmt::format("from {} µs", bin.from / 1000)
                             : fmt::format("{} to {} µs", bin.from / 1000, bin.to / 1000),
                 std::to_string(bin.count), time_text(bin.time), percent(real(bin.time), real(all)),
                 bar_text(real(static_cast<Nanoseconds>(bin.count)) /
                              real(static_cast<Nanoseconds>(most)),
                          kBar)});
    }
    out_ += table.text(options_.colour);
  }

  void show_advice(const std::vector<Advice>& advice) {
    title("What to do");
    if (advice.empty()) return line(why_no_advice(summary_));
    for (std::size_t i = 0; i < advice.size(); ++i) {
      const Advice& each = advice[i];
      line(fmt::format("{}. {} (saves at most {}, {} of the span: {:.2f}x)", i + 1, each.title,
                       time_text(each.bound), percent(real(each.bound), real(summary_.span)),
                       each.speedup));
      line("   " + each.figures);
      for (const std::string& kernel : each.evidence) line("     " + kernel);
      line("   Next: " + each.next);
    }
  }

  const Trace& trace_;
  const Summary& summary_;
  const TextOptions& options_;
  std::string out_;
};

}  // namespace

std::string summary_text(const Trace& trace, const Summary& summary,
                         const std::vector<Advice>& advice, const TextOptions& options) {
  return Writer(trace, summary, options).text(advice);
}

}  // namespace hipwright::trace
