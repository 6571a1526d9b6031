// SPDX-License-Identifier: MIT
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include "rms_norm.h"

static void rms_norm(torch::Tensor out, torch::Tensor in, torch::Tensor weight, double eps) {
  TORCH_CHECK(in.is_cuda() && in.scalar_type() == torch::kFloat,
              "a float tensor on the GPU is needed");
  const at::cuda::OptionalCUDAGuard guard(device_of(in));
  const int columns = static_cast<int>(in.size(-1));
  const int rows = static_cast<int>(in.numel() / columns);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  rowwise::rms_norm(out.data_ptr<float>(), in.data_ptr<float>(), weight.data_ptr<float>(),
                    static_cast<float>(eps), rows, columns, stream);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("rms_norm", &rms_norm, "RMS norm of rows");
}
