// SPDX-License-Identifier: MIT
// Processing of finished regions: pending, statistics, trace.
#include <cmath>
#include <utility>

#include "base/file.h"
#include "runtime/profiler/profiler.h"

namespace hipwright::runtime {

namespace {

std::int64_t nanoseconds(double milliseconds) {
  return std::llround(milliseconds * 1e6);
}

}  // namespace

void Profiler::collect() {
  for (const auto& log : logs_) collect(*log);
  // The log of a thread that ended is dropped, unless one of its regions is open elsewhere.
  std::erase_if(logs_, [&](const std::shared_ptr<ThreadLog>& log) {
    if (!log->abandoned.load(std::memory_order_acquire) || log->tail.load() != log->head.load() ||
        log->free_regions.size() + log->ended_elsewhere.size() != log->regions.size())
      return false;
    free_events_.insert(free_events_.end(), log->free_events.begin(), log->free_events.end());
    return true;
  });
}

void Profiler::collect(ThreadLog& log) {
  const std::size_t head = log.head.load(std::memory_order_acquire);
  std::size_t tail = log.tail.load(std::memory_order_relaxed);
  for (; tail != head; ++tail) add_pending(log.ring[tail % ThreadLog::kRing], log.thread);
  log.tail.store(tail, std::memory_order_release);
}

void Profiler::add_pending(const RegionInfo& info, std::uint32_t thread) {
  if (info.host_begin < counted_from_) return recycle(info);
  if (info.host_only || (info.device_begin == nullptr && info.device_end == nullptr)) {
    const Kept region{.name = info.name,
                      .stream = info.stream,
                      .thread = thread,
                      .host_only = info.host_only,
                      .begins_with_host = true,
                      .ends_with_host = true,
                      .host_begin = info.host_begin,
                      .host_end = info.host_end,
                      .device_begin = 0,
                      .device_end = 0};
    count(region, clock_.duration(info.host_begin, info.host_end));
    return recycle(info);
  }
  if (pending_count_ == kPending) {
    ++dropped_;
    return recycle(info);
  }
  pending_[info.stream].push_back({info, thread});
  ++pending_count_;
}

void Profiler::resolve() {
  for (auto& [stream, regions] : pending_) {
    // A stream reaches its events in order: stop at the first one not reached.
    while (!regions.empty() && resolve(regions.front())) {
      regions.pop_front();
      --pending_count_;
    }
  }
}

device::Outcome<std::int64_t> Profiler::moment(device::Event event) {
  HW_TRY(const double since, driver_->elapsed_ms(base_, event));
  return base_ns_ + nanoseconds(since);
}

bool Profiler::resolve(const Pending& pending) {
  const RegionInfo& info = pending.info;
  const auto reached =
      driver_->reached(info.device_end == nullptr ? info.device_begin : info.device_end);
  if (reached && !*reached) return false;
  Kept region{.name = info.name,
              .stream = info.stream,
              .thread = pending.thread,
              .host_only = false,
              .begins_with_host = info.device_begin == nullptr,
              .ends_with_host = info.device_end == nullptr,
              .host_begin = info.host_begin,
              .host_end = info.host_end,
              .device_begin = clock_.nanoseconds(info.host_begin),
              .device_end = clock_.nanoseconds(info.host_end)};
  const auto times = [&]() -> device::Done {
    HW_CHECK(reached);
    if (!region.begins_with_host) {
      HW_TRY(region.device_begin, moment(info.device_begin));
    }
    if (region.ends_with_host) return {};
    if (region.begins_with_host) {
      HW_TRY(region.device_end, moment(info.device_end));
      return {};
    }
    HW_TRY(const double elapsed, driver_->elapsed_ms(info.device_begin, info.device_end));
    region.device_end = region.device_begin + nanoseconds(elapsed);
    return {};
  }();
  // If the device no longer answers, only the host's time is left.
  region.host_only = !times;
  count(region, region.device_end - region.device_begin);
  recycle(info);
  return true;
}

void Profiler::count(const Kept& region, std::int64_t device_ns) {
  if (statistics_.size() <= region.name) statistics_.resize(names_.size());
  ByName& statistics = statistics_[region.name];
  statistics.host.add(clock_.duration(region.host_begin, region.host_end));
  if (region.host_only)
    ++statistics.host_only;
  else
    statistics.device.add(device_ns);
  if (kept_.size() < kTraced)
    kept_.push_back(region);
  else
    kept_[kept_count_ % kTraced] = region;
  ++kept_count_;
}

void Profiler::recycle(const RegionInfo& info) {
  if (info.device_begin != nullptr) free_events_.push_back(info.device_begin);
  if (info.device_end == nullptr) return;
  // Devices report intervals as floats: the base moves along, so that they stay exact to 0.1 µs.
  constexpr double kFarMs = 1000;
  if (const auto since = driver_->elapsed_ms(base_, info.device_end); since && *since > kFarMs) {
    base_ns_ += nanoseconds(*since);
    free_events_.push_back(std::exchange(base_, info.device_end));
    return;
  }
  free_events_.push_back(info.device_end);
}

ProfilingSummary Profiler::summary() {
  const std::lock_guard lock(mutex_);
  clock_.refine();
  collect();
  resolve();
  ProfilingSummary summary{.pending = pending_count_, .dropped = dropped_};
  for (std::size_t i = 0; i < statistics_.size(); ++i) {
    const ByName& from = statistics_[i];
    if (from.host.count() == 0) continue;
    summary.regions[names_[i]] = {.count = from.host.count(),
                                  .host_only = from.host_only,
                                  .avg_ms = from.device.average_ms(),
                                  .min_ms = from.device.smallest_ms(),
                                  .max_ms = from.device.largest_ms(),
                                  .p50_ms = from.device.percentile_ms(0.5),
                                  .p99_ms = from.device.percentile_ms(0.99),
                                  .total_ms = from.device.total_ms(),
                                  .host_avg_ms = from.host.average_ms(),
                                  .host_min_ms = from.host.smallest_ms(),
                                  .host_max_ms = from.host.largest_ms(),
                                  .host_p50_ms = from.host.percentile_ms(0.5),
                                  .host_p99_ms = from.host.percentile_ms(0.99),
                                  .host_total_ms = from.host.total_ms()};
  }
  return summary;
}

void Profiler::reset() {
  const std::lock_guard lock(mutex_);
  collect();
  counted_from_ = clock_.ticks();
  for (auto& [stream, regions] : pending_)
    for (const Pending& region : regions) recycle(region.info);
  pending_.clear();
  pending_count_ = 0;
  dropped_ = 0;
  statistics_.clear();
  kept_.clear();
  kept_count_ = 0;
}

Status Profiler::write_trace(const std::filesystem::path& path) {
  Trace trace;
  {
    const std::lock_guard lock(mutex_);
    clock_.refine();
    collect();
    resolve();
    trace.device = driver_->id() + " " + driver_->properties().name;
    trace.names.assign(names_.begin(), names_.end());
    trace.threads = threads_;
    trace.left_out = kept_count_ - kept_.size();
    for (const Kept& kept : kept_) {
      TraceRegion& region = trace.regions.emplace_back();
      region = {.name = kept.name,
                .thread = kept.thread,
                .stream = kept.stream,
                .host_only = kept.host_only,
                .host_begin = clock_.nanoseconds(kept.host_begin),
                .host_end = clock_.nanoseconds(kept.host_end),
                .device_begin = kept.device_begin,
                .device_end = kept.device_end};
      if (kept.begins_with_host) region.device_begin = region.host_begin;
      if (kept.ends_with_host) region.device_end = region.host_end;
    }
  }
  return write_file_atomic(path, trace_json(trace));
}

}  // namespace hipwright::runtime
