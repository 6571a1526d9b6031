// SPDX-License-Identifier: MIT
// Beginning and ending regions: the work of each thread.
#include "runtime/profiler/profiler.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include <fmt/format.h>

#include "runtime/raise.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// The log that this thread used last, in plain variables that need no initialisation.
constinit thread_local std::uint64_t recent_serial = 0;
constinit thread_local ThreadLog* recent_log = nullptr;

// All logs of this thread.
struct OwnLogs {
  struct Entry {
    std::uint64_t serial;
    std::shared_ptr<ThreadLog> log;
  };
  std::vector<Entry> entries;

  ~OwnLogs() {
    recent_serial = 0;
    for (const Entry& entry : entries) entry.log->abandoned.store(true, std::memory_order_release);
  }
};
thread_local OwnLogs own_logs;

std::string thread_name() {
  char name[16] = {};
  ::pthread_getname_np(::pthread_self(), name, sizeof name);
  return fmt::format("thread {} ({})", ::gettid(), name);
}

OpenRegion& region_of(std::uint64_t slot) {
  return *reinterpret_cast<OpenRegion*>(static_cast<std::uintptr_t>(slot));
}

}  // namespace

Profiler::Profiler(std::shared_ptr<device::Device> driver)
    : driver_(std::move(driver)), serial_(next_serial()) {
  default_stream_ = intern_shared(Stream().name());
  relate_to_host();
}

Profiler::~Profiler() {
  for (const device::Event event : events_) static_cast<void>(driver_->destroy_event(event));
}

void Profiler::relate_to_host() {
  // An event that was reached lies between the record and the end of the wait: the closest counts.
  constexpr int kTries = 5;
  std::uint64_t closest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kTries; ++i) {
    const device::Event event = value_or_raise(driver_->create_event(true));
    events_.push_back(event);
    const std::uint64_t before = clock_.ticks();
    value_or_raise(driver_->record(event, nullptr));
    value_or_raise(driver_->synchronize(event));
    const std::uint64_t distance = clock_.ticks() - before;
    if (distance < closest) {
      if (base_ != nullptr) free_events_.push_back(base_);
      closest = distance;
      base_ = event;
      base_ns_ = clock_.nanoseconds(before + distance / 2);
    } else {
      free_events_.push_back(event);
    }
  }
}

inline ThreadLog& Profiler::this_thread_log() {
  return recent_serial == serial_ ? *recent_log : find_thread_log();
}

ThreadLog& Profiler::find_thread_log() {
  const auto known = std::find_if(own_logs.entries.begin(), own_logs.entries.end(),
                                  [&](const auto& entry) { return entry.serial == serial_; });
  if (known != own_logs.entries.end()) {
    recent_log = known->log.get();
  } else {
    // Logs of destroyed profilers have no other owner.
    std::erase_if(own_logs.entries, [](const auto& entry) { return entry.log.use_count() == 1; });
    auto log = std::make_shared<ThreadLog>();
    {
      const std::lock_guard lock(mutex_);
      if (logs_.size() >= kLogs) collect();  // those of threads that ended go
      log->thread = static_cast<std::uint32_t>(threads_.size());
      threads_.push_back(thread_name());
      logs_.push_back(log);
    }
    recent_log = log.get();
    own_logs.entries.push_back({serial_, std::move(log)});
  }
  recent_serial = serial_;
  return *recent_log;
}

inline std::uint32_t Profiler::intern(ThreadLog& log, ThreadLog::CachedName& cached,
                                      std::string_view text) {
  if (!cached.matches(text)) find_name(log, cached, text);
  return cached.name.number;
}

void Profiler::find_name(ThreadLog& log, ThreadLog::CachedName& cached, std::string_view text) {
  const auto known = log.names.find(text);
  Name name;
  if (known != log.names.end()) {
    name = known->second;
  } else {
    const std::lock_guard lock(mutex_);
    name = intern_shared(text);
    log.names.emplace(*name.text, name);
  }
  cached = {text.data(), text.size(), name};
}

Name Profiler::intern_shared(std::string_view text) {
  const auto known = name_numbers_.find(text);
  if (known != name_numbers_.end()) return known->second;
  const Name name{static_cast<std::uint32_t>(names_.size()), &names_.emplace_back(text)};
  name_numbers_.emplace(*name.text, name);
  return name;
}

device::Event Profiler::take_event(ThreadLog& log) {
  constexpr std::size_t kAtOnce = 16;
  if (log.free_events.empty()) {
    const std::lock_guard lock(mutex_);
    while (!free_events_.empty() && log.free_events.size() < kAtOnce) {
      log.free_events.push_back(free_events_.back());
      free_events_.pop_back();
    }
    if (log.free_events.empty()) {
      const auto made = driver_->create_event(true);
      if (!made) return nullptr;
      events_.push_back(*made);
      return *made;
    }
  }
  const device::Event event = log.free_events.back();
  log.free_events.pop_back();
  return event;
}

inline bool Profiler::mark(ThreadLog& log, device::Stream stream, device::Event& event) {
  return driver_->at_rest(stream) || record(log, stream, event);
}

bool Profiler::record(ThreadLog& log, device::Stream stream, device::Event& event) {
  if (stream != nullptr) {
    // An event recorded in a capture has no time: replays do not reach it.
    const auto capture = driver_->capture_state(stream);
    if (!capture || *capture != device::CaptureState::kNone) return false;
  }
  event = take_event(log);
  if (event == nullptr) return false;
  if (driver_->record(event, stream)) return true;
  log.free_events.push_back(std::exchange(event, nullptr));
  return false;
}

std::uint64_t Profiler::begin(std::string_view name) {
  ThreadLog& log = this_thread_log();
  if (log.free_regions.empty()) {
    const std::lock_guard lock(mutex_);
    log.free_regions.swap(log.ended_elsewhere);
    if (log.free_regions.empty()) log.free_regions.push_back(&log.regions.emplace_back());
  }
  OpenRegion& region = *log.free_regions.back();
  const Stream& stream = current_stream(*driver_);
  region.info = {.name = intern(log, log.cached(name), name), .stream = default_stream_.number};
  region.log = &log;
  if (stream.state()) {
    region.stream = stream;
    region.info.stream = intern(log, log.cached_stream, stream.name());
  }
  region.info.host_only = !mark(log, native(stream), region.info.device_begin);
  log.free_regions.pop_back();  // last, so that an exception above does not lose it
  region.info.host_begin = clock_.ticks();
  return reinterpret_cast<std::uintptr_t>(&region);
}

void Profiler::end(std::uint64_t slot) noexcept {
  OpenRegion& region = region_of(slot);
  RegionInfo info = region.info;
  info.host_end = clock_.ticks();
  ThreadLog& log = this_thread_log();
  if (!info.host_only) info.host_only = !mark(log, native(region.stream), info.device_end);
  if (region.stream.state()) region.stream = Stream();

  if (region.log != &log) {
    const std::lock_guard lock(mutex_);
    add_pending(info, region.log->thread);
    region.log->ended_elsewhere.push_back(&region);
    return;
  }
  log.free_regions.push_back(&region);
  if (log.push(info)) [[likely]]
    return;
  const std::lock_guard lock(mutex_);
  collect(log);
  resolve();
  log.push(info);
}

}  // namespace hipwright::runtime
