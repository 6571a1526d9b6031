// SPDX-License-Identifier: MIT
#include "hipwright/utilities.h"

#include <array>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/capture.h"
#include "runtime/graph.h"
#include "runtime/pinned.h"
#include "runtime/pool/private_pool.h"
#include "runtime/profiler/profiler.h"
#include "runtime/raise.h"
#include "runtime/select.h"
#include "runtime/staging.h"
#include "runtime/stream.h"

namespace hipwright {

namespace runtime {

struct UtilitiesState {
  UtilitiesState(std::shared_ptr<device::Device> on, const EffectiveConfig& config,
                 std::shared_ptr<Pool> memory)
      : driver(std::move(on)), pool(std::move(memory)), staging(driver) {
    if (config.enable_profiling) profiler = std::make_unique<Profiler>(driver);
  }

  const std::shared_ptr<device::Device> driver;
  const std::shared_ptr<Pool> pool;  // may be empty
  Staging staging;
  std::unique_ptr<Profiler> profiler;  // only when profiling is on

  std::mutex mutex;
  std::map<std::string, Stream> streams;
};

namespace {

const std::shared_ptr<device::Device>& driver_of(const Device& device, const char* call) {
  if (!device) raise_misuse(call, {}, "empty device", "Open one with Device::open().");
  return device.driver();
}

constexpr const char* kPlainMemory =
    "plain host memory may be freed or changed before the graph is replayed";
constexpr const char* kCopyOutside =
    "Copy before capture_graph() or after the replay; during capture, copy from device memory.";

// The stream of a call, on the device of `state`.
device::Stream native_on(const UtilitiesState& state, const Stream& stream, const char* call) {
  check_stream(stream, *state.driver, call);
  return native(resolve(stream, *state.driver));
}

}  // namespace

}  // namespace runtime

using runtime::check_not_capturing;
using runtime::check_not_recorded;
using runtime::note_operation;
using runtime::value_or_raise;

HIPUtilities::HIPUtilities(const AMDConfig& config) {
  const runtime::Selection selection = runtime::select_device(runtime::Vendor::kAmd, config);
  state_ = std::make_shared<runtime::UtilitiesState>(selection.device(), selection.config, nullptr);
}

HIPUtilities::HIPUtilities(Device device, const AMDConfig& config, AMDMemoryManager* memory) {
  const auto& driver = runtime::driver_of(device, "HIPUtilities");
  if (memory != nullptr && memory->device() != device)
    runtime::raise_misuse("HIPUtilities", device.id(),
                          fmt::format("the memory manager belongs to {}", memory->device().id()),
                          "Use a memory manager of the same device.");
  state_ = std::make_shared<runtime::UtilitiesState>(driver, runtime::effective_on(*driver, config),
                                                     memory == nullptr ? nullptr : memory->pool());
}

HIPUtilities::HIPUtilities(HIPUtilities&&) noexcept = default;

HIPUtilities& HIPUtilities::operator=(HIPUtilities&& other) noexcept {
  HIPUtilities old(std::move(*this));  // closes its streams when destroyed
  state_ = std::move(other.state_);
  return *this;
}

HIPUtilities::~HIPUtilities() {
  if (!state_) return;
  try {
    cleanup();
  } catch (const AMDBackendError& error) {
    // The caller did not check the result of the work, and a destructor cannot throw.
    fmt::print(stderr, "hipwright: warning: HIPUtilities destroyed: {}\n", error.what());
  }
}

Device HIPUtilities::device() const {
  return Device(state_->driver);
}

DeviceInfo HIPUtilities::get_device_properties() const {
  return device().info();
}

DeviceMemoryInfo HIPUtilities::get_memory_info() const {
  check_not_capturing(*state_->driver, "get_memory_info()");
  const device::MemoryInfo info = value_or_raise(state_->driver->memory_info());
  constexpr double kMiB = 1 << 20;
  return {.free_mb = static_cast<double>(info.free_bytes) / kMiB,
          .total_mb = static_cast<double>(info.total_bytes) / kMiB};
}

Stream HIPUtilities::create_stream(const std::string& name, int priority) {
  const std::lock_guard lock(state_->mutex);
  if (state_->streams.contains(name))
    runtime::raise_misuse("create_stream", state_->driver->id(),
                          fmt::format("stream '{}' already exists", name),
                          "Use get_stream() or another name.");
  Stream stream(runtime::make_stream(state_->driver, name, priority));
  state_->streams.emplace(name, stream);
  return stream;
}

Stream HIPUtilities::get_stream(const std::string& name) const {
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->streams.find(name);
    if (found != state_->streams.end()) return found->second;
  }
  runtime::raise_misuse(
      "get_stream", state_->driver->id(),
      fmt::format("no stream '{}'. Streams: {}", name, fmt::join(stream_names(), ", ")),
      "Create it with create_stream().");
}

std::vector<std::string> HIPUtilities::stream_names() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> names;
  for (const auto& [name, stream] : state_->streams) names.push_back(name);
  return names;
}

StreamScope HIPUtilities::stream_context(const Stream& stream) const {
  return StreamScope(device(), stream);
}

Stream HIPUtilities::current_stream() const {
  return runtime::current_stream(*state_->driver);
}

Event HIPUtilities::create_event(bool timed) const {
  return Event(runtime::make_event(state_->driver, timed));
}

void HIPUtilities::copy_to_device(void* to, const void* from, std::size_t bytes,
                                  const Stream& stream) {
  const device::Stream on = runtime::native_on(*state_, stream, "copy_to_device");
  check_not_recorded(*state_->driver, on, "copy_to_device()", runtime::kPlainMemory,
                     runtime::kCopyOutside);
  value_or_raise(state_->staging.copy_to_device(to, from, bytes, on));
}

void HIPUtilities::copy_to_host(void* to, const void* from, std::size_t bytes,
                                const Stream& stream) {
  const device::Stream on = runtime::native_on(*state_, stream, "copy_to_host");
  check_not_recorded(*state_->driver, on, "copy_to_host()", runtime::kPlainMemory,
                     runtime::kCopyOutside);
  value_or_raise(state_->driver->copy_async(to, from, bytes, device::Direction::kToHost, on));
}

void HIPUtilities::copy_to_host(PinnedBuffer& to, const void* from, std::size_t bytes,
                                const Stream& stream, std::size_t offset) {
  if (offset > to.size() || bytes > to.size() - offset)
    runtime::raise_misuse(
        "copy_to_host", state_->driver->id(),
        fmt::format("{} bytes at {} do not fit in a pinned buffer of {}", bytes, offset, to.size()),
        "Allocate a larger one with allocate_pinned().");
  if (bytes == 0) return;
  if (to.state_->driver != state_->driver)
    runtime::raise_misuse("copy_to_host", state_->driver->id(),
                          fmt::format("the pinned buffer belongs to {}", to.state_->driver->id()),
                          "Use a buffer of the same HIPUtilities.");
  to.state_->note_use(runtime::resolve(stream, *state_->driver));
  copy_to_host(to.as<std::byte>() + offset, from, bytes, stream);
}

PinnedBuffer HIPUtilities::allocate_pinned(std::size_t bytes) const {
  PinnedBuffer buffer;
  if (bytes == 0) return buffer;
  buffer.data_ = value_or_raise(state_->driver->allocate_pinned(bytes));
  buffer.size_ = bytes;
  buffer.state_ = std::make_unique<runtime::PinnedState>(state_->driver, buffer.data_,
                                                         runtime::PinnedState::Owner::kDevice);
  return buffer;
}

PinnedBuffer HIPUtilities::register_host(void* memory, std::size_t bytes) const {
  PinnedBuffer buffer;
  if (bytes == 0) return buffer;
  value_or_raise(state_->driver->register_pinned(memory, bytes));
  buffer.data_ = memory;
  buffer.size_ = bytes;
  buffer.state_ = std::make_unique<runtime::PinnedState>(state_->driver, memory,
                                                         runtime::PinnedState::Owner::kProgram);
  return buffer;
}

void HIPUtilities::copy_on_device(void* to, const void* from, std::size_t bytes,
                                  const Stream& stream) {
  const device::Stream on = runtime::native_on(*state_, stream, "copy_on_device");
  note_operation(*state_->driver, on, [&] { return fmt::format("a copy of {} bytes", bytes); });
  value_or_raise(state_->driver->copy_async(to, from, bytes, device::Direction::kOnDevice, on));
}

void HIPUtilities::fill(void* to, unsigned char byte, std::size_t bytes, const Stream& stream) {
  const device::Stream on = runtime::native_on(*state_, stream, "fill");
  note_operation(*state_->driver, on, [&] { return fmt::format("a fill of {} bytes", bytes); });
  value_or_raise(state_->driver->fill(to, byte, bytes, on));
}

void HIPUtilities::launch_with(const Kernel& kernel, Dim3 grid, Dim3 block, unsigned shared_bytes,
                               const Stream& stream, std::span<const KernelArgument> arguments) {
  if (!kernel.state())
    runtime::raise_misuse("launch", state_->driver->id(), "empty kernel",
                          "Create it with Backend::load_kernel().");
  if (kernel.state()->driver != state_->driver)
    runtime::raise_misuse(
        "launch", state_->driver->id(),
        fmt::format("kernel '{}' was loaded on {}", kernel.name(), kernel.state()->driver->id()),
        "Load it on this device too.");
  // Most kernels take few arguments: no allocation for them.
  std::array<device::Argument, 16> few;
  std::vector<device::Argument> many;
  device::Argument* list = few.data();
  if (arguments.size() > few.size()) {
    many.resize(arguments.size());
    list = many.data();
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    list[i] = {arguments[i].value, arguments[i].size};

  const device::Launch launch{.grid = {grid.x, grid.y, grid.z},
                              .block = {block.x, block.y, block.z},
                              .shared_bytes = shared_bytes,
                              .stream = runtime::native_on(*state_, stream, "launch")};
  note_operation(
      *state_->driver, launch.stream,
      [&] { return fmt::format("the launch of kernel '{}'", kernel.name()); }, kernel.state());
  value_or_raise(
      state_->driver->launch(kernel.state()->function, launch, {list, arguments.size()}));
}

Graph HIPUtilities::capture_graph(const std::string& name,
                                  const std::function<void(const Stream&)>& work) {
  PrivatePool pool;
  if (state_->pool)
    pool = PrivatePool(
        std::make_shared<runtime::PrivatePoolState>(state_->pool, state_->pool->add_group()));
  return Graph(runtime::capture_graph(state_->driver, name, std::move(pool), work));
}

ProfileRegion HIPUtilities::profile_region(std::string_view name) {
  if (!state_->profiler) return ProfileRegion(nullptr, 0);
  return ProfileRegion(state_->profiler.get(), state_->profiler->begin(name));
}

ProfilingSummary HIPUtilities::get_profiling_summary() {
  return state_->profiler ? state_->profiler->summary() : ProfilingSummary{};
}

void HIPUtilities::reset_profiling() {
  if (state_->profiler) state_->profiler->reset();
}

void HIPUtilities::export_trace(const std::filesystem::path& path) {
  if (!state_->profiler)
    runtime::raise_misuse("export_trace", state_->driver->id(),
                          "nothing to export: profiling is disabled", "Set enable_profiling.");
  synchronize();
  if (const Status written = state_->profiler->write_trace(path); !written)
    throw AMDBackendError(
        written.error().message(),
        {.call = "export_trace", .device = state_->driver->id(), .advice = written.error().fix});
}

void HIPUtilities::synchronize() const {
  runtime::synchronize_device(*state_->driver, "synchronize()");
}

void HIPUtilities::cleanup() {
  check_not_capturing(*state_->driver, "cleanup()");
  std::map<std::string, Stream> streams;
  {
    const std::lock_guard lock(state_->mutex);
    streams.swap(state_->streams);
  }
  device::Done done;
  const auto wait_for_all = [&] { done = state_->driver->synchronize(); };
  if (!runtime::without_captures(*state_->driver, wait_for_all)) {
    // Waiting for all streams would break the capture of another thread.
    streams.emplace("", Stream());
    for (const auto& [name, stream] : streams) {
      const device::Stream one = runtime::native(stream);
      if (!runtime::recorded_by(*state_->driver, one).empty()) continue;
      if (auto ended = state_->driver->synchronize(one); !ended && done) done = std::move(ended);
    }
  }
  state_->staging.clear();
  streams.clear();
  value_or_raise(done);
}

// --- Scopes ---

StreamScope::StreamScope(Device device, Stream stream) : device_(std::move(device)) {
  const auto& driver = runtime::driver_of(device_, "StreamScope");
  runtime::check_stream(stream, *driver, "StreamScope");
  previous_ = runtime::exchange_current_stream(*driver, std::move(stream));
}

StreamScope::~StreamScope() {
  runtime::exchange_current_stream(*device_.driver(), std::move(previous_));
}

ProfileRegion::ProfileRegion(runtime::Profiler* profiler, std::uint64_t slot)
    : profiler_(profiler), slot_(slot) {}

ProfileRegion::ProfileRegion(ProfileRegion&& other) noexcept
    : profiler_(std::exchange(other.profiler_, nullptr)), slot_(other.slot_) {}

ProfileRegion::~ProfileRegion() {
  if (profiler_ != nullptr) profiler_->end(slot_);
}

}  // namespace hipwright
