// SPDX-License-Identifier: MIT
#include "device/cuda/api.h"

#include <cstdlib>
#include <memory>

namespace hipwright::device::cuda {

namespace {

std::vector<std::string> library_names() {
  if (const char* chosen = std::getenv("HIPWRIGHT_CUDA"); chosen != nullptr && *chosen != '\0')
    return {chosen};
  return {"libcuda.so.1", "libcuda.so"};
}

// Looks up functions and records the first missing one.
class Loader {
 public:
  explicit Loader(const toolchain::DynamicLibrary& library) : library_(library) {}

  // The names of a function in order of preference: a newer version of the ABI first.
  template <class Function>
  void need(Function& slot, std::initializer_list<const char*> names) {
    want(slot, names);
    if (slot == nullptr && missing_.empty()) missing_ = *names.begin();
  }
  template <class Function>
  void want(Function& slot, std::initializer_list<const char*> names) {
    slot = nullptr;
    for (const char* name : names)
      if (slot == nullptr) slot = library_.function<Function>(name);
  }
  const std::string& missing() const { return missing_; }

 private:
  const toolchain::DynamicLibrary& library_;
  std::string missing_;
};

void load_devices(Api& api, Loader& loader) {
  loader.need(api.cuInit, {"cuInit"});
  loader.need(api.cuDriverGetVersion, {"cuDriverGetVersion"});
  loader.need(api.cuGetErrorName, {"cuGetErrorName"});
  loader.need(api.cuGetErrorString, {"cuGetErrorString"});
  loader.need(api.cuDeviceGetCount, {"cuDeviceGetCount"});
  loader.need(api.cuDeviceGet, {"cuDeviceGet"});
  loader.need(api.cuDeviceGetName, {"cuDeviceGetName"});
  loader.need(api.cuDeviceTotalMem, {"cuDeviceTotalMem_v2"});
  loader.need(api.cuDeviceGetAttribute, {"cuDeviceGetAttribute"});
  loader.need(api.cuDeviceGetPCIBusId, {"cuDeviceGetPCIBusId"});
  loader.need(api.cuDeviceCanAccessPeer, {"cuDeviceCanAccessPeer"});
  loader.need(api.cuDevicePrimaryCtxRetain, {"cuDevicePrimaryCtxRetain"});
  loader.need(api.cuCtxSetCurrent, {"cuCtxSetCurrent"});
  loader.need(api.cuCtxSynchronize, {"cuCtxSynchronize"});
  loader.need(api.cuCtxEnablePeerAccess, {"cuCtxEnablePeerAccess"});
  loader.need(api.cuCtxGetStreamPriorityRange, {"cuCtxGetStreamPriorityRange"});
}

void load_memory(Api& api, Loader& loader) {
  loader.need(api.cuMemAlloc, {"cuMemAlloc_v2"});
  loader.need(api.cuMemFree, {"cuMemFree_v2"});
  loader.want(api.cuMemAllocAsync, {"cuMemAllocAsync"});
  loader.want(api.cuMemFreeAsync, {"cuMemFreeAsync"});
  loader.need(api.cuMemHostAlloc, {"cuMemHostAlloc"});
  loader.need(api.cuMemFreeHost, {"cuMemFreeHost"});
  loader.want(api.cuMemHostRegister, {"cuMemHostRegister_v2"});
  loader.want(api.cuMemHostUnregister, {"cuMemHostUnregister"});
  loader.want(api.cuMemHostGetDevicePointer, {"cuMemHostGetDevicePointer_v2"});
  loader.need(api.cuMemGetInfo, {"cuMemGetInfo_v2"});
  loader.need(api.cuMemcpyHtoD, {"cuMemcpyHtoD_v2"});
  loader.need(api.cuMemcpyDtoH, {"cuMemcpyDtoH_v2"});
  loader.need(api.cuMemcpyDtoD, {"cuMemcpyDtoD_v2"});
  loader.need(api.cuMemcpyHtoDAsync, {"cuMemcpyHtoDAsync_v2"});
  loader.need(api.cuMemcpyDtoHAsync, {"cuMemcpyDtoHAsync_v2"});
  loader.need(api.cuMemcpyDtoDAsync, {"cuMemcpyDtoDAsync_v2"});
  loader.need(api.cuMemcpyPeerAsync, {"cuMemcpyPeerAsync"});
  loader.need(api.cuMemsetD8Async, {"cuMemsetD8Async"});
}

void load_code(Api& api, Loader& loader) {
  loader.need(api.cuModuleLoadData, {"cuModuleLoadData"});
  loader.need(api.cuModuleUnload, {"cuModuleUnload"});
  loader.need(api.cuModuleGetFunction, {"cuModuleGetFunction"});
  loader.need(api.cuFuncGetAttribute, {"cuFuncGetAttribute"});
  loader.need(api.cuFuncSetAttribute, {"cuFuncSetAttribute"});
  loader.need(api.cuLaunchKernel, {"cuLaunchKernel"});
  loader.want(api.cuFuncGetParamInfo, {"cuFuncGetParamInfo"});
}

void load_streams(Api& api, Loader& loader) {
  loader.need(api.cuStreamCreateWithPriority, {"cuStreamCreateWithPriority"});
  loader.need(api.cuStreamDestroy, {"cuStreamDestroy_v2"});
  loader.need(api.cuStreamSynchronize, {"cuStreamSynchronize"});
  loader.need(api.cuStreamQuery, {"cuStreamQuery"});
  loader.need(api.cuStreamWaitEvent, {"cuStreamWaitEvent"});
  loader.need(api.cuEventCreate, {"cuEventCreate"});
  loader.need(api.cuEventDestroy, {"cuEventDestroy_v2"});
  loader.need(api.cuEventRecord, {"cuEventRecord"});
  loader.need(api.cuEventQuery, {"cuEventQuery"});
  loader.need(api.cuEventSynchronize, {"cuEventSynchronize"});
  loader.need(api.cuEventElapsedTime, {"cuEventElapsedTime"});
}

void load_graphs(Api& api, Loader& loader) {
  loader.need(api.cuStreamBeginCapture, {"cuStreamBeginCapture_v2"});
  loader.need(api.cuStreamEndCapture, {"cuStreamEndCapture"});
  loader.need(api.cuStreamGetCaptureInfo, {"cuStreamGetCaptureInfo_v2"});
  loader.need(api.cuGraphInstantiateWithFlags, {"cuGraphInstantiateWithFlags"});
  loader.need(api.cuGraphLaunch, {"cuGraphLaunch"});
  loader.need(api.cuGraphExecDestroy, {"cuGraphExecDestroy"});
  loader.need(api.cuGraphDestroy, {"cuGraphDestroy"});
  // Version 1 reads the first part of the same struct.
  loader.need(api.cuGraphExecKernelNodeSetParams,
              {"cuGraphExecKernelNodeSetParams_v2", "cuGraphExecKernelNodeSetParams"});
  loader.want(api.cuGraphExecUpdate, {"cuGraphExecUpdate_v2"});
}

Outcome<std::unique_ptr<const Api>> load_library() {
  auto library = toolchain::DynamicLibrary::open_any(library_names());
  if (!library)
    return std::unexpected(Failure(FailureKind::kNotAvailable, "cannot use", "NVIDIA GPUs",
                                   library.error().why, "Install NVIDIA's driver."));
  auto api = std::make_unique<Api>(*std::move(library));
  Loader loader(api->library);
  for (const auto load : {load_devices, load_memory, load_code, load_streams, load_graphs})
    load(*api, loader);
  if (!loader.missing().empty())
    return std::unexpected(Failure(FailureKind::kNotAvailable, "cannot use", "NVIDIA GPUs",
                                   api->library.path().string() + " has no " + loader.missing(),
                                   "Install a driver for CUDA 11.4 or later."));
  return api;
}

}  // namespace

Outcome<const Api*> Api::load() {
  // Never destroyed: devices may be used by destructors that run after main.
  static const auto* const loaded = new auto(load_library());
  if (!*loaded) return std::unexpected(loaded->error());
  return (*loaded)->get();
}

}  // namespace hipwright::device::cuda
