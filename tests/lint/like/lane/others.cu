// SPDX-License-Identifier: MIT
__device__ float others(float v, int lane_id, int n) {
  if (lane_id < 32) v = combine(v);  // like: lane
  if (laneId < 32) {  // like: lane
    v += 1;
  }
  if (lane_id < warpSize) v = combine(v);
  if (n < 4096) v = combine(v);
  if (n > 32) return v;
  return lane_id == 32 ? v : 0;
}
