// SPDX-License-Identifier: MIT
// What comes before an operation of a stream, for the check of races between streams
// (check/stream_races.h). Only with that check, where calls run their work themselves.
#pragma once

#include <memory>
#include <vector>

#include "soft/check/stream_races.h"
#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

struct CurrentOperation;
struct Event;
struct Stream;

// While it lives, this thread runs an operation of the stream.
class OrderedOperation {
 public:
  // `host_waits`: the call returns when the operation has ended.
  OrderedOperation(Stream& stream, const Work& work, bool host_waits);
  ~OrderedOperation();
  OrderedOperation(const OrderedOperation&) = delete;
  OrderedOperation& operator=(const OrderedOperation&) = delete;

 private:
  Stream& stream_;
  bool host_waits_;
  std::unique_ptr<CurrentOperation> current_;
};
// While it lives, this thread runs the nodes of a graph as part of its current operation: only
// edges order them.
class OrderedGraph {
 public:
  OrderedGraph();
  // What follows the graph comes behind all of its nodes.
  ~OrderedGraph();
  OrderedGraph(const OrderedGraph&) = delete;
  OrderedGraph& operator=(const OrderedGraph&) = delete;

 private:
  friend class OrderedNode;
  // Nodes that follow each other share a line, as the operations of a stream do.
  struct Done {
    StreamRaces::Clock known;
    std::uint32_t line = 0;
    bool is_last = true;  // of its line
  };
  struct CurrentOperation* const within_;  // nullptr: nothing is checked
  StreamRaces::Clock before_;
  std::vector<std::uint32_t> lines_;
  std::vector<Done> done_;
};
// The next node of the graph, behind those of these positions.
class OrderedNode {
 public:
  OrderedNode(OrderedGraph& graph, const Work& work, const std::vector<std::size_t>& behind);
  ~OrderedNode();
  OrderedNode(const OrderedNode&) = delete;
  OrderedNode& operator=(const OrderedNode&) = delete;

 private:
  OrderedGraph& graph_;
  std::unique_ptr<CurrentOperation> current_;
};
// Its number, for the check; 0: none.
std::uint32_t current_operation();

// The bytes that a copy or fill of the current operation touches.
void touch(Runtime& runtime, const Region& region, const Extent& extent, bool writes);

// There is a stream besides the null stream now.
void order_streams(Runtime& runtime);
// What the stream does from now on comes behind the event.
void order_behind(Stream& stream, const Event& event);
// The host has waited.
void host_saw(Stream& stream);
void host_saw(const Event& event);
void host_saw_everything();
// The memory does not exist any more.
void forget_memory(Runtime& runtime, std::uint64_t begin, std::uint64_t size);

}  // namespace hipwright::soft::hip
