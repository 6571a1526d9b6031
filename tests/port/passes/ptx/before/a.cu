__device__ unsigned lane() {
  unsigned value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  return value;
}

__device__ float fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));  // reports: HP312 HP312
  return y;
}

__device__ void leave() { asm volatile("exit;"); }  // reports: HP311

__device__ void multiply(float* d, unsigned a, unsigned b) {
  asm volatile(  // reports: HP313
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a), "r"(b));
}

__device__ void arrive(unsigned long long* barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" : : "l"(barrier));  // reports: HP314
}

__device__ unsigned add_high(unsigned a, unsigned b) {
  unsigned sum;
  asm("addc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));  // reports: HP315
  return sum;
}

__device__ void fence() { asm volatile("ld." WIDTH " %0, [%1];" : : "r"(1), "l"(0)); }  // reports: HP316
