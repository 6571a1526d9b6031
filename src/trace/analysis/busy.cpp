// SPDX-License-Identifier: MIT
#include "trace/analysis/busy.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hipwright::trace {

namespace {

// Walks through the begins and ends of events in time order and knows what runs in between.
class Sweep {
 public:
  Sweep(const Trace& trace, const std::vector<Category>& categories, DeviceTime& device)
      : trace_(trace), categories_(categories), device_(device) {}

  void run(const std::vector<std::uint32_t>& events) {
    for (const std::uint32_t event : events) {
      const Interval& time = trace_.gpu[event].time;
      advance(time.begin);
      if (running_.empty() && time.begin > now_) gap(time.begin, event);
      now_ = std::max(now_, time.begin);
      if (time.length() > 0) running_.insert(key(event)), ends_.insert({time.end, event});
    }
    advance(device_.span.end);
  }

 private:
  using Key = std::tuple<unsigned, Nanoseconds, std::uint32_t>;
  Key key(std::uint32_t event) const {
    return {precedence_of(categories_[event]), trace_.gpu[event].time.begin, event};
  }

  // Up to `moment`, ending what ends before it.
  void advance(Nanoseconds moment) {
    while (!ends_.empty() && ends_.begin()->first <= moment) {
      const auto [end, event] = *ends_.begin();
      count(end);
      ends_.erase(ends_.begin());
      running_.erase(key(event));
    }
    if (!running_.empty()) count(moment);
  }

  void count(Nanoseconds until) {
    if (until <= now_) return;
    const std::uint32_t event = std::get<2>(*running_.begin());
    device_.categories[static_cast<std::size_t>(categories_[event])].exclusive += until - now_;
    device_.busy += until - now_;
    now_ = until;
  }

  void gap(Nanoseconds end, std::uint32_t next) {
    if (device_.span.begin >= end) return;
    Gap gap{.time = {now_, end}, .next = next};
    if (const std::uint32_t call = trace_.gpu[next].call; call != kNone) {
      gap.knows_call = true;
      gap.launch = end - std::clamp(trace_.calls[call].time.begin, gap.time.begin, end);
    }
    device_.gaps.push_back(gap);
  }

  const Trace& trace_;
  const std::vector<Category>& categories_;
  DeviceTime& device_;
  std::set<Key> running_;
  std::set<std::pair<Nanoseconds, std::uint32_t>> ends_;
  Nanoseconds now_ = device_.span.begin;
};

std::vector<Interval> merged(const std::vector<Interval>& sorted) {
  std::vector<Interval> out;
  for (const Interval& each : sorted)
    if (!out.empty() && each.begin <= out.back().end)
      out.back().end = std::max(out.back().end, each.end);
    else
      out.push_back(each);
  return out;
}

Nanoseconds total(const std::vector<Interval>& intervals) {
  Nanoseconds sum = 0;
  for (const Interval& each : intervals) sum += each.length();
  return sum;
}

Nanoseconds common(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  Nanoseconds sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum +=
        std::max<Nanoseconds>(0, std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin));
    (a[i].end < b[j].end ? i : j) += 1;
  }
  return sum;
}

void stream_times(const Trace& trace, const std::vector<std::uint32_t>& events,
                  DeviceTime& device) {
  std::map<std::uint32_t, std::vector<Interval>> by_stream;
  for (const std::uint32_t event : events)
    by_stream[trace.gpu[event].stream].push_back(trace.gpu[event].time);
  std::map<std::uint32_t, std::vector<Interval>> busy;
  for (const auto& [stream, intervals] : by_stream) busy[stream] = merged(intervals);
  for (const auto& [stream, intervals] : busy) {
    std::vector<Interval> others;
    if (busy.size() > 1)
      for (const auto& [other, theirs] : busy)
        if (other != stream) others.insert(others.end(), theirs.begin(), theirs.end());
    std::ranges::sort(others, {}, &Interval::begin);
    device.streams.push_back({.stream = stream,
                              .events = by_stream[stream].size(),
                              .busy = total(intervals),
                              .overlap = common(intervals, merged(others))});
  }
}

}  // namespace

std::vector<Category> categories_of(const Trace& trace) {
  std::vector<Category> by_name(trace.names.size(), Category::kOther);
  std::vector<bool> known(trace.names.size());
  std::vector<Category> out;
  out.reserve(trace.gpu.size());
  for (const GpuEvent& event : trace.gpu) {
    if (event.kind != GpuKind::kKernel) {
      out.push_back(Category::kCopy);
      continue;
    }
    if (!known[event.name]) {
      known[event.name] = true;
      by_name[event.name] = category_of(trace.text(event.name));
    }
    out.push_back(by_name[event.name]);
  }
  return out;
}

std::vector<DeviceTime> device_times(const Trace& trace, const std::vector<Category>& categories) {
  std::map<std::int64_t, std::vector<std::uint32_t>> events;
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i)
    events[trace.streams[trace.gpu[i].stream].device].push_back(i);
  std::vector<DeviceTime> out;
  for (const auto& [number, own] : events) {
    DeviceTime& device = out.emplace_back();
    device.device = number;
    device.span = trace.gpu[own.front()].time;
    for (const std::uint32_t event : own) {
      const Interval& time = trace.gpu[event].time;
      device.span.end = std::max(device.span.end, time.end);
      CategoryTime& category = device.categories[static_cast<std::size_t>(categories[event])];
      ++category.events;
      category.sum += time.length();
    }
    Sweep(trace, categories, device).run(own);
    stream_times(trace, own, device);
  }
  return out;
}

}  // namespace hipwright::trace
