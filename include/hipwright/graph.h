// SPDX-License-Identifier: MIT
// Work captured once and replayed with one call.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hipwright/device.h"
#include "hipwright/kernel_arguments.h"

namespace hipwright {

namespace runtime {
struct GraphState;
}

// Created by HIPUtilities::capture_graph(). Owns the memory allocated during the capture.
class Graph {
 public:
  Graph() = default;
  explicit Graph(std::shared_ptr<runtime::GraphState> state) : state_(std::move(state)) {}

  void replay(const Stream& stream = {}) const;  // empty: the stream it was captured on

  // Its kernels, in the order of capture; a name that the runtime does not report is empty.
  std::vector<std::string> kernels() const;

  // Replaces the arguments of the kernel_node-th launch, with the same number and sizes.
  template <class... Args>
  void set_arguments(std::size_t kernel_node, const Args&... arguments) const {
    set_argument_list(kernel_node, KernelArguments<Args...>(arguments...));
  }
  void set_argument_list(std::size_t kernel_node, std::span<const KernelArgument> arguments) const;

  // Captures again and adopts the new parameters; the work must have the same shape.
  void update(const std::function<void(const Stream&)>& work) const;

  const std::shared_ptr<runtime::GraphState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::GraphState> state_;
};

}  // namespace hipwright
