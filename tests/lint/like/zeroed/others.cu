// SPDX-License-Identifier: MIT
__device__ void load_keys(float4* klocal, const float4* kptr, int lane, int rows, int depth) {
  if (lane < rows) {
    klocal[depth] = *kptr;  // like: zeroed
  }
  barrier();
  if (lane < rows) {
    vlocal[depth] = *vptr;
  } else {
    vlocal[depth] = {};
  }
  if (lane < rows) report(lane);
}
