// SPDX-License-Identifier: MIT
// Kernels of the cpu device: C++ functions registered under the name of the GPU kernel that they
// replace. A function runs one block at a time; blocks run in parallel on the host's threads.
//
//   const hipwright::CpuKernel saxpy("saxpy",
//       [](const hipwright::CpuBlock& block, float a, const float* x, float* y, unsigned n) {
//         block.each_thread([&](hipwright::Dim3 thread) {
//           const unsigned i = block.index.x * block.size.x + thread.x;
//           if (i < n) y[i] += a * x[i];
//         });
//       });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "hipwright/device.h"

namespace hipwright {

struct CpuBlock {
  Dim3 index, size, grid;  // blockIdx, blockDim, gridDim
  std::byte* shared;       // dynamic shared memory of this block
  std::size_t shared_bytes;

  // Calls body(threadIdx) for every thread of the block. The boundary between two such loops is a
  // barrier of the block.
  template <class Body>
  void each_thread(Body&& body) const {
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y)
        for (unsigned x = 0; x < size.x; ++x) body(Dim3{x, y, z});
  }
};

// Takes addresses of the arguments, in order.
using CpuFunction = std::function<void(const CpuBlock&, const void* const*)>;

// Replaces a kernel of the same name.
void register_cpu_kernel(std::string name, std::vector<std::size_t> argument_sizes,
                         CpuFunction function);

class CpuKernel {
 public:
  template <class Function>
  CpuKernel(std::string name, Function function)
      : CpuKernel(std::move(name), std::function{std::move(function)}) {}

 private:
  template <class... Args>
  CpuKernel(std::string name, std::function<void(const CpuBlock&, Args...)> function) {
    static_assert((std::is_trivially_copyable_v<std::decay_t<Args>> && ...),
                  "kernel arguments are copied as bytes");
    register_cpu_kernel(
        std::move(name), {sizeof(std::decay_t<Args>)...},
        [function = std::move(function)](const CpuBlock& block, const void* const* arguments) {
          call(function, block, arguments, std::index_sequence_for<Args...>{});
        });
  }
  template <class... Args, std::size_t... I>
  static void call(const std::function<void(const CpuBlock&, Args...)>& function,
                   const CpuBlock& block, [[maybe_unused]] const void* const* arguments,
                   std::index_sequence<I...>) {
    function(block, *static_cast<const std::decay_t<Args>*>(arguments[I])...);
  }
};

}  // namespace hipwright
