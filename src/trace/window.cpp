// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "base/counted.h"
#include "trace/trace.h"

namespace hipwright::trace {

namespace {

template <class Event>
Nanoseconds first_begin(const std::vector<Event>& events, Nanoseconds before) {
  for (const Event& event : events) before = std::min(before, event.time.begin);
  return before;
}

// The first and the last begin.
Interval begins_of(const std::vector<GpuEvent>& events) {
  Interval all{kLatest, 0};
  for (const GpuEvent& event : events)
    all = {std::min(all.begin, event.time.begin), std::max(all.end, event.time.begin)};
  return all;
}

template <class Event>
void keep_between(std::vector<Event>& events, Nanoseconds from, Nanoseconds to) {
  std::erase_if(
      events, [&](const Event& event) { return event.time.end < from || event.time.begin >= to; });
}

// The first of the calls that launched what is left on the GPU, or `from`.
Nanoseconds first_launch(const Trace& trace, Nanoseconds from) {
  std::unordered_set<std::int64_t> launched;
  for (const GpuEvent& event : trace.gpu)
    if (event.correlation >= 0) launched.insert(event.correlation);
  for (const HostCall& call : trace.calls)
    if (launched.contains(call.correlation)) from = std::min(from, call.time.begin);
  return from;
}

}  // namespace

Status keep_window(Trace& trace, const Window& window) {
  const Nanoseconds zero =
      first_begin(trace.gpu, first_begin(trace.calls, first_begin(trace.ops, kLatest)));
  const std::size_t all = trace.gpu.size();
  const Nanoseconds to = window.to == kLatest ? kLatest : zero + window.to;
  const Interval begins = begins_of(trace.gpu);
  std::erase_if(trace.gpu, [&](const GpuEvent& event) {
    return event.time.begin < zero + window.from || event.time.begin >= to;
  });
  if (trace.gpu.empty())
    return fail("cannot cut the trace", trace.file, "no GPU event begins in the window",
                all == 0 ? "It has none."
                         : fmt::format("They begin {:.6f} to {:.6f} s after the first event.",
                                       static_cast<double>(begins.begin - zero) * 1e-9,
                                       static_cast<double>(begins.end - zero) * 1e-9));
  const Nanoseconds from = first_launch(trace, zero + window.from);
  keep_between(trace.calls, from, to);
  keep_between(trace.ops, from, to);
  trace.notes.push_back(fmt::format("only a window of the trace: {} of {}", trace.gpu.size(),
                                    counted(all, "GPU event")));
  return {};
}

}  // namespace hipwright::trace
