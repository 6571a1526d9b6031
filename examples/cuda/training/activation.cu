// SPDX-License-Identifier: MIT
// ReLU of a small batch by cuDNN.
#include <cudnn.h>

#include <vector>

#include "check.h"

#define CUDNN_CHECK(call) CHECK_IS(call, CUDNN_STATUS_SUCCESS)

int main() {
  const int n = 2, c = 3, h = 4, w = 4, count = n * c * h * w;
  std::vector<float> host(count);
  for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i % 9) - 4.0f;
  float *x, *y;
  CUDA_CHECK(cudaMalloc(&x, count * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&y, count * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(x, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));

  cudnnHandle_t handle;
  cudnnTensorDescriptor_t tensor;
  cudnnActivationDescriptor_t relu;
  CUDNN_CHECK(cudnnCreate(&handle));
  CUDNN_CHECK(cudnnCreateTensorDescriptor(&tensor));
  CUDNN_CHECK(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
  CUDNN_CHECK(cudnnCreateActivationDescriptor(&relu));
  CUDNN_CHECK(
      cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
  const float one = 1.0f, zero = 0.0f;
  CUDNN_CHECK(cudnnActivationForward(handle, relu, &one, tensor, x, &zero, tensor, y));
  std::vector<float> out(count);
  CUDA_CHECK(cudaMemcpy(out.data(), y, count * sizeof(float), cudaMemcpyDeviceToHost));
  bool is_right = true;
  for (int i = 0; i < count; ++i) is_right &= out[i] == (host[i] > 0 ? host[i] : 0.0f);
  CUDNN_CHECK(cudnnDestroyActivationDescriptor(relu));
  CUDNN_CHECK(cudnnDestroyTensorDescriptor(tensor));
  CUDNN_CHECK(cudnnDestroy(handle));
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
  printf("activation: %s\n", is_right ? "PASS" : "FAIL");
  return is_right ? 0 : 1;
}
