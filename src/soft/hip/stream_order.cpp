// SPDX-License-Identifier: MIT
#include "soft/hip/stream_order.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

#include "soft/hip/runtime.h"
#include "soft/hip/stream.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::soft::hip {

namespace {

using Clock = StreamRaces::Clock;

thread_local std::uint32_t operation_of_thread = 0;

void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

// Streams that are not hipStreamNonBlocking and the null stream of a device wait for each other.
struct DeviceOrder {
  Clock null, blocking;
};

struct Order {
  std::mutex mutex;
  StreamRaces* races = nullptr;  // once there are several streams
  // Numbers and clocks are those of an epoch: it ends when the host has waited for everything.
  std::uint64_t epoch = 1;
  std::uint32_t streams = 0;
  unsigned running = 0;
  Clock host, everything;
  std::map<const Runtime*, DeviceOrder> devices;
};
Order& order() {
  static auto* const all = new Order;
  return *all;
}

StreamClock& current(Order& all, StreamClock& clock) {
  if (clock.epoch != all.epoch) clock = {.epoch = all.epoch, .number = all.streams++, .known = {}};
  return clock;
}

std::string name_of(const Work& work) {
  if (const auto* kernel = std::get_if<KernelWork>(&work))
    return "kernel " + toolchain::demangle(kernel->function->kernel->info->name);
  if (std::holds_alternative<CopyWork>(work)) return "a copy";
  if (std::holds_alternative<FillWork>(work)) return "a fill";
  if (std::holds_alternative<ChildWork>(work)) return "a graph";
  return "an operation";
}
std::string kernel_of(const Work& work) {
  const auto* kernel = std::get_if<KernelWork>(&work);
  return kernel ? toolchain::demangle(kernel->function->kernel->info->name) : std::string();
}

// What it waits for is not known: another stream may write the value.
bool waits_for_anything(const Work& work) {
  const auto* value = std::get_if<ValueWork>(&work);
  return (value && value->wait) || std::holds_alternative<BatchWork>(work) ||
         std::holds_alternative<WaitWork>(work);
}
// The program's own function may tell other threads of the program; so may another process, which
// waits for an event of several processes.
bool tells_host(const Work& work) {
  const auto* record = std::get_if<RecordWork>(&work);
  return (record && record->event->shared) || std::holds_alternative<HostWork>(work) ||
         std::holds_alternative<CallbackWork>(work);
}

}  // namespace

OrderedOperation::OrderedOperation(Stream& stream, const Work& work, bool host_waits)
    : stream_(stream), host_waits_(host_waits) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  if (!all.races) return;
  ++all.running;
  StreamClock& mine = current(all, stream.order);
  DeviceOrder& device = all.devices[stream.runtime];
  join(mine.known, all.host);
  if (is_null(stream))
    join(mine.known, device.blocking);
  else if (is_blocking(stream))
    join(mine.known, device.null);
  if (waits_for_anything(work)) join(mine.known, all.everything);
  if (mine.known.size() <= mine.number) mine.known.resize(mine.number + 1);
  ++mine.known[mine.number];
  if (is_null(stream))
    join(device.null, mine.known);
  else if (is_blocking(stream))
    join(device.blocking, mine.known);
  join(all.everything, mine.known);
  if (const auto* record = std::get_if<RecordWork>(&work))
    record->event->order = {.epoch = all.epoch, .number = mine.number, .known = mine.known};
  if (tells_host(work)) join(all.host, mine.known);
  number_ = all.races->begin(mine.number, mine.known, name_of(work), kernel_of(work));
  outer_ = std::exchange(operation_of_thread, number_);
}

OrderedOperation::~OrderedOperation() {
  if (number_ == 0) return;
  operation_of_thread = outer_;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  --all.running;
  if (host_waits_) join(all.host, current(all, stream_.order).known);
}

std::uint32_t current_operation() {
  return operation_of_thread;
}

void touch(Runtime& runtime, const Region& region, const Extent& extent, bool writes) {
  if (operation_of_thread == 0) return;
  StreamRaces& races = *runtime.instruments().stream_races();
  for (std::size_t slice = 0; slice < extent.slices; ++slice)
    for (std::size_t row = 0; row < extent.rows; ++row)
      races.touch(operation_of_thread,
                  region.base + slice * region.slice_pitch + row * region.pitch, extent.bytes,
                  writes, runtime.memory());
}

void order_streams(Runtime& runtime) {
  StreamRaces* const races = runtime.instruments().stream_races();
  if (!races) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  all.races = races;
  races->enable();
}

void order_behind(Stream& stream, const Event& event) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  if (!all.races || event.order.epoch != all.epoch) return;
  join(current(all, stream.order).known, event.order.known);
}

void host_saw(Stream& stream) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  if (!all.races) return;
  join(all.host, current(all, stream.order).known);
  if (is_null(stream)) join(all.host, all.devices[stream.runtime].blocking);
}

void host_saw(const Event& event) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  if (all.races && event.order.epoch == all.epoch) join(all.host, event.order.known);
}

void host_saw_everything() {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  if (!all.races || operation_of_thread != 0) return;
  if (all.running != 0) return join(all.host, all.everything);
  ++all.epoch;
  all.streams = 0;
  all.host.clear();
  all.everything.clear();
  all.devices.clear();
  all.races->forget_all();
}

void forget_memory(Runtime& runtime, std::uint64_t begin, std::uint64_t size) {
  if (StreamRaces* const races = runtime.instruments().stream_races()) races->forget(begin, size);
}

}  // namespace hipwright::soft::hip
