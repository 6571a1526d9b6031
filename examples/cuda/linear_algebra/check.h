// SPDX-License-Identifier: MIT
// Errors end the program; every library of CUDA has its own kind.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_STATUS(call, success)                                       \
  do {                                                                    \
    const auto status_ = (call);                                          \
    if (status_ != (success)) {                                           \
      fprintf(stderr, "%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, \
              static_cast<int>(status_));                                 \
      exit(1);                                                            \
    }                                                                     \
  } while (0)
#define CUDA_CHECK(call) CHECK_STATUS(call, cudaSuccess)

template <class T>
T* upload(const std::vector<T>& values) {
  T* array = nullptr;
  CUDA_CHECK(cudaMalloc(&array, values.size() * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

template <class T>
std::vector<T> download(const T* array, size_t count) {
  std::vector<T> values(count);
  CUDA_CHECK(cudaMemcpy(values.data(), array, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

inline int verdict(const char* what, bool is_right) {
  printf("%s: %s\n", what, is_right ? "PASS" : "FAIL");
  return is_right ? 0 : 1;
}
