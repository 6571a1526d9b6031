// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK_IS(call, success)                                         \
  do {                                                                  \
    if (const auto status_ = (call); status_ != (success)) {            \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, \
              static_cast<int>(status_));                               \
      exit(1);                                                          \
    }                                                                   \
  } while (0)
#define CUDA_CHECK(call) CHECK_IS(call, cudaSuccess)
