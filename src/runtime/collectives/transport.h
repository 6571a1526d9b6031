// SPDX-License-Identifier: MIT
// How ranks exchange data. Collectives has checked the arguments.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "hipwright/multi_gpu.h"
#include "runtime/collectives/nccl_api.h"

namespace hipwright::runtime {

// A device and the stream that this call's work goes to.
struct Rank {
  device::Device* driver;
  device::Stream stream;
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::string name() const = 0;
  virtual device::Done all_reduce(std::span<const Rank> ranks, std::span<void* const> buffers,
                                  std::size_t elements, DataType type, Reduction reduction) = 0;
  virtual device::Done broadcast(std::span<const Rank> ranks, std::span<void* const> buffers,
                                 std::size_t bytes, std::size_t root) = 0;
  virtual device::Done all_gather(std::span<const Rank> ranks, std::span<const void* const> send,
                                  std::span<void* const> receive, std::size_t bytes) = 0;
  // The error since the work was submitted.
  virtual device::Done check() = 0;
};

using Drivers = std::vector<std::shared_ptr<device::Device>>;

std::unique_ptr<Transport> make_host_transport();

// The devices are all of kind hip, or all of kind cuda.
device::Outcome<std::unique_ptr<Transport>> make_nccl_transport(const Drivers& drivers,
                                                                std::shared_ptr<const NcclApi> api);

}  // namespace hipwright::runtime
