#include "hip_compat.h"

__device__ int from_first(int value) { return warp32::shfl_sync(0xffffffff, value, 0); }
template <class T>
__device__ T of_lane(T value, int lane) { return warp32::shfl_sync(0xffffffff, value, lane); }
__device__ void read(int& value, const int* from) { value = from[threadIdx.x]; }

__global__ void tickets(int* counter, int* out) {
  int lane = threadIdx.x % 32;
  int base = 0;
  if (lane == 0) base = atomicAdd(counter, 32);
  base = from_first(base);
  float2 pair{};
  if (lane == 3) {
    pair = make_float2(base, lane);
  }
  pair = of_lane<float2>(pair, 3);
  int picked = 0, other = 1;
  switch (lane) {
    case 5:
      picked = base;
      break;
  }
  out[threadIdx.x] = of_lane(picked, 5) + other + int(pair.x);
}

template <class T>
__device__ T guarded(const T* in, int count) {
  T value{};
  if (threadIdx.x < count) value = in[threadIdx.x];
  return value;
}

// What the shuffles of hip_compat.h accept, and what is set on every way.
__global__ void as_they_are(const int* in, int* out) {
  int lane = threadIdx.x % 32;
  int first;
  if (lane == 0) first = in[0];
  first = warp32::shfl_sync(0xffffffff, first, 0);
  int either;
  if (lane > 3)
    either = 1;
  else
    either = 2;
  either = from_first(either);
  int output;
  if (lane == 0) read(output, in);
  read(output, in);
  int always;
  always = in[lane];
  int inner;
  if (lane == 1) {
    inner = 3;
    inner = from_first(inner);
  }
  out[threadIdx.x] = first + either + from_first(always) + output;
}

__global__ void member(const float2* in, float* out) {
  float2 v{};
  if (threadIdx.x % 32 == 0) v = in[0];
  v.x = of_lane(v.x, 0);
  out[threadIdx.x] = v.x;
}
