// SPDX-License-Identifier: MIT
// Graphs as a whole: building, copying, instantiating, launching.
#include "soft/hip/graph.h"

#include <algorithm>
#include <climits>
#include <fstream>
#include <unordered_set>

#include "soft/hip/stream.h"
#include "soft/hip/stream_order.h"

namespace hipwright::soft::hip {

namespace {

Registry<UserObject, hipUserObject_t>& user_objects() {
  static auto* const registry = new Registry<UserObject, hipUserObject_t>;
  return *registry;
}

hipError_t drop_references(hipUserObject_t handle, unsigned count) {
  if (!handle || count == 0 || count > INT_MAX) return hipErrorInvalidValue;
  const auto object = user_objects().find(handle);
  // More than there are: ROCm reports success, and nothing happens.
  if (!object || count > object->references) return hipSuccess;
  object->references -= count;
  if (object->references == 0) {
    user_objects().remove(handle);
    object->destroy(object->pointer);
  }
  return hipSuccess;
}

hipGraphNode_t handle_of(const Node* node) {
  return Registry<Node, hipGraphNode_t>::handle_of(node);
}

// The usual way to return a list: with no place for it, only its length.
template <class Element>
hipError_t give_list(const std::vector<Element>& list, Element* out, std::size_t* count) {
  if (!count) return hipErrorInvalidValue;
  if (out) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < list.size() ? list[i] : Element{};
    *count = std::min(*count, list.size());
  } else {
    *count = list.size();
  }
  return hipSuccess;
}

bool is_memory_node(const Node& node) {
  return std::holds_alternative<AllocateWork>(node.work) ||
         std::holds_alternative<FreeWork>(node.work);
}

hipError_t instantiate(hipGraphExec_t* out, hipGraph_t handle, unsigned long long flags) {
  const auto graph = graphs().find(handle);
  if (!out || !graph) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  // As in ROCm, one at a time; graphs cannot be launched by kernels.
  if (flags != 0 && flags != hipGraphInstantiateFlagAutoFreeOnLaunch &&
      flags != hipGraphInstantiateFlagUpload && flags != hipGraphInstantiateFlagUseNodePriority)
    return hipErrorInvalidValue;
  const std::lock_guard lock(graph_mutex());
  // Two executable graphs would allocate the same addresses.
  const bool has_memory =
      std::ranges::any_of(graph->nodes, [](const auto& node) { return is_memory_node(*node); });
  if (has_memory && graph->instantiated) return hipErrorNotSupported;
  auto exec = std::make_shared<GraphExec>();
  exec->graph = graph->clone();
  exec->order = exec->graph->in_order();
  exec->flags = flags;
  if (exec->order.size() != exec->graph->nodes.size()) return hipErrorInvalidValue;
  graph->instantiated = true;
  *out = graph_execs().add(std::move(exec));
  return hipSuccess;
}

// What an earlier launch allocated and did not free.
hipError_t free_left_over(const GraphExec& exec) {
  for (const Node* node : exec.order) {
    const auto* work = std::get_if<AllocateWork>(&node->work);
    if (!work || !is_allocated(*work->memory)) continue;
    if (!(exec.flags & hipGraphInstantiateFlagAutoFreeOnLaunch)) return hipErrorInvalidValue;
    free_graph_memory(pointer_to(work->memory->begin));
  }
  return hipSuccess;
}

hipError_t launch_graph(hipGraphExec_t handle, hipStream_t stream) {
  const auto exec = graph_execs().find(handle);
  if (!exec) return hipErrorInvalidValue;
  HIP_TRY(free_left_over(*exec));
  {
    HIP_RUNTIME(runtime);
    const std::lock_guard lock(graph_mutex());
    if (exec->graph->has_branches()) order_streams(runtime);
  }
  // A launch of a graph is one piece of work of the stream; during capture, it is a child.
  return submit(stream, ChildWork{exec->graph});
}

hipError_t change_edges(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                        std::size_t count, bool add) {
  const auto graph = graphs().find(handle);
  if (!graph) return hipErrorInvalidValue;
  if (count == 0) return hipSuccess;
  if (!from || !to) return hipErrorInvalidValue;
  const std::lock_guard lock(graph_mutex());
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = graph_nodes().find(from[i]), second = graph_nodes().find(to[i]);
    if (!first || !second || first == second || first->graph != graph.get() ||
        second->graph != graph.get())
      return hipErrorInvalidValue;
    auto& list = second->dependencies;
    const auto found = std::ranges::find(list, first.get());
    if (add == (found != list.end())) return hipErrorInvalidValue;
    add ? list.push_back(first.get()) : static_cast<void>(list.erase(found));
  }
  return hipSuccess;
}

// Whether `b` can take the place of `a` in an executable graph.
hipGraphExecUpdateResult compare(const Node& a, const Node& b) {
  if (a.work.index() != b.work.index()) return hipGraphExecUpdateErrorNodeTypeChanged;
  if (const auto* child = std::get_if<ChildWork>(&a.work))
    if (child->graph->nodes.size() != std::get<ChildWork>(b.work).graph->nodes.size())
      return hipGraphExecUpdateErrorTopologyChanged;
  if (const auto* copy = std::get_if<CopyWork>(&a.work))
    if (copy->kind != std::get<CopyWork>(b.work).kind)
      return hipGraphExecUpdateErrorParametersChanged;
  return hipGraphExecUpdateSuccess;
}

hipError_t update(GraphExec& exec, const Graph& graph, hipGraphNode_t* error_node,
                  hipGraphExecUpdateResult* result) {
  const auto report = [&](hipGraphExecUpdateResult why, const Node* node) {
    *result = why;
    if (error_node) *error_node = node ? handle_of(node) : nullptr;
    return why == hipGraphExecUpdateSuccess ? hipSuccess : hipErrorGraphExecUpdateFailure;
  };
  const std::lock_guard lock(graph_mutex());
  const auto& ours = exec.graph->nodes;
  if (ours.size() != graph.nodes.size())
    return report(hipGraphExecUpdateErrorTopologyChanged, nullptr);
  std::unordered_map<const Node*, std::size_t> index, index_of_new;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    index[ours[i].get()] = i;
    index_of_new[graph.nodes[i].get()] = i;
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const Node& node = *graph.nodes[i];
    if (const auto why = compare(*ours[i], node); why != hipGraphExecUpdateSuccess)
      return report(why, &node);
    std::vector<std::size_t> old_edges, new_edges;
    for (const Node* edge : ours[i]->dependencies) old_edges.push_back(index[edge]);
    for (const Node* edge : node.dependencies) new_edges.push_back(index_of_new[edge]);
    std::ranges::sort(old_edges);
    std::ranges::sort(new_edges);
    if (old_edges != new_edges) return report(hipGraphExecUpdateErrorTopologyChanged, &node);
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const Node& node = *graph.nodes[i];
    ours[i]->work = node.work;
    if (const auto* child = std::get_if<ChildWork>(&node.work))
      ours[i]->work = ChildWork{child->graph->clone()};
  }
  return report(hipGraphExecUpdateSuccess, nullptr);
}

const char* name_of(hipGraphNodeType type) {
  constexpr const char* kNames[] = {"kernel",      "memcpy",    "memset",           "host",
                                    "graph",       "empty",     "event wait",       "event record",
                                    "signal",      "wait",      "allocate",         "free",
                                    "from symbol", "to symbol", "memory operations"};
  return kNames[type];
}

}  // namespace

std::recursive_mutex& graph_mutex() {
  static auto* const mutex = new std::recursive_mutex;
  return *mutex;
}
Registry<Graph, hipGraph_t>& graphs() {
  static auto* const registry = new Registry<Graph, hipGraph_t>;
  return *registry;
}
Registry<GraphExec, hipGraphExec_t>& graph_execs() {
  static auto* const registry = new Registry<GraphExec, hipGraphExec_t>;
  return *registry;
}
Registry<Node, hipGraphNode_t>& graph_nodes() {
  static auto* const registry = new Registry<Node, hipGraphNode_t>;
  return *registry;
}

hipGraphNodeType Node::type() const {
  constexpr hipGraphNodeType kTypes[] = {
      hipGraphNodeTypeEmpty,       hipGraphNodeTypeKernel,     hipGraphNodeTypeMemcpy,
      hipGraphNodeTypeMemset,      hipGraphNodeTypeHost,       hipGraphNodeTypeHost,
      hipGraphNodeTypeEventRecord, hipGraphNodeTypeWaitEvent,  hipGraphNodeTypeGraph,
      hipGraphNodeTypeMemFree,     hipGraphNodeTypeBatchMemOp, hipGraphNodeTypeBatchMemOp,
      hipGraphNodeTypeMemAlloc};
  static_assert(std::size(kTypes) == std::variant_size_v<Work>);
  return kTypes[work.index()];
}

Graph::~Graph() {
  for (const auto& node : nodes) graph_nodes().remove(handle_of(node.get()));
  for (const auto& [object, count] : objects) static_cast<void>(drop_references(object, count));
}

Node* Graph::add(Work work, const std::vector<Node*>& dependencies) {
  auto node = std::make_shared<Node>();
  node->graph = this;
  node->work = std::move(work);
  node->dependencies = dependencies;
  nodes.push_back(node);
  graph_nodes().add(node);
  return node.get();
}

std::vector<Node*> Graph::in_order() const {
  std::unordered_map<const Node*, std::size_t> missing;
  std::unordered_map<const Node*, std::vector<Node*>> dependents;
  std::vector<Node*> order;
  for (const auto& node : nodes) {
    missing[node.get()] = node->dependencies.size();
    for (const Node* before : node->dependencies) dependents[before].push_back(node.get());
    if (node->dependencies.empty()) order.push_back(node.get());
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (Node* next : dependents[order[i]])
      if (--missing[next] == 0) order.push_back(next);
  return order;
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  std::unordered_map<const Node*, Node*> of;
  for (const auto& node : nodes) {
    Node* twin = copy->add(node->work, {});
    if (const auto* child = std::get_if<ChildWork>(&node->work))
      twin->work = ChildWork{child->graph->clone()};
    twin->original = node.get();
    twin->enabled = node->enabled;
    of[node.get()] = twin;
  }
  for (const auto& node : nodes)
    for (const Node* before : node->dependencies)
      of[node.get()]->dependencies.push_back(of[before]);
  for (const auto& [object, count] : objects)
    if (const auto user = user_objects().find(object)) {
      user->references += count;
      copy->objects[object] = count;
    }
  return copy;
}

Node* Graph::copy_of(const Node* original) const {
  for (const auto& node : nodes)
    if (node->original == original) return node.get();
  return nullptr;
}

bool Graph::has_branches() const {
  std::unordered_set<const Node*> followed;
  std::size_t roots = 0;
  for (const auto& node : nodes) {
    if (const auto* child = std::get_if<ChildWork>(&node->work))
      if (child->graph->has_branches()) return true;
    if (node->dependencies.empty() && ++roots > 1) return true;
    for (const Node* before : node->dependencies)
      if (!followed.insert(before).second) return true;
  }
  return false;
}

hipError_t run_graph(Runtime& runtime, const Graph& graph) {
  struct Step {
    bool enabled = true;
    Work work;
    std::vector<std::size_t> behind;  // steps
  };
  std::vector<Step> steps;
  {
    const std::lock_guard lock(graph_mutex());
    std::unordered_map<const Node*, std::size_t> position;
    for (const Node* node : graph.in_order()) {
      position[node] = steps.size();
      Step& step = steps.emplace_back(Step{node->enabled, node->work, {}});
      for (const Node* before : node->dependencies) step.behind.push_back(position[before]);
    }
  }
  OrderedGraph ordered;
  for (const Step& step : steps) {
    const OrderedNode node(ordered, step.work, step.behind);
    if (step.enabled) HIP_TRY(execute(runtime, step.work));
  }
  return hipSuccess;
}

hipError_t add_node(hipGraphNode_t* out, hipGraph_t handle, const hipGraphNode_t* dependencies,
                    std::size_t count, Work work) {
  const auto graph = graphs().find(handle);
  if (!out || !graph || (count > 0 && !dependencies)) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  const std::lock_guard lock(graph_mutex());
  std::vector<Node*> before;
  for (std::size_t i = 0; i < count; ++i) {
    const auto node = graph_nodes().find(dependencies[i]);
    if (!node || node->graph != graph.get() ||
        std::ranges::find(before, node.get()) != before.end())
      return hipErrorInvalidValue;
    before.push_back(node.get());
  }
  *out = handle_of(graph->add(std::move(work), before));
  return hipSuccess;
}

extern "C" {

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
  return api([&] {
    if (!graph || flags != 0) return hipErrorInvalidValue;
    *graph = graphs().add(std::make_shared<Graph>());
    return hipSuccess;
  });
}
hipError_t hipGraphDestroy(hipGraph_t graph) {
  return api([&] { return graphs().remove(graph) ? hipSuccess : hipErrorInvalidValue; });
}
hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original) {
  return api([&] {
    const auto graph = graphs().find(original);
    if (!clone || !graph) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    *clone = graphs().add(graph->clone());
    return hipSuccess;
  });
}
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* out, hipGraphNode_t original, hipGraph_t clone) {
  return api([&] {
    const auto graph = graphs().find(clone);
    const auto node = graph_nodes().find(original);
    if (!out || !graph || !node) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    const Node* copy = graph->copy_of(node.get());
    if (!copy) return hipErrorInvalidValue;
    *out = handle_of(copy);
    return hipSuccess;
  });
}

hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* out, std::size_t* count) {
  return api([&] {
    const auto graph = graphs().find(handle);
    if (!graph) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    std::vector<hipGraphNode_t> list;
    for (const auto& node : graph->nodes) list.push_back(handle_of(node.get()));
    return give_list(list, out, count);
  });
}
hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* out, std::size_t* count) {
  return api([&] {
    const auto graph = graphs().find(handle);
    if (!graph) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    std::vector<hipGraphNode_t> list;
    for (const auto& node : graph->nodes)
      if (node->dependencies.empty()) list.push_back(handle_of(node.get()));
    return give_list(list, out, count);
  });
}
hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to,
                            std::size_t* count) {
  return api([&] {
    const auto graph = graphs().find(handle);
    if (!graph || !count || !from != !to) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    std::vector<hipGraphNode_t> sources, sinks;
    for (const auto& node : graph->nodes)
      for (const Node* before : node->dependencies) {
        sources.push_back(handle_of(before));
        sinks.push_back(handle_of(node.get()));
      }
    std::size_t first_count = *count;
    HIP_TRY(give_list(sources, from, &first_count));
    return give_list(sinks, to, count);
  });
}
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                   const hipGraphNode_t* to, std::size_t count) {
  return api([&] { return change_edges(graph, from, to, count, true); });
}
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                      const hipGraphNode_t* to, std::size_t count) {
  return api([&] { return change_edges(graph, from, to, count, false); });
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* out,
                                       std::size_t* count) {
  return api([&] {
    const auto node = graph_nodes().find(handle);
    if (!node) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    std::vector<hipGraphNode_t> list;
    for (const Node* before : node->dependencies) list.push_back(handle_of(before));
    return give_list(list, out, count);
  });
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* out,
                                         std::size_t* count) {
  return api([&] {
    const auto node = graph_nodes().find(handle);
    if (!node) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    std::vector<hipGraphNode_t> list;
    for (const auto& other : node->graph->nodes)
      if (std::ranges::find(other->dependencies, node.get()) != other->dependencies.end())
        list.push_back(handle_of(other.get()));
    return give_list(list, out, count);
  });
}
hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  return api([&] {
    const auto node = graph_nodes().find(handle);
    if (!node || !type) return hipErrorInvalidValue;
    *type = node->type();
    return hipSuccess;
  });
}
hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  return api([&] {
    const std::lock_guard lock(graph_mutex());
    auto node = graph_nodes().find(handle);
    if (!node) return hipErrorInvalidValue;
    if (is_memory_node(*node)) return hipErrorNotSupported;
    node = graph_nodes().remove(handle);
    for (const auto& other : node->graph->nodes) std::erase(other->dependencies, node.get());
    std::erase(node->graph->nodes, node);
    return hipSuccess;
  });
}

hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* error_node,
                               char* log, std::size_t log_size) {
  return api([&] {
    if (error_node) *error_node = nullptr;
    if (log && log_size) *log = '\0';
    return instantiate(exec, graph, 0);
  });
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph,
                                        unsigned long long flags) {
  return api([&] { return instantiate(exec, graph, flags); });
}
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* exec, hipGraph_t graph,
                                         hipGraphInstantiateParams* parameters) {
  return api([&] {
    if (!parameters) return hipErrorInvalidValue;
    const hipError_t result = instantiate(exec, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out =
        result == hipSuccess ? hipGraphInstantiateSuccess : hipGraphInstantiateError;
    return result;
  });
}
hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return api([&] { return graph_execs().remove(exec) ? hipSuccess : hipErrorInvalidValue; });
}
hipError_t hipGraphExecGetFlags(hipGraphExec_t handle, unsigned long long* flags) {
  return api([&] {
    const auto exec = graph_execs().find(handle);
    if (!exec || !flags) return hipErrorInvalidValue;
    *flags = exec->flags;
    return hipSuccess;
  });
}
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return api([&] {
    return graph_execs().find(exec) && stream_of(stream) ? hipSuccess : hipErrorInvalidValue;
  });
}
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return api([&] { return launch_graph(exec, stream); });
}
hipError_t hipGraphExecUpdate(hipGraphExec_t exec_handle, hipGraph_t graph_handle,
                              hipGraphNode_t* error_node, hipGraphExecUpdateResult* result) {
  return api([&] {
    const auto exec = graph_execs().find(exec_handle);
    const auto graph = graphs().find(graph_handle);
    if (!exec || !graph || !result) return hipErrorInvalidValue;
    return update(*exec, *graph, error_node, result);
  });
}

hipError_t hipGraphDebugDotPrint(hipGraph_t handle, const char* path, unsigned) {
  return api([&] {
    const auto graph = graphs().find(handle);
    if (!graph || !path) return hipErrorInvalidValue;
    std::ofstream file(path);
    const std::lock_guard lock(graph_mutex());
    file << "digraph hip_graph {\n";
    std::unordered_map<const Node*, std::size_t> index;
    for (const auto& node : graph->nodes) {
      const std::size_t number = index.size();
      index[node.get()] = number;
      file << "  n" << number << " [label=\"" << number << ": " << name_of(node->type())
           << "\"];\n";
    }
    for (const auto& node : graph->nodes)
      for (const Node* before : node->dependencies)
        file << "  n" << index[before] << " -> n" << index[node.get()] << ";\n";
    file << "}\n";
    file.close();
    return file ? hipSuccess : hipErrorOperatingSystem;
  });
}

hipError_t hipUserObjectCreate(hipUserObject_t* out, void* pointer, hipHostFn_t destroy,
                               unsigned references, unsigned flags) {
  return api([&] {
    if (!out || !destroy || references == 0 || flags != hipUserObjectNoDestructorSync)
      return hipErrorInvalidValue;
    *out =
        user_objects().add(std::make_shared<UserObject>(UserObject{pointer, destroy, references}));
    return hipSuccess;
  });
}
hipError_t hipUserObjectRetain(hipUserObject_t handle, unsigned count) {
  return api([&] {
    const std::lock_guard lock(graph_mutex());
    if (!handle || count == 0 || count > INT_MAX) return hipErrorInvalidValue;
    if (const auto object = user_objects().find(handle)) object->references += count;
    return hipSuccess;
  });
}
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned count) {
  return api([&] {
    const std::lock_guard lock(graph_mutex());
    return drop_references(object, count);
  });
}
hipError_t hipGraphRetainUserObject(hipGraph_t handle, hipUserObject_t object, unsigned count,
                                    unsigned flags) {
  return api([&] {
    const std::lock_guard lock(graph_mutex());
    const auto graph = graphs().find(handle);
    const auto user = user_objects().find(object);
    if (!graph || !object || count == 0 || count > INT_MAX || flags > hipGraphUserObjectMove)
      return hipErrorInvalidValue;
    if (!user) return hipSuccess;
    // Moved references are the caller's; otherwise the graph has its own.
    if (flags != hipGraphUserObjectMove) user->references += count;
    graph->objects[object] += count;
    return hipSuccess;
  });
}
hipError_t hipGraphReleaseUserObject(hipGraph_t handle, hipUserObject_t object, unsigned count) {
  return api([&] {
    const std::lock_guard lock(graph_mutex());
    const auto graph = graphs().find(handle);
    if (!graph || !object || count == 0 || count > INT_MAX) return hipErrorInvalidValue;
    const auto held = graph->objects.find(object);
    if (held == graph->objects.end() || held->second < count) return hipSuccess;
    held->second -= count;
    if (held->second == 0) graph->objects.erase(held);
    return drop_references(object, count);
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
