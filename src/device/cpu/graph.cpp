// SPDX-License-Identifier: MIT
// Capture by the rules of CUDA and HIP: a stream joins a capture by waiting for an event that was
// recorded in it, must be joined back before the end, and a call that cannot be captured breaks it.
// An event that is recorded in a capture orders the nodes there; replays do not reach it.
#include <algorithm>

#include <fmt/format.h>

#include "device/arguments.h"
#include "device/cpu/device.h"

namespace hipwright::device::cpu {

namespace {

Failure capture_failure(std::string call, std::string why, std::string advice) {
  return Failure(FailureKind::kCapture, std::move(call), "cpu", std::move(why), std::move(advice));
}

std::unexpected<Failure> is_broken(const Capture& capture, const char* call) {
  return std::unexpected(capture_failure(call,
                                         fmt::format("{} broke the capture of this stream: {}",
                                                     capture.broken->call, capture.broken->why),
                                         "End the capture, remove that call, and capture again."));
}

// Whether all nodes come before the end, where `open` are the last ones of the origin.
bool joined(const Capture& capture, std::vector<std::size_t> open) {
  std::vector<bool> seen(capture.nodes.size());
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    open.insert(open.end(), capture.nodes[node].after.begin(), capture.nodes[node].after.end());
  }
  return std::find(seen.begin(), seen.end(), false) == seen.end();
}

void merge(std::vector<std::size_t>& into, const std::vector<std::size_t>& from) {
  for (const std::size_t node : from)
    if (std::find(into.begin(), into.end(), node) == into.end()) into.push_back(node);
}

// How the i-th nodes of two graphs differ in more than their parameters; empty when they do not.
std::string difference(const Node& before, const Node& now) {
  if (before.operation->index() != now.operation->index())
    return fmt::format("is {} there and {} here", describe(*now.operation),
                       describe(*before.operation));
  if (const auto* kernel = std::get_if<KernelCall>(before.operation.get())) {
    const auto& other = std::get<KernelCall>(*now.operation);
    if (kernel->kernel->name != other.kernel->name ||
        kernel->kernel->argument_sizes != other.kernel->argument_sizes)
      return fmt::format("launches kernel '{}' there and '{}' here", other.kernel->name,
                         kernel->kernel->name);
  }
  if (before.after != now.after) return "waits for other nodes there";
  return {};
}

}  // namespace

Failure CpuDevice::break_capture(Capture& capture, const char* call, std::string why,
                                 std::string advice) {
  Failure reason = capture_failure(call, std::move(why), std::move(advice));
  if (!capture.broken) capture.broken = reason;
  reason.why += "; this broke the capture";
  return reason;
}

Done CpuDevice::refuse_in_capture(const char* call, Queue& queue) {
  if (!queue.capturing.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(capture_mutex_);
  if (!queue.capture) return {};
  return std::unexpected(break_capture(*queue.capture, call,
                                       "the stream is being captured, so its work does not run now",
                                       "Call it before the capture begins or after it ends."));
}

Done CpuDevice::refuse_while_capturing(const char* call) {
  if (capture_count_.load(std::memory_order_acquire) == 0) return {};
  const std::lock_guard lock(capture_mutex_);
  for (const auto& capture : captures_)
    if (capture->thread == std::this_thread::get_id())
      return std::unexpected(break_capture(*capture, call,
                                           "this thread captures a stream, and the call cannot be "
                                           "recorded",
                                           "Call it before the capture begins or after it ends."));
  return {};
}

Done CpuDevice::refuse_while_anybody_captures(const char* call) {
  HW_CHECK(refuse_while_capturing(call));
  if (capture_count_.load(std::memory_order_acquire) == 0) return {};
  const std::lock_guard lock(capture_mutex_);
  if (captures_.empty()) return {};
  return std::unexpected(break_capture(
      *captures_.front(), call, "it waits for all streams, but another thread is capturing one",
      "Wait for a stream or an event instead."));
}

Done CpuDevice::refuse_captured(const char* call, Mark& mark) {
  const std::scoped_lock lock(capture_mutex_, mark.mutex);
  if (!mark.capture) return {};
  if (mark.capture->ended)
    return std::unexpected(
        capture_failure(call, "the event was recorded in a capture and is not reached by replays",
                        "Record it again outside the capture."));
  return std::unexpected(break_capture(*mark.capture, call,
                                       "the event was recorded in a stream that is being captured",
                                       "Call it before the capture begins or after it ends."));
}

Done CpuDevice::append(const char* call, Queue& queue, Operation operation) {
  const std::lock_guard lock(capture_mutex_);
  if (!queue.capture) {
    queue.push(std::move(operation));
    return {};
  }
  Capture& capture = *queue.capture;
  if (capture.broken) return is_broken(capture, call);
  capture.nodes.push_back({std::make_shared<const Operation>(std::move(operation)), queue.tail});
  queue.tail = {capture.nodes.size() - 1};
  return {};
}

Done CpuDevice::record_in_capture(Mark& mark, Queue& queue) {
  const std::scoped_lock lock(capture_mutex_, mark.mutex);
  if (!queue.capture) return failure("record", "another thread ended the capture of the stream");
  if (queue.capture->broken) return is_broken(*queue.capture, "record");
  mark.point.reset();
  mark.capture = queue.capture;
  mark.after = queue.tail;
  return {};
}

Done CpuDevice::wait_in_capture(Queue& queue, Mark& mark) {
  const std::scoped_lock lock(capture_mutex_, mark.mutex);
  const std::shared_ptr<Capture> ours = queue.capture;
  const std::shared_ptr<Capture> its = mark.capture;
  const auto refuse = [&](const char* why, const char* advice) {
    if (its && !its->ended) static_cast<void>(break_capture(*its, "wait", why, advice));
    if (ours) return std::unexpected(break_capture(*ours, "wait", why, advice));
    return std::unexpected(capture_failure("wait", why, advice));
  };
  if (ours && ours->broken) return is_broken(*ours, "wait");
  if (!its) {
    if (!mark.point) return {};  // never recorded: passes
    if (ours)
      return refuse("a captured stream cannot wait for an event recorded outside the capture",
                    "Wait before the capture begins, or record the event in the capture.");
    queue.push(Await{mark.point});
    return {};
  }
  if (its->ended)
    return refuse("the event was recorded in a capture that has ended",
                  "Record it again before waiting for it.");
  if (its->broken) return is_broken(*its, "wait");
  if (ours && ours != its)
    return refuse("the event was recorded in another capture", "Captures cannot be merged.");
  if (!ours) {
    if (&queue == &default_queue_)
      return refuse("the default stream cannot be captured",
                    "Wait in a stream from create_stream().");
    queue.capture = its;
    queue.tail.clear();
    its->members.push_back(&queue);
    queue.capturing.store(true, std::memory_order_release);
  }
  merge(queue.tail, mark.after);
  return {};
}

void CpuDevice::end(const std::shared_ptr<Capture>& capture) {
  capture->ended = true;
  std::erase(captures_, capture);
  capture_count_.store(captures_.size(), std::memory_order_release);
  for (Queue* const member : capture->members) {
    member->capturing.store(false, std::memory_order_release);
    member->tail.clear();
    member->capture.reset();
  }
}

Done CpuDevice::begin_capture(Stream stream) {
  Queue& queue = queue_of(stream);
  if (stream == nullptr)
    return std::unexpected(capture_failure("begin_capture", "the default stream cannot be captured",
                                           "Capture a stream from create_stream()."));
  const std::lock_guard lock(capture_mutex_);
  if (queue.capture)
    return std::unexpected(capture_failure("begin_capture", "the stream is already being captured",
                                           "End that capture first."));
  queue.capture = std::make_shared<Capture>();
  queue.capture->origin = &queue;
  queue.capture->thread = std::this_thread::get_id();
  queue.capture->members.push_back(&queue);
  captures_.push_back(queue.capture);
  capture_count_.store(captures_.size(), std::memory_order_release);
  queue.capturing.store(true, std::memory_order_release);
  return {};
}

Outcome<CaptureState> CpuDevice::capture_state(Stream stream) {
  Queue& queue = queue_of(stream);
  if (!queue.capturing.load(std::memory_order_acquire)) return CaptureState::kNone;
  const std::lock_guard lock(capture_mutex_);
  if (!queue.capture) return CaptureState::kNone;
  return queue.capture->broken ? CaptureState::kInvalidated : CaptureState::kActive;
}

Outcome<Graph> CpuDevice::end_capture(Stream stream) {
  Queue& queue = queue_of(stream);
  const std::lock_guard lock(capture_mutex_);
  const std::shared_ptr<Capture> capture = queue.capture;
  if (!capture)
    return std::unexpected(capture_failure("end_capture", "the stream is not being captured",
                                           "Begin a capture on it first."));
  if (capture->origin != &queue)
    return std::unexpected(break_capture(*capture, "end_capture",
                                         "the stream joined a capture that began on another one",
                                         "End it on the stream where it began."));
  const std::vector<std::size_t> last = queue.tail;
  end(capture);
  if (capture->broken)
    return std::unexpected(capture_failure(
        "end_capture",
        fmt::format("{} broke the capture: {}", capture->broken->call, capture->broken->why),
        capture->broken->advice));
  if (!joined(*capture, last))
    return std::unexpected(capture_failure(
        "end_capture", "a stream that joined the capture was not joined back",
        "Record an event after the last work of every stream that joined, and wait for it in the "
        "stream where the capture began."));
  auto* const graph = new RecordedGraph;
  graph->nodes = std::make_shared<const Nodes>(std::move(capture->nodes));
  return reinterpret_cast<Graph>(graph);
}

Done CpuDevice::launch(Graph graph, Stream stream) {
  Queue& queue = queue_of(stream);
  if (queue.capturing.load(std::memory_order_acquire)) {
    const std::lock_guard lock(capture_mutex_);
    if (queue.capture)
      return std::unexpected(break_capture(
          *queue.capture, "launch", "a graph was launched in a stream that is being captured",
          "The cpu device does not nest graphs: submit the work to "
          "the stream itself."));
  }
  RecordedGraph& recorded = graph_of(graph);
  std::shared_ptr<const Nodes> nodes;
  {
    const std::lock_guard lock(recorded.mutex);
    nodes = recorded.nodes;
  }
  queue.push(Replay{std::move(nodes)});
  return {};
}

Done CpuDevice::destroy(Graph graph) {
  delete &graph_of(graph);
  return {};
}

Outcome<std::vector<KernelNode>> CpuDevice::kernel_nodes(Graph graph) {
  RecordedGraph& recorded = graph_of(graph);
  const std::lock_guard lock(recorded.mutex);
  std::vector<KernelNode> kernels;
  for (const Node& node : *recorded.nodes)
    if (const auto* call = std::get_if<KernelCall>(node.operation.get()))
      kernels.push_back({call->kernel->name, call->launch});
  return kernels;
}

Done CpuDevice::set_arguments(Graph graph, std::size_t kernel_node,
                              std::span<const Argument> arguments) {
  RecordedGraph& recorded = graph_of(graph);
  const std::lock_guard lock(recorded.mutex);
  std::size_t kernels = 0;
  for (std::size_t i = 0; i < recorded.nodes->size(); ++i) {
    const auto* call = std::get_if<KernelCall>((*recorded.nodes)[i].operation.get());
    if (call == nullptr || kernels++ != kernel_node) continue;
    HW_CHECK(check_arguments(*this, call->kernel->name, call->kernel->argument_sizes, arguments));
    auto changed = std::make_shared<Nodes>(*recorded.nodes);
    (*changed)[i].operation = std::make_shared<const Operation>(
        KernelCall{call->kernel, call->launch, ArgumentBytes(arguments)});
    recorded.nodes = std::move(changed);
    return {};
  }
  return check_kernel_node(*this, kernel_node, kernels);
}

Done CpuDevice::update(Graph graph, Graph newer) {
  if (graph == newer) return {};
  RecordedGraph& recorded = graph_of(graph);
  RecordedGraph& other = graph_of(newer);
  const std::scoped_lock lock(recorded.mutex, other.mutex);
  const auto refuse = [&](std::string why) {
    return failure("update", std::move(why),
                   "Only parameters can change: capture a new graph for work of another shape.");
  };
  const Nodes& before = *recorded.nodes;
  const Nodes& now = *other.nodes;
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
    if (const std::string how = difference(before[i], now[i]); !how.empty())
      return refuse(fmt::format("node {} of the new graph {}", i, how));
  if (before.size() != now.size())
    return refuse(fmt::format("the shapes differ: {} nodes instead of {} in the new graph",
                              now.size(), before.size()));
  recorded.nodes = other.nodes;
  return {};
}

}  // namespace hipwright::device::cpu
