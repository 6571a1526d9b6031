// SPDX-License-Identifier: MIT
// Several devices at once: concurrent work, peer access, collectives.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hipwright/checkpoint.h"
#include "hipwright/device.h"
#include "hipwright/memory.h"

namespace hipwright {

// Calls work(device, rank) for every device, each on its own thread, and waits for all. If several
// throw, the exception of the lowest rank is rethrown after the others have ended.
void coordinate(const std::vector<Device>& devices,
                const std::function<void(const Device&, std::size_t rank)>& work);

bool can_access_peer(const Device& from, const Device& to);
void enable_peer_access(const Device& from, const Device& to);
// Directly between devices of the same kind, otherwise through the host. Waits for the copy.
void copy_between(void* to, const Device& to_device, const void* from, const Device& from_device,
                  std::size_t bytes);

enum class Reduction { kSum, kProduct, kMin, kMax };

// A group of ranks, one per device, all in this process. Real GPUs use RCCL or NCCL, found at run
// time (HIPWRIGHT_RCCL and HIPWRIGHT_NCCL name the file), which require a separate GPU for every
// rank. The CPU and the software GPU exchange data through host memory, where ranks may share a
// device. Work is ordered by each rank's current stream of the calling thread. RCCL and NCCL calls
// return after submission, host-memory calls after completion. Thread-safe: one call at a time.
//
// Through host memory integers wrap, BOOL sums are "or" and products "and", F16, BF16 and F8 are
// computed in float over all ranks and rounded once, to the nearest, ties to even; F8 results that
// are too large become the largest finite number; min and max prefer a number to a NaN. RCCL
// and NCCL compute in their own order, do not reduce BOOL, I16 and U16, and F8 from version 2.24 on
// GPUs that compute with OCP F8 only: AMDDeviceError otherwise.
class Collectives {
 public:
  // Throws ROCmNotAvailableError if the devices need a library that is missing, and AMDDeviceError
  // if they are of different kinds.
  explicit Collectives(std::vector<Device> devices);
  Collectives(Collectives&&) noexcept;
  Collectives& operator=(Collectives&&) noexcept;
  ~Collectives();

  std::size_t size() const;
  std::string transport() const;  // "RCCL 2.22.3", "NCCL 2.27.7", "host memory"

  // One buffer per rank. `elements` of `type` in each; all_gather's receive buffers hold
  // size() times as many.
  void all_reduce(const std::vector<void*>& buffers, std::size_t elements, DataType type,
                  Reduction reduction = Reduction::kSum);
  void broadcast(const std::vector<void*>& buffers, std::size_t elements, DataType type,
                 std::size_t root);
  void all_gather(const std::vector<const void*>& send, const std::vector<void*>& receive,
                  std::size_t elements, DataType type);
  void synchronize();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hipwright
