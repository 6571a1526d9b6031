// SPDX-License-Identifier: MIT
// Gradients are summed over all GPUs of this process by NCCL; with one GPU it is a copy.
#include <nccl.h>

#include <vector>

#include "check.h"

#define NCCL_CHECK(call) CHECK_IS(call, ncclSuccess)

int main() {
  int devices = 0;
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  const size_t count = 256;
  std::vector<ncclComm_t> communicators(devices);
  std::vector<cudaStream_t> streams(devices);
  std::vector<float*> gradients(devices);
  NCCL_CHECK(ncclCommInitAll(communicators.data(), devices, nullptr));
  for (int device = 0; device < devices; ++device) {
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaStreamCreate(&streams[device]));
    CUDA_CHECK(cudaMalloc(&gradients[device], count * sizeof(float)));
    const std::vector<float> mine(count, static_cast<float>(device + 1));
    CUDA_CHECK(
        cudaMemcpy(gradients[device], mine.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  }
  NCCL_CHECK(ncclGroupStart());
  for (int device = 0; device < devices; ++device)
    NCCL_CHECK(ncclAllReduce(gradients[device], gradients[device], count, ncclFloat, ncclSum,
                             communicators[device], streams[device]));
  NCCL_CHECK(ncclGroupEnd());
  bool is_right = true;
  for (int device = 0; device < devices; ++device) {
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaStreamSynchronize(streams[device]));
    float first = 0;
    CUDA_CHECK(cudaMemcpy(&first, gradients[device], sizeof first, cudaMemcpyDeviceToHost));
    is_right &= first == static_cast<float>(devices * (devices + 1) / 2);
    NCCL_CHECK(ncclCommDestroy(communicators[device]));
    CUDA_CHECK(cudaFree(gradients[device]));
    CUDA_CHECK(cudaStreamDestroy(streams[device]));
  }
  printf("all_reduce: %s\n", is_right ? "PASS" : "FAIL");
  return is_right ? 0 : 1;
}
