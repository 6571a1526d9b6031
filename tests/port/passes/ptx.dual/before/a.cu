__device__ void add(unsigned& low, unsigned& high, unsigned x) {
  asm("add.cc.u32 %0, %0, %2;\n\t"
      "addc.u32 %1, %1, 0;"
      : "+r"(low), "+r"(high)
      : "r"(x));
}

__device__ unsigned lane() {
  unsigned value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  return value;
}
