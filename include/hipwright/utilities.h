// SPDX-License-Identifier: MIT
// Streams, copies, graphs and timing on one device, the CPU included.
//
//   hipwright::HIPUtilities utils(hipwright::AMDConfig{.enable_profiling = true});
//   hipwright::Stream compute = utils.create_stream("compute");
//   {
//     auto scope = utils.stream_context(compute);
//     auto region = utils.profile_region("forward_pass");
//     …
//   }
//   std::cout << utils.get_profiling_summary().regions.at("forward_pass").avg_ms;
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hipwright/config.h"
#include "hipwright/device.h"
#include "hipwright/graph.h"
#include "hipwright/memory.h"

namespace hipwright {

namespace runtime {
class Profiler;
struct UtilitiesState;
}  // namespace runtime

// Times are in milliseconds. Host time is the time of the calling thread between the beginning and
// the end of the region; device time is the time between the two in the region's stream.
// Percentiles are exact up to 1024 regions of a name, then within 1 %; everything else is exact.
struct RegionSummary {
  std::uint64_t count = 0;
  std::uint64_t host_only = 0;  // of them, without device time: their stream was being captured
  double avg_ms = 0, min_ms = 0, max_ms = 0, p50_ms = 0, p99_ms = 0, total_ms = 0;  // device
  double host_avg_ms = 0, host_min_ms = 0, host_max_ms = 0, host_p50_ms = 0, host_p99_ms = 0,
         host_total_ms = 0;
};
struct ProfilingSummary {
  std::map<std::string, RegionSummary> regions;
  std::uint64_t pending = 0;  // regions with unfinished device work: not in the numbers
  std::uint64_t dropped = 0;  // regions that found the buffer full
};

// Ends its region when destroyed; can be moved, not copied.
class ProfileRegion {
 public:
  ProfileRegion(ProfileRegion&& other) noexcept;
  ProfileRegion(const ProfileRegion&) = delete;
  ProfileRegion& operator=(const ProfileRegion&) = delete;
  ~ProfileRegion();

 private:
  friend class HIPUtilities;
  friend class runtime::Profiler;
  ProfileRegion(runtime::Profiler* profiler, std::uint64_t slot);
  runtime::Profiler* profiler_;  // nullptr if profiling is disabled
  std::uint64_t slot_;
};

// Makes a stream the current one of this thread for its lifetime. Scopes nest.
class StreamScope {
 public:
  StreamScope(Device device, Stream stream);
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;
  ~StreamScope();

 private:
  Device device_;
  Stream previous_;
};

struct DeviceMemoryInfo {
  double free_mb = 0;
  double total_mb = 0;
};

// Thread-safe.
class HIPUtilities {
 public:
  explicit HIPUtilities(const AMDConfig& config = {});
  // Graphs captured here own the allocations made from `memory` during capture.
  HIPUtilities(Device device, const AMDConfig& config, AMDMemoryManager* memory = nullptr);
  HIPUtilities(HIPUtilities&&) noexcept;
  HIPUtilities& operator=(HIPUtilities&&) noexcept;
  ~HIPUtilities();

  Device device() const;
  DeviceInfo get_device_properties() const;
  DeviceMemoryInfo get_memory_info() const;

  // A smaller priority is more urgent; it is clamped to the device's range. A duplicate name is an
  // error.
  Stream create_stream(const std::string& name, int priority = 0);
  Stream get_stream(const std::string& name) const;
  std::vector<std::string> stream_names() const;
  [[nodiscard]] StreamScope stream_context(const Stream& stream) const;
  Stream current_stream() const;
  Event create_event(bool timed = true) const;

  // Copies plain host memory in stream order. copy_to_device() uses pinned staging memory and has
  // read `from` on return; it waits only while four chunks of 4 MiB are in flight. copy_to_host()
  // has written `to` once the stream has reached that point (synchronize the stream or an event);
  // for plain memory a GPU's runtime may make the caller wait until then, for a PinnedBuffer it
  // does not.
  void copy_to_device(void* to, const void* from, std::size_t bytes, const Stream& stream = {});
  void copy_to_host(void* to, const void* from, std::size_t bytes, const Stream& stream = {});
  // Into the buffer, at `offset` bytes. Throws AMDDeviceError if it is too small.
  void copy_to_host(PinnedBuffer& to, const void* from, std::size_t bytes,
                    const Stream& stream = {}, std::size_t offset = 0);
  PinnedBuffer allocate_pinned(std::size_t bytes) const;
  // Lets kernels use memory of the program, without a copy, while the buffer lives. Throws
  // AMDDeviceError if the device cannot register it.
  [[nodiscard]] PinnedBuffer register_host(void* memory, std::size_t bytes) const;
  void copy_on_device(void* to, const void* from, std::size_t bytes, const Stream& stream = {});
  void fill(void* to, unsigned char byte, std::size_t bytes, const Stream& stream = {});

  // An empty stream is the thread's current one.
  template <class... Args>
  void launch(const Kernel& kernel, Dim3 grid, Dim3 block, const Args&... arguments) {
    launch_with(kernel, grid, block, 0, {}, KernelArguments<Args...>(arguments...));
  }
  void launch_with(const Kernel& kernel, Dim3 grid, Dim3 block, unsigned shared_bytes,
                   const Stream& stream, std::span<const KernelArgument> arguments);

  // Captures the work that `work` and other threads submit to its stream. A call that cannot be
  // captured (waiting for the device, unpooled allocation, a copy from plain host memory,
  // copy_between(), collectives) throws a GraphCaptureError that names it.
  Graph capture_graph(const std::string& name, const std::function<void(const Stream&)>& work);

  // Regions nest. Never waits for the device. A region must end before its HIPUtilities is
  // destroyed.
  [[nodiscard]] ProfileRegion profile_region(std::string_view name);
  ProfilingSummary get_profiling_summary();
  void reset_profiling();
  // In Chrome's trace format, which Perfetto reads: host regions by thread, device regions by
  // stream, the latest 262144. Waits for the device.
  void export_trace(const std::filesystem::path& path);

  // Waits for all streams. Throws GraphCaptureError while any thread captures on the device; a new
  // capture waits for the end of this call.
  void synchronize() const;
  // Waits for all work and closes the streams; those that the program holds stay open until it
  // releases them. The destructor calls it, too.
  void cleanup();

 private:
  std::shared_ptr<runtime::UtilitiesState> state_;
};

}  // namespace hipwright
