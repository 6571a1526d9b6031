// SPDX-License-Identifier: MIT
// The state behind the public Graph.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.h"
#include "hipwright/graph.h"
#include "hipwright/memory.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

struct GraphState {
  std::string name;
  std::shared_ptr<device::Device> driver;
  Stream stream;     // that it was captured on
  PrivatePool pool;  // of allocations during capture; empty without a memory manager

  std::mutex mutex;  // of what follows
  device::Graph native = nullptr;
  std::vector<std::shared_ptr<KernelState>> kernels;
  std::vector<Stream> replayed_on;

  // Waits for its replays.
  ~GraphState();
};

using Work = std::function<void(const Stream&)>;

// Without `pool`, the graph does not own the memory that `work` allocates from a memory manager.
std::shared_ptr<GraphState> capture_graph(std::shared_ptr<device::Device> driver,
                                          const std::string& name, PrivatePool pool,
                                          const Work& work);

}  // namespace hipwright::runtime
