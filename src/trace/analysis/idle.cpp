// SPDX-License-Identifier: MIT
#include "trace/analysis/idle.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/words.h"

namespace hipwright::trace {

namespace {

constexpr std::size_t kNamedStalls = 200;  // the longest; naming one costs a search

Nanoseconds shared(const Interval& a, const Interval& b) {
  return std::max<Nanoseconds>(0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

// What the host did for most of an interval: the shortest call or operation that covers at least
// half of it.
class HostWork {
 public:
  explicit HostWork(const Trace& trace) : trace_(trace) {}

  struct Found {
    std::string name;
    bool is_sync = false;
  };
  Found during(const Interval& time, std::uint32_t thread) const {
    Found found;
    Nanoseconds shortest = 0;
    const auto consider = [&](const Interval& other, const std::string& name, bool is_sync) {
      if (2 * shared(time, other) < time.length()) return;
      if (!found.name.empty() && other.length() >= shortest) return;
      shortest = other.length();
      found = {name, is_sync};
    };
    for (const HostCall& call : trace_.calls) {
      if (call.time.begin >= time.end) break;
      if (call.thread == thread)
        consider(call.time, trace_.text(call.name), is_synchronisation(trace_.text(call.name)));
    }
    if (!found.name.empty()) return found;
    for (const Op& op : trace_.ops)
      if (op.thread == thread && op.time.begin < time.end && op.time.end > time.begin &&
          !op.is_annotation)
        consider(op.time, trace_.text(op.name),
                 is_any(trace_.text(op.name),
                        {"aten::item", "aten::_local_scalar_dense", "aten::nonzero"}));
    return found;
  }

 private:
  const Trace& trace_;
};

std::string what_follows(const Trace& trace, const Gap& gap) {
  const GpuEvent& next = trace.gpu[gap.next];
  std::uint32_t op = next.op;
  while (op != kNone && trace.ops[op].is_annotation) op = trace.ops[op].parent;
  const std::string name =
      op == kNone ? short_name(trace.text(next.name)) : trace.text(trace.ops[op].name);
  return "host work before " + name;
}

void add_stalls(const Trace& trace, std::vector<const Gap*> gaps, Summary& summary) {
  std::ranges::sort(gaps, std::ranges::greater(), &Gap::host);
  const HostWork work(trace);
  std::map<std::string, Stall> by_cause;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const Gap& gap = *gaps[i];
    Stall stall;
    if (!gap.knows_call) {
      stall.cause = "not known: no host call for what follows";
      stall.is_known = false;
    } else if (i >= kNamedStalls) {
      stall.cause = "shorter stalls";
    } else {
      const HostCall& call = trace.calls[trace.gpu[gap.next].call];
      const HostWork::Found found =
          work.during({gap.time.begin, gap.time.begin + gap.host()}, call.thread);
      stall.is_sync = found.is_sync;
      stall.cause = found.name.empty() ? what_follows(trace, gap) : found.name;
    }
    Stall& sum = by_cause[stall.cause];
    sum.cause = stall.cause;
    sum.is_sync |= stall.is_sync;
    sum.is_known = stall.is_known;
    sum.time += gap.host();
    ++sum.gaps;
  }
  for (auto& [cause, stall] : by_cause) summary.stalls.push_back(std::move(stall));
  std::ranges::stable_sort(summary.stalls, std::ranges::greater(), &Stall::time);
}

void add_gaps(const Trace& trace, Summary& summary) {
  std::vector<const Gap*> stalls;
  for (const DeviceTime& device : summary.devices) {
    summary.idle.total += device.idle();
    for (const Gap& gap : device.gaps) {
      const Nanoseconds length = gap.time.length();
      const bool is_large = length >= kLargeGap;
      (is_large ? summary.idle.large : summary.idle.small) += length;
      ++(is_large ? summary.idle.large_gaps : summary.idle.small_gaps);
      if (!gap.knows_call) {
        summary.idle.unknown += length;
      } else {
        summary.idle.launch += gap.launch;
        summary.idle.host += gap.host();
        const HostCall& call = trace.calls[trace.gpu[gap.next].call];
        if (gap.host() == 0 && is_graph_launch(trace.text(call.name)))
          summary.idle.in_graph += gap.launch;
      }
      if (gap.host() >= kLargeGap) stalls.push_back(&gap);
    }
  }
  add_stalls(trace, std::move(stalls), summary);
}

void add_calls(const Trace& trace, Summary& summary) {
  std::map<std::string, Synchronisation> syncs;
  for (const HostCall& call : trace.calls) {
    const std::string& name = trace.text(call.name);
    if (is_launch(name)) {
      ++summary.launches.calls;
      summary.launches.call_time += call.time.length();
      summary.launches.graph_calls += is_graph_launch(name) ? 1 : 0;
    }
    if (!is_synchronisation(name)) continue;
    Synchronisation& sync = syncs[name];
    sync.name = name;
    ++sync.count;
    sync.time += call.time.length();
  }
  for (auto& [name, sync] : syncs) summary.syncs.push_back(std::move(sync));
  std::ranges::stable_sort(summary.syncs, std::ranges::greater(), &Synchronisation::time);
  for (const GpuEvent& event : trace.gpu)
    if (event.call != kNone && event.kind == GpuKind::kKernel &&
        is_graph_launch(trace.text(trace.calls[event.call].name))) {
      ++summary.launches.graph_kernels;
      summary.launches.graph_time += event.time.length();
    }
}

}  // namespace

bool is_launch(std::string_view call) {
  return call.find("Launch") != std::string_view::npos &&
         call.find("LaunchHost") == std::string_view::npos;
}

bool is_graph_launch(std::string_view call) {
  return call.find("GraphLaunch") != std::string_view::npos;
}

bool is_synchronisation(std::string_view call) {
  return call.find("Synchronize") != std::string_view::npos ||
         is_any(call, {"hipMemcpy", "cudaMemcpy", "hipMemcpyWithStream", "hipMemcpyDtoH",
                       "cuMemcpyDtoH_v2"});
}

void add_idle(const Trace& trace, Summary& summary) {
  add_gaps(trace, summary);
  add_calls(trace, summary);
}

}  // namespace hipwright::trace
