// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "soft/check/stream_races.h"
#include "soft/hip/registry.h"
#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

struct Node;
class SharedEvent;

// What comes before the next operation of a stream, or before an event: stream_order.h.
struct StreamClock {
  std::uint64_t epoch = 0;
  std::uint32_t number = 0;  // of the stream
  StreamRaces::Clock known;
  std::vector<std::uint32_t> lines;  // more numbers, for branches of the graphs that it runs
};

// The work of one or several streams on its way into a graph.
struct Capture {
  std::shared_ptr<Graph> graph;
  hipStream_t origin = nullptr;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
  unsigned long long id = 0;
  std::thread::id thread;      // that began it
  bool into_existing = false;  // hipStreamBeginCaptureToGraph: the graph is the caller's
};

struct Stream {
  Runtime* runtime = nullptr;  // its device
  unsigned flags = 0;
  int priority = 0;
  std::vector<std::uint32_t> cu_mask;
  // Guarded by capture_mutex().
  std::shared_ptr<Capture> capture;
  std::vector<Node*> frontier;           // what the next captured work depends on
  std::vector<hipGraphNode_t> reported;  // keeps what hipStreamGetCaptureInfo_v2 pointed at
  // Numbers of pending work (pending_work.h): its last, and what its next must wait for.
  std::uint64_t last = 0;
  std::vector<std::uint64_t> awaited;
  hipError_t late_error = hipSuccess;  // of work that failed after its call had returned
  StreamClock order;
};

struct Event {
  int device = 0;
  unsigned flags = 0;
  std::mutex mutex;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
  // Recorded while its stream was capturing.
  std::shared_ptr<Capture> capture;
  std::vector<Node*> frontier;
  std::uint64_t last = 0;  // the number of the pending work that records it (pending_work.h)
  std::shared_ptr<SharedEvent> shared;  // of an event of several processes
  StreamClock order;
};

Registry<Stream, hipStream_t>& streams();
Registry<Event, hipEvent_t>& events();

// The stream of a handle, the current device's null stream (0 and hipStreamLegacy) and the
// thread's own (hipStreamPerThread) included; nullptr: unknown handle.
std::shared_ptr<Stream> stream_of(hipStream_t handle);
std::shared_ptr<Stream> make_null_stream(Runtime& runtime);
bool is_null(const Stream& stream);
// It and the null stream wait for each other.
inline bool is_blocking(const Stream& stream) {
  return (stream.flags & hipStreamNonBlocking) == 0;
}
// The calling thread's own streams, of all devices that it has used them on.
std::vector<std::shared_ptr<Stream>> own_streams();

// What calls return for a handle of no stream.
hipError_t no_stream();

// A stream whose device works; the rest of the entry point is not reached otherwise.
#define HIP_STREAM(name, handle)                          \
  const std::shared_ptr<Stream> name = stream_of(handle); \
  if (!name) return no_stream();                          \
  HIP_TRY(name->runtime->sticky_error())

// Captures are rare and touch several streams at once: one lock for all.
std::mutex& capture_mutex();
// An error where a capture forbids this thread calls that would wait for the device: any that was
// begun in the global mode, and those that the thread itself began.
hipError_t check_not_capturing();
// The same, and those captures are broken.
hipError_t break_other_captures();
// Waiting for a whole device breaks the captures on it, whatever their mode.
hipError_t break_captures(const Runtime& runtime);
// Ends a capture without a graph; under capture_mutex().
void abandon(const std::shared_ptr<Capture>& capture);

// For the default stream of the _spt functions.
inline hipStream_t per_thread(hipStream_t stream) {
  return stream ? stream : hipStreamPerThread;
}

}  // namespace hipwright::soft::hip
