// SPDX-License-Identifier: MIT
#include "soft/hip/stream_work.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <string_view>
#include <thread>

#include "soft/exec/lost_memory.h"
#include "soft/hip/graph.h"
#include "soft/hip/host_registration.h"
#include "soft/hip/ipc.h"
#include "soft/hip/launch.h"
#include "soft/hip/memory.h"
#include "soft/hip/pool.h"
#include "soft/hip/stream.h"
#include "soft/hip/stream_order.h"

namespace hipwright::soft::hip {

namespace {

std::uint8_t* row(const Region& region, std::size_t slice, std::size_t index) {
  return static_cast<std::uint8_t*>(
      pointer_to(region.base + slice * region.slice_pitch + index * region.pitch));
}

hipError_t run(Runtime&, const EmptyWork&) {
  return hipSuccess;
}

// A graph's kernels may be of other devices than the stream that it is launched in.
hipError_t run(Runtime&, const KernelWork& work) {
  HIP_TRY(work.module->runtime->sticky_error());
  return run_kernel(*work.module->runtime, work);
}

hipError_t check_lost(std::string_view verb) {
  const std::string lost = take_lost_memory();
  if (lost.empty()) return hipSuccess;
  say(fmt::format("cannot {}: {}", verb, lost));
  return hipErrorInvalidValue;
}

hipError_t run(Runtime& runtime, const CopyWork& work) {
  HIP_TRY(check_copy(runtime, work));
  touch(runtime, work.from, work.extent, false);
  touch(runtime, work.to, work.extent, true);
  const DeviceWork device;
  for (std::size_t slice = 0; slice < work.extent.slices; ++slice)
    for (std::size_t i = 0; i < work.extent.rows; ++i)
      std::memmove(row(work.to, slice, i), row(work.from, slice, i), work.extent.bytes);
  return check_lost("copy");
}

hipError_t run(Runtime& runtime, const FillWork& work) {
  HIP_TRY(check_fill(runtime, work));
  touch(runtime, work.to, work.extent, true);
  const DeviceWork device;
  for (std::size_t slice = 0; slice < work.extent.slices; ++slice)
    for (std::size_t i = 0; i < work.extent.rows; ++i) {
      std::uint8_t* bytes = row(work.to, slice, i);
      if (work.element == 1) {
        std::memset(bytes, static_cast<int>(work.value & 0xff), work.extent.bytes);
        continue;
      }
      for (std::size_t at = 0; at < work.extent.bytes; at += work.element)
        std::memcpy(bytes + at, &work.value, work.element);
    }
  return check_lost("fill");
}

hipError_t run(Runtime&, const HostWork& work) {
  work.function(work.data);
  return hipSuccess;
}
hipError_t run(Runtime&, const CallbackWork& work) {
  work.function(work.stream, hipSuccess, work.data);
  return hipSuccess;
}

hipError_t run(Runtime&, const RecordWork& work) {
  const std::lock_guard lock(work.event->mutex);
  work.event->recorded = true;
  work.event->time = std::chrono::steady_clock::now();
  work.event->capture.reset();
  if (work.event->shared) {
    if (!work.counted) work.event->shared->recorded();
    work.event->shared->happened();
  }
  return hipSuccess;
}
// What an event of this process stands for has run: the order of the pending work says so.
hipError_t run(Runtime&, const WaitWork& work) {
  if (const auto& shared = work.event->shared)
    shared->wait_for(work.record ? work.record : shared->records());
  return hipSuccess;
}

hipError_t run(Runtime& runtime, const ChildWork& work) {
  return run_graph(runtime, *work.graph);
}

hipError_t run(Runtime&, const AllocateWork& work) {
  return allocate_graph_memory(work.memory);
}
hipError_t run(Runtime&, const FreeWork& work) {
  if (work.pool) {
    reach_free(*work.pool, work.serial);
    return hipSuccess;
  }
  return release(work.pointer);
}

bool holds(std::uint64_t value, const ValueWork& work) {
  value &= work.mask;
  switch (work.condition) {
    case hipStreamWaitValueGte:
      return work.bytes == 4 ? static_cast<std::int32_t>(value - work.value) >= 0
                             : static_cast<std::int64_t>(value - work.value) >= 0;
    case hipStreamWaitValueEq:
      return value == work.value;
    case hipStreamWaitValueAnd:
      return (value & work.value) != 0;
    default:  // nor
      return (~(value | work.value) & work.mask) != 0;
  }
}

template <class T>
void run_value(const ValueWork& work) {
  std::atomic_ref<T> word(*static_cast<T*>(pointer_to(work.address)));
  if (!work.wait) {
    word.store(static_cast<T>(work.value), std::memory_order_release);
    return;
  }
  // Another thread of the program must write the value.
  while (!holds(word.load(std::memory_order_acquire), work))
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

hipError_t run(Runtime& runtime, const ValueWork& work) {
  const auto allocation = runtime.memory().find(work.address);
  if (!allocation || allocation->end() - work.address < work.bytes ||
      work.address % work.bytes != 0)
    return hipErrorInvalidValue;
  work.bytes == 4 ? run_value<std::uint32_t>(work) : run_value<std::uint64_t>(work);
  return hipSuccess;
}

hipError_t run(Runtime& runtime, const BatchWork& work) {
  for (const auto& operation : work.operations) {
    std::optional<ValueWork> value;
    HIP_TRY(batch_operation(operation, value));
    if (value) HIP_TRY(run(runtime, *value));
  }
  return hipSuccess;
}

}  // namespace

hipError_t execute(Runtime& runtime, const Work& work) {
  return std::visit([&](const auto& one) { return run(runtime, one); }, work);
}

}  // namespace hipwright::soft::hip
