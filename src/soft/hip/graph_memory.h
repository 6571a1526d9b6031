// SPDX-License-Identifier: MIT
// Memory that nodes of graphs allocate. Its address is fixed when the node is made; the memory is
// there from each run of the node until it is freed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

// A reserved range of addresses. The nodes that allocate it share it, and it is kept while it
// holds memory.
struct GraphMemory {
  std::uint64_t begin = 0;
  std::size_t size = 0;      // as asked for
  std::size_t reserved = 0;  // whole pages
  int device = 0;
  GraphMemory() = default;
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();
};
using GraphMemoryRef = std::shared_ptr<GraphMemory>;

// nullptr: the device has less than `size` bytes.
GraphMemoryRef reserve_graph_memory(int device, std::size_t size);

// hipErrorInvalidValue where it is there already.
hipError_t allocate_graph_memory(const GraphMemoryRef& memory);
bool is_allocated(const GraphMemory& memory);
// Whether an address belongs to a graph, allocated or not.
bool is_graph_memory(std::uint64_t address);
// nullopt: no graph's memory begins at that address.
std::optional<hipError_t> free_graph_memory(void* pointer);

// A node's address may be freed by one node of the same or another graph. False: there is no such
// address, or it has its node.
bool claim_free_node(void* pointer);

}  // namespace hipwright::soft::hip
