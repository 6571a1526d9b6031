// SPDX-License-Identifier: MIT
// What streams and graphs are made of: one piece of work, as data.
//
// Streams run their work at once, but under a random schedule (pending_work.h): an asynchronous
// call has finished when it returns. HIP promises no more than order within a stream, so this is a
// legal (and the simplest) execution; what it cannot run are programs whose kernel waits for the
// host to go on after the launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "soft/hip/module.h"

namespace hipwright::soft::hip {

struct Event;
struct Graph;

struct KernelWork {
  std::shared_ptr<Module> module;  // keeps the code loaded
  std::shared_ptr<Function> function;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::array<std::uint32_t, 3> threads{0, 0, 0};  // see LaunchRequest
  std::uint32_t dynamic_lds = 0;
  bool cooperative = false;
  std::vector<std::byte> arguments;
  std::vector<void*> parameters;  // filled when a node's parameters are asked for
};

// Rows of bytes: `rows` per slice, `slices` of them.
struct Region {
  std::uint64_t base = 0;
  std::size_t pitch = 0;        // from row to row
  std::size_t slice_pitch = 0;  // from slice to slice
};
struct Extent {
  std::size_t bytes = 0, rows = 1, slices = 1;
  bool empty() const { return bytes == 0 || rows == 0 || slices == 0; }
};

struct CopyWork {
  Region to, from;
  Extent extent;
  hipMemcpyKind kind = hipMemcpyDefault;
  hipMemcpy3DParms parameters{};  // as given, for hipGraphMemcpyNodeGetParams
};

struct FillWork {
  Region to;
  Extent extent;  // bytes: a multiple of `element`
  std::uint32_t value = 0;
  unsigned element = 1;  // bytes: 1, 2 or 4
};

struct HostWork {
  hipHostFn_t function = nullptr;
  void* data = nullptr;
};
struct CallbackWork {
  hipStreamCallback_t function = nullptr;
  hipStream_t stream = nullptr;
  void* data = nullptr;
};
struct RecordWork {
  std::shared_ptr<Event> event;
};
struct WaitWork {
  std::shared_ptr<Event> event;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct FreeWork {
  void* pointer = nullptr;
};
struct ValueWork {  // hipStreamWaitValue, hipStreamWriteValue
  std::uint64_t address = 0;
  std::uint64_t value = 0, mask = ~0ULL;
  unsigned bytes = 4;
  bool wait = false;
  unsigned condition = 0;
};
struct EmptyWork {};

using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, CallbackWork,
                          RecordWork, WaitWork, ChildWork, FreeWork, ValueWork>;

// Runs it now.
hipError_t execute(Runtime& runtime, const Work& work);

// In stream order: runs it, or adds it to the graph that the stream records.
hipError_t submit(hipStream_t stream, Work work);

// Rejects what does not lie in live allocations, before anything is touched.
hipError_t check_copy(Runtime& runtime, const CopyWork& copy);
hipError_t check_fill(Runtime& runtime, const FillWork& fill);

// Kernel arguments from one pointer per parameter, or from the "extra" list.
hipError_t pack_arguments(const Function& function, void** parameters, void** extra,
                          std::vector<std::byte>& out);

}  // namespace hipwright::soft::hip
