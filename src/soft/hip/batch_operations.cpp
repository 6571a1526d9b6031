// SPDX-License-Identifier: MIT
// Batches of waits and writes on memory: in streams and as nodes of graphs.
#include "soft/hip/graph_node_work.h"

namespace hipwright::soft::hip {

namespace {

hipError_t make_batch(const hipStreamBatchMemOpParams* operations, unsigned count, unsigned flags,
                      BatchWork& out) {
  constexpr unsigned kMostOperations = 256;
  if (!operations || count == 0 || count > kMostOperations || flags != 0)
    return hipErrorInvalidValue;
  out.operations.assign(operations, operations + count);
  for (const auto& operation : out.operations) {
    std::optional<ValueWork> value;
    HIP_TRY(batch_operation(operation, value));
  }
  return hipSuccess;
}

auto set_batch(const hipBatchMemOpNodeParams* p) {
  return [=](BatchWork& work) -> hipError_t {
    if (!p || !p->ctx) return hipErrorInvalidValue;
    HIP_TRY(make_batch(p->paramArray, p->count, p->flags, work));
    work.context = p->ctx;
    work.flags = p->flags;
    return hipSuccess;
  };
}

}  // namespace

hipError_t batch_operation(const hipStreamBatchMemOpParams& p, std::optional<ValueWork>& out) {
  out.reset();
  switch (p.operation) {
    case hipStreamMemOpWaitValue32:
    case hipStreamMemOpWaitValue64: {
      const bool wide = p.operation == hipStreamMemOpWaitValue64;
      if (!p.waitValue.address || p.waitValue.flags > hipStreamWaitValueNor)
        return hipErrorInvalidValue;
      out = ValueWork{.address = address_of(p.waitValue.address),
                      .value = wide ? p.waitValue.value64 : p.waitValue.value,
                      .bytes = wide ? 8U : 4U,
                      .wait = true,
                      .condition = p.waitValue.flags};
      return hipSuccess;
    }
    case hipStreamMemOpWriteValue32:
    case hipStreamMemOpWriteValue64: {
      const bool wide = p.operation == hipStreamMemOpWriteValue64;
      if (!p.writeValue.address) return hipErrorInvalidValue;
      out = ValueWork{.address = address_of(p.writeValue.address),
                      .value = wide ? p.writeValue.value64 : p.writeValue.value,
                      .bytes = wide ? 8U : 4U};
      return hipSuccess;
    }
    case hipStreamMemOpBarrier:
    case hipStreamMemOpFlushRemoteWrites:
      return hipErrorNotSupported;  // in ROCm, too
  }
  return hipErrorInvalidValue;
}

extern "C" {

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned count,
                               hipStreamBatchMemOpParams* operations, unsigned flags) {
  return api([&] {
    BatchWork work;
    HIP_TRY(make_batch(operations, count, flags, work));
    return submit(stream, std::move(work));
  });
}

hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t* out, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, std::size_t count,
                                     const hipBatchMemOpNodeParams* parameters) {
  return add<BatchWork>(out, graph, dependencies, count, set_batch(parameters));
}
hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t node, hipBatchMemOpNodeParams* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<BatchWork>(node, [&](BatchWork& work) {
      *out = {work.context, static_cast<unsigned>(work.operations.size()), work.operations.data(),
              work.flags};
      return hipSuccess;
    });
  });
}
hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node,
                                           hipBatchMemOpNodeParams* parameters) {
  return api([&] { return with<BatchWork>(node, set_batch(parameters)); });
}
hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               const hipBatchMemOpNodeParams* parameters) {
  return api([&] { return with<BatchWork>(exec, node, set_batch(parameters)); });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
