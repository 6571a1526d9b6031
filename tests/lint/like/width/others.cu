// SPDX-License-Identifier: MIT
__device__ int group_min(int value, int distance) {
  value = min(value, __shfl_xor(value, distance));  // like: width
  const int other = __shfl_xor(value + 1, distance / 2);  // like: width
  const int fine = __shfl_xor(value, distance, 32);
  const int far = __shfl_any(value, distance);
  const int sum = mix(value, distance);
  return value + other + fine + far + sum;
}
