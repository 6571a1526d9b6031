// SPDX-License-Identifier: MIT
// Regions of host and device time. Beginning and ending a region never waits for the device: it
// records timed events, which are read later, on request or when a buffer is full. Then the regions
// are folded into statistics by name, and the most recent ones are kept for the trace.
//
// On the cpu device a stream without work needs no event: its time is the host's.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "device/device.h"
#include "hipwright/utilities.h"
#include "runtime/profiler/distribution.h"
#include "runtime/profiler/host_clock.h"
#include "runtime/profiler/thread_log.h"
#include "runtime/profiler/trace.h"

namespace hipwright::runtime {

class Profiler {
 public:
  static constexpr std::size_t kPending = 1 << 16;  // ended regions whose device work is not done
  static constexpr std::size_t kLogs = 32;  // of threads, before a look for threads that ended
  static constexpr std::size_t kTraced = 1 << 18;  // regions kept for the trace, the newest

  // Waits for the default stream, to relate the device's time to the host's.
  explicit Profiler(std::shared_ptr<device::Device> driver);
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;
  ~Profiler();  // no region may be open

  std::uint64_t begin(std::string_view name);
  void end(std::uint64_t slot) noexcept;  // on any thread

  ProfilingSummary summary();
  // Discards the measurements; open and pending regions are not counted later.
  void reset();
  // For the regions that the device has finished.
  Status write_trace(const std::filesystem::path& path);

 private:
  struct ByName {
    Distribution host, device;
    std::uint64_t host_only = 0;
  };
  struct Pending {
    RegionInfo info;
    std::uint32_t thread;
  };
  // Resolved. The host's times stay ticks until the trace is written: by then the clock's rate is
  // known best, and a single conversion keeps regions inside their enclosing ones.
  struct Kept {
    std::uint32_t name, stream, thread;
    bool host_only, begins_with_host, ends_with_host;
    std::uint64_t host_begin, host_end;
    std::int64_t device_begin, device_end;  // where they differ from the host's
  };

  // The fast path, by the thread itself.
  ThreadLog& this_thread_log();
  ThreadLog& find_thread_log();
  std::uint32_t intern(ThreadLog& log, ThreadLog::CachedName& cached, std::string_view text);
  void find_name(ThreadLog& log, ThreadLog::CachedName& cached, std::string_view text);
  // The device's time in `stream`; false if it is not available.
  bool mark(ThreadLog& log, device::Stream stream, device::Event& event);
  bool record(ThreadLog& log, device::Stream stream, device::Event& event);
  device::Event take_event(ThreadLog& log);

  // Under the mutex.
  Name intern_shared(std::string_view text);
  void collect();
  void collect(ThreadLog& log);
  void add_pending(const RegionInfo& info, std::uint32_t thread);
  void resolve();
  void relate_to_host();
  bool resolve(const Pending& pending);
  void count(const Kept& region, std::int64_t device_ns);
  // Nanoseconds on the host clock's scale.
  device::Outcome<std::int64_t> moment(device::Event event);
  void recycle(const RegionInfo& info);

  const std::shared_ptr<device::Device> driver_;
  const std::uint64_t serial_;  // tells profilers apart that live one after the other
  HostClock clock_;

  std::mutex mutex_;
  std::vector<std::shared_ptr<ThreadLog>> logs_;
  std::vector<std::string> threads_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, Name> name_numbers_;
  Name default_stream_;
  std::vector<device::Event> events_;       // all
  std::vector<device::Event> free_events_;  // of them

  device::Event base_ = nullptr;  // its moment on the host's scale is known
  std::int64_t base_ns_ = 0;
  std::uint64_t counted_from_ = 0;  // ticks; reset() moves it

  std::unordered_map<std::uint32_t, std::deque<Pending>> pending_;  // by stream
  std::size_t pending_count_ = 0;
  std::uint64_t dropped_ = 0;
  std::vector<ByName> statistics_;  // by name
  std::vector<Kept> kept_;          // a ring once it is full
  std::uint64_t kept_count_ = 0;
};

}  // namespace hipwright::runtime
