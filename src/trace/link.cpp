// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/counted.h"
#include "trace/trace.h"

namespace hipwright::trace {

namespace {

template <class Event>
void sort_by_begin(std::vector<Event>& events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time.begin < b.time.begin; });
}

void nest(std::vector<Op>& ops) {
  std::stable_sort(ops.begin(), ops.end(), [](const Op& a, const Op& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    if (a.time.begin != b.time.begin) return a.time.begin < b.time.begin;
    return a.time.end > b.time.end;
  });
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    while (!open.empty() && (ops[open.back()].thread != ops[i].thread ||
                             ops[open.back()].time.end <= ops[i].time.begin))
      open.pop_back();
    ops[i].parent = open.empty() ? kNone : open.back();
    open.push_back(i);
  }
}

// The innermost operation of a thread that is open at a moment.
class OpsInTime {
 public:
  explicit OpsInTime(const std::vector<Op>& ops) : ops_(ops) {}

  std::uint32_t at(std::uint32_t thread, Nanoseconds moment) const {
    const auto after = std::partition_point(ops_.begin(), ops_.end(), [&](const Op& op) {
      return op.thread != thread ? op.thread < thread : op.time.begin <= moment;
    });
    if (after == ops_.begin()) return kNone;
    auto index = static_cast<std::uint32_t>(after - ops_.begin() - 1);
    if (ops_[index].thread != thread) return kNone;
    while (index != kNone && ops_[index].time.end <= moment) index = ops_[index].parent;
    return index;
  }

 private:
  const std::vector<Op>& ops_;
};

std::unordered_map<std::int64_t, std::uint32_t> ops_by_number(const std::vector<Op>& ops) {
  std::unordered_map<std::int64_t, std::uint32_t> map;
  for (std::uint32_t i = 0; i < ops.size(); ++i)
    if (ops[i].external >= 0) map.insert_or_assign(ops[i].external, i);
  return map;
}

// Clocks that were not set, or damage: events of one run lie within days of each other.
template <class Event>
std::size_t drop_far(std::vector<Event>& events, Nanoseconds centre) {
  constexpr Nanoseconds kDays = 30LL * 86'400'000'000'000;
  return std::erase_if(events, [&](const Event& event) {
    return event.time.begin < centre - kDays || event.time.begin > centre + kDays;
  });
}

void drop_far_events(Trace& trace) {
  const Nanoseconds centre = !trace.gpu.empty()     ? trace.gpu[trace.gpu.size() / 2].time.begin
                             : !trace.calls.empty() ? trace.calls[trace.calls.size() / 2].time.begin
                                                    : trace.ops[trace.ops.size() / 2].time.begin;
  const std::size_t dropped =
      drop_far(trace.gpu, centre) + drop_far(trace.calls, centre) + drop_far(trace.ops, centre);
  if (dropped == 0) return;
  trace.notes.push_back(
      fmt::format("omitted {} more than 30 days from the others", counted(dropped, "event")));
  trace.is_complete = false;
}

// One sentence per kind of connection that the file does not have.
void note_gaps(Trace& trace) {
  if (trace.gpu.empty()) return;
  std::size_t without_call = 0, without_op = 0;
  for (const GpuEvent& event : trace.gpu) {
    without_call += event.call == kNone ? 1 : 0;
    without_op += event.op == kNone ? 1 : 0;
  }
  const std::size_t all = trace.gpu.size();
  if (trace.calls.empty())
    trace.notes.push_back("no host calls: launch overhead and host stalls are not known");
  else if (without_call > 0)
    trace.notes.push_back(fmt::format("{} of {} have no host call with their correlation id",
                                      without_call, counted(all, "GPU event")));
  if (trace.ops.empty())
    trace.notes.push_back("no framework operations: no shapes, no FLOP/s, no operation names");
  else if (without_op > 0)
    trace.notes.push_back(fmt::format("{} of {} belong to no framework operation", without_op,
                                      counted(all, "GPU event")));
}

}  // namespace

void link(Trace& trace) {
  sort_by_begin(trace.gpu);
  sort_by_begin(trace.calls);
  if (!trace.gpu.empty() || !trace.calls.empty() || !trace.ops.empty()) drop_far_events(trace);
  nest(trace.ops);
  const OpsInTime in_time(trace.ops);
  const auto by_number = ops_by_number(trace.ops);
  const auto numbered = [&](std::int64_t external) {
    const auto found = external < 0 ? by_number.end() : by_number.find(external);
    return found == by_number.end() ? kNone : found->second;
  };
  std::unordered_map<std::int64_t, std::uint32_t> call_of;
  for (std::uint32_t i = 0; i < trace.calls.size(); ++i) {
    HostCall& call = trace.calls[i];
    call.op = in_time.at(call.thread, call.time.begin);
    if (call.op == kNone) call.op = numbered(call.external);
    // Of calls with one number the last counts: it is the one that launches.
    if (call.correlation >= 0) call_of.insert_or_assign(call.correlation, i);
  }
  for (GpuEvent& event : trace.gpu) {
    if (const auto call = call_of.find(event.correlation);
        event.correlation >= 0 && call != call_of.end())
      event.call = call->second;
    event.op = numbered(event.external);
    if (event.op == kNone && event.call != kNone) event.op = trace.calls[event.call].op;
  }
  note_gaps(trace);
}

}  // namespace hipwright::trace
