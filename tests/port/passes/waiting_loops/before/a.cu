__global__ void take(int* lock, int* count) {
  while (atomicCAS(lock, 0, 1) != 0) {  // reports: HP305
  }
  ++*count;
  atomicExch(lock, 0);
}
