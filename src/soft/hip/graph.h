// SPDX-License-Identifier: MIT
// Graphs: nodes of work with edges, and their executable copies.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "soft/hip/registry.h"
#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

struct Node {
  Graph* graph = nullptr;
  Work work;
  std::vector<Node*> dependencies;
  const Node* original = nullptr;  // in the graph that this one is a copy of
  bool enabled = true;
  hipGraphNodeType type() const;
};

struct UserObject {
  void* pointer = nullptr;
  hipHostFn_t destroy = nullptr;
  std::uint64_t references = 0;
};

struct Graph : std::enable_shared_from_this<Graph> {
  std::vector<std::shared_ptr<Node>> nodes;  // in the order of their making
  std::unordered_map<hipUserObject_t, unsigned> objects;
  bool instantiated = false;
  ~Graph();

  Node* add(Work work, const std::vector<Node*>& dependencies);
  // Every node after those it depends on; empty when there is a cycle.
  std::vector<Node*> in_order() const;
  // Whether some nodes may run at the same time.
  bool has_branches() const;
  std::shared_ptr<Graph> clone() const;
  Node* copy_of(const Node* original) const;
};

struct GraphExec {
  std::shared_ptr<Graph> graph;  // our own copy
  std::vector<Node*> order;
  unsigned long long flags = 0;
};

Registry<Graph, hipGraph_t>& graphs();
Registry<GraphExec, hipGraphExec_t>& graph_execs();
Registry<Node, hipGraphNode_t>& graph_nodes();
// Graphs may be built by one thread while another launches: one lock for all of them.
std::recursive_mutex& graph_mutex();

hipError_t run_graph(Runtime& runtime, const Graph& graph);

// A node from the parameters of the API; what is wrong with them is the error.
hipError_t kernel_work(const hipKernelNodeParams& parameters, KernelWork& out);
hipError_t copy_work(const hipMemcpy3DParms& parameters, CopyWork& out);
hipError_t driver_copy_work(const HIP_MEMCPY3D& parameters, CopyWork& out);
hipError_t fill_work(const hipMemsetParams& parameters, FillWork& out);
CopyWork linear_copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind);

// hipGraphAdd*: adds `work` after `dependencies`.
hipError_t add_node(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* dependencies,
                    std::size_t count, Work work);

}  // namespace hipwright::soft::hip
