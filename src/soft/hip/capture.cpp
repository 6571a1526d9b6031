// SPDX-License-Identifier: MIT
// Captures the work of streams into a graph.
#include "soft/hip/capture.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "soft/hip/graph.h"
#include "soft/hip/ipc.h"
#include "soft/hip/pending_work.h"

namespace hipwright::soft::hip {

namespace {

// Captures that forbid calls that wait for the device. Guarded by capture_mutex(); reading zero
// needs no lock.
std::vector<std::shared_ptr<Capture>>& strict_captures() {
  static auto* const list = new std::vector<std::shared_ptr<Capture>>;
  return *list;
}
std::atomic<bool> any_strict{false};
thread_local hipStreamCaptureMode thread_mode = hipStreamCaptureModeGlobal;
unsigned long long next_capture = 1;  // guarded by capture_mutex()

bool is_null(hipStream_t stream) {
  return !stream || stream == hipStreamLegacy;
}

bool is_strict(const Capture& capture) {
  return capture.mode != hipStreamCaptureModeRelaxed;
}

void close(const std::shared_ptr<Capture>& capture) {
  std::erase(strict_captures(), capture);
  any_strict = !strict_captures().empty();
  std::vector<std::shared_ptr<Stream>> all = streams().all();
  std::ranges::copy(own_streams(), std::back_inserter(all));
  for (const auto& stream : all)
    if (stream->capture == capture) {
      stream->capture.reset();
      stream->frontier.clear();
    }
}

// Whether the stream that began the capture does not wait for work of a stream that joined.
bool has_loose_ends(const std::shared_ptr<Capture>& capture, const Stream& origin) {
  std::unordered_set<const Node*> reached;
  std::vector<const Node*> todo(origin.frontier.begin(), origin.frontier.end());
  while (!todo.empty()) {
    const Node* node = todo.back();
    todo.pop_back();
    if (!reached.insert(node).second) continue;
    todo.insert(todo.end(), node->dependencies.begin(), node->dependencies.end());
  }
  for (const auto& stream : streams().all())
    if (stream->capture == capture && stream.get() != &origin)
      for (const Node* node : stream->frontier)
        if (!reached.contains(node)) return true;
  return false;
}

hipError_t begin(hipStream_t handle, hipStreamCaptureMode mode, std::shared_ptr<Graph> graph,
                 std::vector<Node*> dependencies) {
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed)
    return hipErrorInvalidValue;
  if (is_null(handle)) return hipErrorStreamCaptureUnsupported;
  HIP_STREAM(stream, handle);
  const std::lock_guard lock(capture_mutex());
  if (stream->capture) return hipErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  capture->into_existing = graph != nullptr;
  capture->graph = graph ? std::move(graph) : std::make_shared<Graph>();
  capture->origin = handle;
  capture->mode = mode;
  capture->id = next_capture++;
  capture->thread = std::this_thread::get_id();
  if (is_strict(*capture)) {
    strict_captures().push_back(capture);
    any_strict = true;
  }
  stream->capture = std::move(capture);
  stream->frontier = std::move(dependencies);
  return hipSuccess;
}

// What the null stream would have to wait for. Under capture_mutex().
bool captures_blocking_stream() {
  auto all = streams().all();
  std::ranges::copy(own_streams(), std::back_inserter(all));
  return std::ranges::any_of(all, [](const auto& stream) {
    return stream->capture && !(stream->flags & hipStreamNonBlocking);
  });
}

hipError_t capture_info(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id,
                        hipGraph_t* graph, const hipGraphNode_t** dependencies,
                        std::size_t* count) {
  if (!status) return hipErrorInvalidValue;
  const auto stream = stream_of(handle);
  if (!stream) return no_stream();
  const std::lock_guard lock(capture_mutex());
  if (is_null(handle) && captures_blocking_stream()) return hipErrorStreamCaptureImplicit;
  *status = stream->capture ? stream->capture->status : hipStreamCaptureStatusNone;
  if (*status != hipStreamCaptureStatusActive) return hipSuccess;
  if (id) *id = stream->capture->id;
  if (graph) {
    const hipGraph_t known = Registry<Graph, hipGraph_t>::handle_of(stream->capture->graph.get());
    if (!graphs().find(known)) graphs().add(stream->capture->graph);
    *graph = known;
  }
  stream->reported.clear();
  for (Node* node : stream->frontier)
    stream->reported.push_back(Registry<Node, hipGraphNode_t>::handle_of(node));
  if (dependencies) *dependencies = stream->reported.data();
  if (count) *count = stream->reported.size();
  return hipSuccess;
}

}  // namespace

std::mutex& capture_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

hipError_t check_not_capturing() {
  if (!any_strict || thread_mode == hipStreamCaptureModeRelaxed) return hipSuccess;
  const std::lock_guard lock(capture_mutex());
  for (const auto& capture : strict_captures()) {
    const bool ours = capture->thread == std::this_thread::get_id();
    const bool everyones =
        capture->mode == hipStreamCaptureModeGlobal && thread_mode == hipStreamCaptureModeGlobal;
    if (ours || everyones) return hipErrorStreamCaptureUnsupported;
  }
  return hipSuccess;
}

hipError_t break_other_captures() {
  const hipError_t result = check_not_capturing();
  if (result == hipSuccess) return result;
  const std::lock_guard lock(capture_mutex());
  for (const auto& capture : strict_captures()) capture->status = hipStreamCaptureStatusInvalidated;
  return result;
}

hipError_t break_captures(const Runtime& runtime) {
  const std::lock_guard lock(capture_mutex());
  hipError_t result = hipSuccess;
  for (const auto& stream : streams().all()) {
    if (!stream->capture || stream->runtime != &runtime) continue;
    stream->capture->status = hipStreamCaptureStatusInvalidated;
    result = hipErrorStreamCaptureUnsupported;
  }
  return result;
}

void abandon(const std::shared_ptr<Capture>& capture) {
  const auto kept = capture;  // its stream releases it
  close(kept);
  kept->status = hipStreamCaptureStatusInvalidated;
}

hipError_t submit(hipStream_t handle, Work work) {
  HIP_STREAM(stream, handle);
  {
    const std::lock_guard lock(capture_mutex());
    if (stream->capture) {
      if (stream->capture->status != hipStreamCaptureStatusActive)
        return hipErrorStreamCaptureInvalidated;
      // Callbacks with a status belong to streams; graphs have host functions.
      if (std::holds_alternative<CallbackWork>(work)) {
        stream->capture->status = hipStreamCaptureStatusInvalidated;
        return hipErrorStreamCaptureUnsupported;
      }
      const std::lock_guard graph_lock(graph_mutex());
      stream->frontier = {stream->capture->graph->add(std::move(work), stream->frontier)};
      return hipSuccess;
    }
    // The null stream waits for all blocking streams: it cannot while one of them is captured.
    if (is_null(handle) && any_strict)
      for (const auto& other : streams().all())
        if (other->capture && other->runtime == stream->runtime &&
            !(other->flags & hipStreamNonBlocking) && is_strict(*other->capture)) {
          other->capture->status = hipStreamCaptureStatusInvalidated;
          return hipErrorStreamCaptureImplicit;
        }
  }
  return streams_are_late() ? run_late(handle, stream, std::move(work))
                            : run_at_once(handle, stream, work);
}

hipError_t record_in_stream(hipStream_t handle, const std::shared_ptr<Event>& event) {
  const auto stream = stream_of(handle);
  if (!stream) return no_stream();
  {
    const std::lock_guard lock(capture_mutex());
    if (stream->capture) {
      if (stream->capture->status != hipStreamCaptureStatusActive)
        return hipErrorStreamCaptureInvalidated;
      const std::lock_guard event_lock(event->mutex);
      event->capture = stream->capture;
      event->frontier = stream->frontier;
      return hipSuccess;
    }
  }
  if (!event->shared) return submit(handle, RecordWork{.event = event});
  event->shared->recorded();
  const hipError_t result = submit(handle, RecordWork{.event = event, .counted = true});
  if (result != hipSuccess) event->shared->happened();  // nobody will wait for it
  return result;
}

hipError_t wait_in_stream(hipStream_t handle, const std::shared_ptr<Event>& event) {
  HIP_STREAM(stream, handle);
  run_behind(*stream, *event);
  // Its records may be another process's.
  if (event->shared && !event->shared->is_past(event->shared->records()))
    return submit(handle, WaitWork{.event = event, .record = event->shared->records()});
  const std::lock_guard lock(capture_mutex());
  const std::lock_guard event_lock(event->mutex);
  if (!event->capture) {
    if (!stream->capture) return hipSuccess;
    stream->capture->status = hipStreamCaptureStatusInvalidated;
    return hipErrorStreamCaptureIsolation;
  }
  if (event->capture->status != hipStreamCaptureStatusActive)
    return hipErrorStreamCaptureInvalidated;
  if (stream->capture && stream->capture != event->capture) {
    stream->capture->status = event->capture->status = hipStreamCaptureStatusInvalidated;
    return hipErrorStreamCaptureMerge;
  }
  if (is_null(handle)) return hipErrorStreamCaptureImplicit;
  stream->capture = event->capture;
  for (Node* node : event->frontier)
    if (std::ranges::find(stream->frontier, node) == stream->frontier.end())
      stream->frontier.push_back(node);
  return hipSuccess;
}

extern "C" {

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return api([&] { return begin(stream, mode, nullptr, {}); });
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t* dependencies, const hipGraphEdgeData*,
                                        std::size_t count, hipStreamCaptureMode mode) {
  return api([&] {
    auto existing = graphs().find(graph);
    if (!existing || (count > 0 && !dependencies)) return hipErrorInvalidValue;
    std::vector<Node*> nodes;
    for (std::size_t i = 0; i < count; ++i) {
      const auto node = graph_nodes().find(dependencies[i]);
      if (!node || node->graph != existing.get()) return hipErrorInvalidValue;
      nodes.push_back(node.get());
    }
    return begin(stream, mode, std::move(existing), std::move(nodes));
  });
}

hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* graph) {
  return api([&] {
    if (!graph) return hipErrorInvalidValue;
    const auto stream = stream_of(handle);
    if (!stream) return no_stream();
    const std::lock_guard lock(capture_mutex());
    *graph = nullptr;
    const auto capture = stream->capture;
    if (!capture) return hipErrorIllegalState;
    if (capture->origin != handle) return hipErrorStreamCaptureUnmatched;
    if (is_strict(*capture) && capture->thread != std::this_thread::get_id())
      return hipErrorStreamCaptureWrongThread;
    const bool valid = capture->status == hipStreamCaptureStatusActive;
    const bool loose = has_loose_ends(capture, *stream);
    close(capture);
    capture->status = hipStreamCaptureStatusNone;
    if (!valid) return hipErrorStreamCaptureInvalidated;
    if (loose) return hipErrorStreamCaptureUnjoined;
    const hipGraph_t known = Registry<Graph, hipGraph_t>::handle_of(capture->graph.get());
    *graph = graphs().find(known) ? known : graphs().add(capture->graph);
    return hipSuccess;
  });
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return api([&] { return capture_info(stream, status, nullptr, nullptr, nullptr, nullptr); });
}
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status,
                                   unsigned long long* id) {
  return api([&] { return capture_info(stream, status, id, nullptr, nullptr, nullptr); });
}
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status,
                                      unsigned long long* id, hipGraph_t* graph,
                                      const hipGraphNode_t** dependencies, std::size_t* count) {
  return api([&] { return capture_info(stream, status, id, graph, dependencies, count); });
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t* dependencies,
                                              std::size_t count, unsigned flags) {
  return api([&] {
    const auto stream = stream_of(handle);
    if (!stream || (count > 0 && !dependencies) || flags > hipStreamSetCaptureDependencies)
      return hipErrorInvalidValue;
    const std::lock_guard lock(capture_mutex());
    if (!stream->capture) return hipErrorIllegalState;
    std::vector<Node*> nodes;
    if (flags == hipStreamAddCaptureDependencies) nodes = stream->frontier;
    for (std::size_t i = 0; i < count; ++i) {
      const auto node = graph_nodes().find(dependencies[i]);
      if (!node || node->graph != stream->capture->graph.get()) return hipErrorInvalidValue;
      nodes.push_back(node.get());
    }
    stream->frontier = std::move(nodes);
    return hipSuccess;
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return api([&] {
    if (!mode || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed)
      return hipErrorInvalidValue;
    std::swap(thread_mode, *mode);
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
