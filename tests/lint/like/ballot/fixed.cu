// SPDX-License-Identifier: MIT
__global__ void count_votes(int* out, int n) {
  const int i = threadIdx.x;
  const bool p = i < n;
  unsigned long long mask = __ballot(p);
  out[i] = __popcll(mask);
}
