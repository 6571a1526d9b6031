// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "soft/hip/registry.h"
#include "soft/hip/work.h"

namespace hipwright::soft::hip {

struct Node;

// The work of one or several streams on its way into a graph.
struct Capture {
  std::shared_ptr<Graph> graph;
  hipStream_t origin = nullptr;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
  unsigned long long id = 0;
  bool into_existing = false;  // hipStreamBeginCaptureToGraph: the graph is the caller's
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::vector<std::uint32_t> cu_mask;
  // Guarded by capture_mutex().
  std::shared_ptr<Capture> capture;
  std::vector<Node*> frontier;           // what the next captured work depends on
  std::vector<hipGraphNode_t> reported;  // keeps what hipStreamGetCaptureInfo_v2 pointed at
};

struct Event {
  unsigned flags = 0;
  std::mutex mutex;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
  // Recorded while its stream was capturing.
  std::shared_ptr<Capture> capture;
  std::vector<Node*> frontier;
};

Registry<Stream, hipStream_t>& streams();
Registry<Event, hipEvent_t>& events();

// The stream of a handle, the null stream (0 and hipStreamLegacy) and the thread's own
// (hipStreamPerThread) included; nullptr: none.
std::shared_ptr<Stream> stream_of(hipStream_t handle);

// Captures are rare and touch several streams at once: one lock for all.
std::mutex& capture_mutex();
// Whether any stream captures in a mode in which calls that would wait for the device are errors.
hipError_t check_not_capturing();

// For the default stream of the _spt functions.
inline hipStream_t per_thread(hipStream_t stream) {
  return stream ? stream : hipStreamPerThread;
}

}  // namespace hipwright::soft::hip
