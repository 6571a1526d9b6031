// SPDX-License-Identifier: MIT
__device__ void load_rows(float4* qlocal, const float4* qptr, int lane, int count, int d) {
  if (lane < count) {
    qlocal[d] = *qptr;
  } else {
    qlocal[d] = {};
  }
  barrier();
}
