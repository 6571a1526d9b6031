// SPDX-License-Identifier: MIT
#include "runtime/profiler/trace.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "base/json.h"

namespace hipwright::runtime {

namespace {

enum Process { kHost = 1, kDevice = 2 };

struct Span {
  std::int64_t begin, end;
  const TraceRegion* region;
};

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Spans that nest, in the order of their begins.
struct Lane {
  std::vector<Span> spans;
  std::vector<std::int64_t> open;  // ends of those that the next one may lie in

  bool take(const Span& span) {
    while (!open.empty() && open.back() <= span.begin) open.pop_back();
    if (!open.empty() && open.back() < span.end) return false;
    open.push_back(span.end);
    spans.push_back(span);
    return true;
  }
};

std::vector<Lane> lanes_of(std::vector<Span> spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<Lane> lanes;
  for (const Span& span : spans) {
    const auto fits =
        std::find_if(lanes.begin(), lanes.end(), [&](Lane& lane) { return lane.take(span); });
    if (fits == lanes.end()) lanes.emplace_back().take(span);
  }
  return lanes;
}

class Writer {
 public:
  explicit Writer(const Trace& trace) : trace_(trace) {
    for (const std::string& name : trace.names) names_.push_back(quoted(name));
  }

  void metadata(const char* what, Process process, unsigned track, const std::string& value) {
    begin_event();
    fmt::format_to(out(), R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})",
                   what, static_cast<int>(process), track, quoted(value));
  }

  void track(Process process, const std::string& name, std::vector<Span> spans) {
    unsigned number = 0;
    for (const Lane& lane : lanes_of(std::move(spans))) {
      ++tracks_;
      metadata("thread_name", process, tracks_,
               ++number == 1 ? name : fmt::format("{} ({})", name, number));
      for (const Span& span : lane.spans) region(process, span);
    }
  }

  std::string finish() {
    return fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"device\":{},\"regions\":{},"
        "\"regions_left_out\":{}}},\"traceEvents\":[{}\n]}}\n",
        quoted(trace_.device), trace_.regions.size(), trace_.left_out, text_);
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }
  void begin_event() { text_ += text_.empty() ? "\n" : ",\n"; }

  void region(Process process, const Span& span) {
    begin_event();
    // Microseconds, with the nanoseconds behind the point.
    fmt::format_to(out(),
                   R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f})",
                   names_[span.region->name], process == kHost ? "host" : "device",
                   static_cast<int>(process), tracks_, static_cast<double>(span.begin) * 1e-3,
                   static_cast<double>(span.end - span.begin) * 1e-3);
    if (process == kHost && span.region->host_only)
      text_ += R"(,"args":{"device":"not measured: the stream was being captured"})";
    text_ += '}';
  }

  const Trace& trace_;
  std::vector<std::string> names_;
  std::string text_;
  unsigned tracks_ = 0;
};

}  // namespace

std::string trace_json(const Trace& trace) {
  std::map<std::uint32_t, std::vector<Span>> threads, streams;
  for (const TraceRegion& region : trace.regions) {
    threads[region.thread].push_back({region.host_begin, region.host_end, &region});
    if (!region.host_only)
      streams[region.stream].push_back({region.device_begin, region.device_end, &region});
  }
  Writer writer(trace);
  writer.metadata("process_name", kHost, 0, "host");
  writer.metadata("process_name", kDevice, 0, "device " + trace.device);
  for (auto& [thread, spans] : threads)
    writer.track(kHost, trace.threads[thread], std::move(spans));
  for (auto& [stream, spans] : streams)
    writer.track(kDevice, "stream " + trace.names[stream], std::move(spans));
  return writer.finish();
}

}  // namespace hipwright::runtime
