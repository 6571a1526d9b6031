// SPDX-License-Identifier: MIT
// What streams and graphs are made of: one piece of work, as data.
//
// When it runs depends on the schedule (pending_work.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "soft/hip/graph_memory.h"
#include "soft/hip/module.h"

namespace hipwright::soft::hip {

struct Event;
struct Graph;
struct Pool;

struct KernelWork {
  std::shared_ptr<Module> module;  // keeps the code loaded
  std::shared_ptr<Function> function;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::array<std::uint32_t, 3> threads{0, 0, 0};  // see LaunchRequest
  std::uint32_t dynamic_lds = 0;
  int cooperative = 0;  // 0: no; a graph's node keeps the value that it was given
  std::vector<std::byte> arguments;
  std::vector<void*> parameters;  // filled when a node's parameters are asked for
  struct Attributes {             // of a graph's node
    int priority = 0;
    hipAccessPolicyWindow window{};
  } attributes;
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
  hipMemcpy3DParms parameters{};                    // as given, for hipGraphMemcpyNodeGetParams
  std::optional<HIP_MEMCPY3D> driver_parameters{};  // the same of hipDrvGraphAddMemcpyNode
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
  bool counted = false;  // other processes know of it already
};
struct WaitWork {
  std::shared_ptr<Event> event;
  std::uint64_t record = 0;  // of an event of several processes: which one
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct FreeWork {
  void* pointer = nullptr;
  std::shared_ptr<Pool> pool{};  // that holds the memory; without one it is released
  std::uint64_t serial = 0;
};
struct ValueWork {  // hipStreamWaitValue, hipStreamWriteValue
  std::uint64_t address = 0;
  std::uint64_t value = 0, mask = ~0ULL;
  unsigned bytes = 4;
  bool wait = false;
  unsigned condition = 0;
};
struct BatchWork {  // hipStreamBatchMemOp
  std::vector<hipStreamBatchMemOpParams> operations;
  hipCtx_t context = nullptr;
  unsigned flags = 0;
};
struct AllocateWork {  // hipGraphAddMemAllocNode
  GraphMemoryRef memory;
  hipMemAllocNodeParams parameters{};
};
struct EmptyWork {};

using Work =
    std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, CallbackWork, RecordWork,
                 WaitWork, ChildWork, FreeWork, ValueWork, BatchWork, AllocateWork>;

// Runs it now.
hipError_t execute(Runtime& runtime, const Work& work);

// In stream order: runs it, or adds it to the graph that the stream records.
hipError_t submit(hipStream_t stream, Work work);

// Rejects what does not lie in live allocations, before anything is touched.
hipError_t check_copy(Runtime& runtime, const CopyWork& copy);
hipError_t check_fill(Runtime& runtime, const FillWork& fill);
constexpr bool is_copy_kind(hipMemcpyKind kind) {
  return (kind >= hipMemcpyHostToHost && kind <= hipMemcpyDefault) ||
         kind == hipMemcpyDeviceToDeviceNoCU;
}
// Where a region lies in an allocation that exists, it must end there, too. Memory of graphs may
// not exist yet.
bool fits(const Region& region, const Extent& extent);
bool is_device_memory(std::uint64_t address);

// One operation of a batch as work of its own; nullopt: none is needed. The error is for the
// caller.
hipError_t batch_operation(const hipStreamBatchMemOpParams& operation,
                           std::optional<ValueWork>& out);

// Kernel arguments from one pointer per parameter, or from the "extra" list.
hipError_t pack_arguments(const Function& function, void** parameters, void** extra,
                          std::vector<std::byte>& out);

}  // namespace hipwright::soft::hip
