// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
// CUDA 12's update of a graph, in host code of any compiler: HIP has CUDA 11's.

#if (defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>

namespace hip_compat {

struct graph_exec_update_result_info {
  hipGraphExecUpdateResult result;
  hipGraphNode_t errorNode;
  hipGraphNode_t errorFromNode;  // HIP does not report it
};

inline hipError_t graph_exec_update(hipGraphExec_t executable, hipGraph_t graph,
                                    graph_exec_update_result_info* info) {
  graph_exec_update_result_info found = {hipGraphExecUpdateError, nullptr, nullptr};
  const hipError_t status = hipGraphExecUpdate(executable, graph, &found.errorNode, &found.result);
  if (info != nullptr) *info = found;
  return status;
}

}  // namespace hip_compat
#endif
