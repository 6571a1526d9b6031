// SPDX-License-Identifier: MIT
// Where the values of a run are: in host memory, in the device's, or in both.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "graph/ir/tensor.h"
#include "hipwright/kernels.h"
#include "hipwright/memory.h"
#include "hipwright/utilities.h"

namespace hipwright::graph {

// A tensor of a run. Copies share the memory.
struct RunValue {
  ElementType type = ElementType::kUndefined;
  Dims dims;
  std::shared_ptr<const std::string> host;  // empty: not there
  std::shared_ptr<DeviceBuffer> memory;     // empty: not there; on the CPU always

  explicit RunValue(const Tensor& tensor)
      : type(tensor.type), dims(tensor.dims), host(tensor.bytes) {}
  RunValue(ElementType of, Dims shape) : type(of), dims(std::move(shape)) {}

  std::int64_t count() const;
  std::size_t bytes() const { return static_cast<std::size_t>(count()) * size_of(type); }
  // The same elements with other dimensions.
  RunValue with_dims(Dims shape) const;
};

// Makes values, and moves them between host and device. Its calls throw what the runtime throws.
class Store {
 public:
  explicit Store(const Device& device);

  kernels::Kernels& kernels() { return kernels_; }
  const Device& device() const { return kernels_.device(); }

  // Elements for the device to read. What is in host memory only is copied first, and stays on the
  // device.
  const void* to_read(RunValue& value);
  // A value without contents, and where the device writes them.
  std::pair<RunValue, void*> to_write(ElementType type, Dims dims);
  // Waits for the device, and copies what is on it only.
  Tensor on_host(RunValue& value);
  // A row of zeros, made once.
  const void* zeros(ElementType type, std::int64_t count);
  // On the CPU values are freed with their last use, so each node waits.
  void finish_node();

  std::uint64_t copied_bytes() const { return copied_bytes_; }  // in both directions

 private:
  void copy_in(void* to, const std::string& from);

  AMDMemoryManager memory_;
  HIPUtilities utilities_;
  kernels::Kernels kernels_;
  const bool on_cpu_;
  std::map<ElementType, RunValue> zeros_;
  std::uint64_t copied_bytes_ = 0;
};

}  // namespace hipwright::graph
