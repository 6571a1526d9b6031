// SPDX-License-Identifier: MIT
#include "soft/hip/stream_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "soft/hip/runtime.h"
#include "soft/hip/stream.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::soft::hip {

namespace {

using Clock = StreamRaces::Clock;

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
  if (clock.epoch != all.epoch)
    clock = {.epoch = all.epoch, .number = all.streams++, .known = {}, .lines = {}};
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

// What a thread runs.
struct CurrentOperation {
  Stream* stream = nullptr;
  std::uint32_t number = 0;          // for the check
  std::uint32_t line = 0;            // of its stream, or of a graph's branch
  Clock known;                       // what comes before it, and itself
  std::vector<std::uint32_t> lines;  // that graphs in it do not need any more
  CurrentOperation* outer = nullptr;
};

namespace {

thread_local CurrentOperation* current_of_thread = nullptr;

// The operation is next in its line.
void begin(Order& all, CurrentOperation& operation, const Work& work) {
  Clock& known = operation.known;
  if (waits_for_anything(work)) join(known, all.everything);
  if (known.size() <= operation.line) known.resize(operation.line + 1);
  ++known[operation.line];
  join(all.everything, known);
  if (const auto* record = std::get_if<RecordWork>(&work))
    record->event->order = {
        .epoch = all.epoch, .number = operation.line, .known = known, .lines = {}};
  if (tells_host(work)) join(all.host, known);
  operation.number = all.races->begin(operation.line, known, name_of(work), kernel_of(work));
  operation.outer = std::exchange(current_of_thread, &operation);
}

void end(Order& all, const CurrentOperation& operation) {
  current_of_thread = operation.outer;
  --all.running;
}

// What the stream does next comes behind the operation.
void publish(Order& all, const CurrentOperation& operation) {
  Stream& stream = *operation.stream;
  join(current(all, stream.order).known, operation.known);
  DeviceOrder& device = all.devices[stream.runtime];
  if (is_null(stream))
    join(device.null, operation.known);
  else if (is_blocking(stream))
    join(device.blocking, operation.known);
}

std::uint32_t next_line(Order& all, Stream& stream) {
  std::vector<std::uint32_t>& free = current(all, stream.order).lines;
  if (free.empty()) return all.streams++;
  const std::uint32_t line = free.back();
  free.pop_back();
  return line;
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
  current_ = std::make_unique<CurrentOperation>();
  current_->stream = &stream;
  current_->line = mine.number;
  current_->known = mine.known;
  begin(all, *current_, work);
  publish(all, *current_);
}

OrderedOperation::~OrderedOperation() {
  if (!current_) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  end(all, *current_);
  publish(all, *current_);
  std::ranges::copy(current_->lines, std::back_inserter(stream_.order.lines));
  if (host_waits_) join(all.host, current_->known);
}

OrderedGraph::OrderedGraph() : within_(current_of_thread) {
  if (within_) before_ = within_->known;
}

OrderedGraph::~OrderedGraph() {
  if (!within_) return;
  for (const Done& node : done_) join(within_->known, node.known);
  std::ranges::copy(lines_, std::back_inserter(within_->lines));
}

OrderedNode::OrderedNode(OrderedGraph& graph, const Work& work,
                         const std::vector<std::size_t>& behind)
    : graph_(graph) {
  if (!graph.within_) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  ++all.running;
  current_ = std::make_unique<CurrentOperation>();
  current_->stream = graph.within_->stream;
  current_->known = graph.before_;
  std::optional<std::uint32_t> line;
  for (const std::size_t position : behind) {
    OrderedGraph::Done& before = graph.done_[position];
    join(current_->known, before.known);
    if (!line && std::exchange(before.is_last, false)) line = before.line;
  }
  if (!line && graph.done_.empty()) line = graph.within_->line;
  current_->line = line ? *line : graph.lines_.emplace_back(next_line(all, *current_->stream));
  begin(all, *current_, work);
}

OrderedNode::~OrderedNode() {
  if (!current_) return;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  end(all, *current_);
  std::ranges::copy(current_->lines, std::back_inserter(graph_.lines_));
  graph_.done_.push_back({.known = std::move(current_->known), .line = current_->line});
}

std::uint32_t current_operation() {
  return current_of_thread ? current_of_thread->number : 0;
}

void touch(Runtime& runtime, const Region& region, const Extent& extent, bool writes) {
  const std::uint32_t operation = current_operation();
  if (operation == 0) return;
  StreamRaces& races = *runtime.instruments().stream_races();
  for (std::size_t slice = 0; slice < extent.slices; ++slice)
    for (std::size_t row = 0; row < extent.rows; ++row)
      races.touch(operation, region.base + slice * region.slice_pitch + row * region.pitch,
                  extent.bytes, writes, runtime.memory());
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
  if (!all.races || current_of_thread) return;
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
