#include "hip_compat.h"
__device__ int mutex = 0;

__global__ void with_flag(int* sum, int n) {
  for (int i = 0; i < n; ++i) {
    bool done = false;
    for (; !done; hip_compat::keep_in_loop(done)) {
      if (atomicCAS(&mutex, 0, 1) == 0) {
        *sum += i;
        __threadfence();
        atomicExch(&mutex, 0);
        done = true;
      }
    }
  }
}

__global__ void with_break(int* sum, int* lock) {
  for (int hip_left = 0; !hip_left; hip_compat::keep_in_loop(hip_left)) {
    if (atomicExch(lock, 1) == 0) {
      *sum += 1;
      __threadfence();
      atomicExch(lock, 0);
      { hip_left = 1; continue; }
    }
  }
}

__global__ void unbraced(int* sum, int* locks, int i) {
  for (bool blocked = true; blocked; hip_compat::keep_in_loop(blocked))
    if (0 == atomicCAS(locks + i, 0, 1)) {
      *sum += 1;
      __threadfence();
      atomicExch(&locks[i], 0);
      blocked = false;
    }
}

__global__ void in_two_steps(int* sum, volatile int* lock) {
  bool is_set = false;
  do {
    is_set = atomicCAS((int*)lock, 0, 1) == 0;
    if (is_set) {
      *sum += 1;
      __threadfence();
      *lock = 0;
    }
  } while (hip_compat::keep_in_loop(is_set), !is_set);
}

// Nobody waits for these.
__device__ void insert(int* keys, int* values, int key, int value, int mask) {
  int slot = key & mask;
  while (true) {
    int previous = atomicCAS(&keys[slot], -1, key);
    if (previous == -1 || previous == key) {
      values[slot] = value;
      return;
    }
    slot = (slot + 1) & mask;
  }
}

__device__ float add(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value + __int_as_float(assumed)));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void with_continue(int* sum, int* lock, int n) {
  int tries = 0;
  for (bool done = false; !done; ++tries, hip_compat::keep_in_loop(done)) {
    if (n < 0) continue;
    if (atomicCAS(lock, 0, 1) == 0) {
      *sum += tries;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__device__ void with_return(int* sum, int* lock) {
  for (int hip_left = 0; !hip_left; hip_compat::keep_in_loop(hip_left)) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *sum += 1;
      __threadfence();
      atomicExch(lock, 0);
      { hip_left = 1; continue; }
    }
  } return;
}

__device__ int with_value(int* sum, int* lock) {
  while (true) {
    if (atomicCAS(lock, 0, 1) == 0) {  // reports: HP307
      int ticket = (*sum)++;
      __threadfence();
      atomicExch(lock, 0);
      return ticket;
    }
  }
}
