// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <cstdio>
#include "k.h"
int main() {
  float host[100];
  for (int i = 0; i < 100; ++i) host[i] = i;
  run(100, host);
  more(100, host);
  int ok = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < 100; ++i) ok &= host[i] == 2 * i + 1;
  std::puts(ok ? "PASS" : "FAIL");
  return !ok;
}
