// SPDX-License-Identifier: MIT
#include "device/cuda/device.h"

namespace hipwright::device {

namespace {

using Devices = std::vector<std::shared_ptr<Device>>;
using cuda::Api;
using cuda::CudaDevice;

Done checked(const Api& api, cuda::CUresult result, const char* call) {
  if (result == cuda::kSuccess) return {};
  return std::unexpected(cuda::failure_of(api, result, call, "cuda"));
}

Outcome<Devices> open_driver() {
  HW_TRY(const Api* api, Api::load());
  HW_CHECK(checked(*api, api->cuInit(0), "cuInit"));
  int count = 0;
  HW_CHECK(checked(*api, api->cuDeviceGetCount(&count), "cuDeviceGetCount"));
  if (count == 0)
    return std::unexpected(Failure(FailureKind::kNotAvailable, "cuDeviceGetCount", "cuda",
                                   "the driver finds no device",
                                   "Check nvidia-smi and CUDA_VISIBLE_DEVICES."));
  Devices devices;
  for (int i = 0; i < count; ++i) {
    cuda::CUdevice ordinal = 0;
    cuda::CUcontext context = nullptr;
    HW_CHECK(checked(*api, api->cuDeviceGet(&ordinal, i), "cuDeviceGet"));
    // The context that CUDA's own runtime API uses, so that pointers can be shared with it.
    HW_CHECK(checked(*api, api->cuDevicePrimaryCtxRetain(&context, ordinal),
                     "cuDevicePrimaryCtxRetain"));
    devices.push_back(std::make_shared<CudaDevice>(*api, ordinal, context));
  }
  return devices;
}

}  // namespace

Outcome<Devices> open_cuda() {
  // Never destroyed: devices may be used by destructors that run after main.
  static const auto* const devices = new Outcome<Devices>(open_driver());
  return *devices;
}

}  // namespace hipwright::device
