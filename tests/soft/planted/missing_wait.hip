// SPDX-License-Identifier: MIT
// Planted bug: hand-written assembly uses what it loads without waiting for it. The compiler puts
// no s_waitcnt between the lines of an asm statement.
#include "../../../examples/common/check.h"

__global__ void add_bits(const unsigned* in, unsigned* out) {
  const unsigned* from = in + threadIdx.x;
  unsigned value;
#if defined(__HIP_DEVICE_COMPILE__)
  asm volatile(  // planted: missing-wait
      "global_load_dword %0, %1, off\n\t"
      "v_or_b32 %0, 0x100, %0\n\t"
#if defined(__GFX12__)
      "s_wait_loadcnt 0x0"
#else
      "s_waitcnt vmcnt(0)"
#endif
      : "=&v"(value)
      : "v"(from)
      : "memory");
#else
  value = *from;
#endif
  out[threadIdx.x] = value;
}

int main() {
  const DeviceArray<unsigned> in(std::vector<unsigned>(64, 7)), out(64);
  add_bits<<<1, 64>>>(in.get(), out.get());
  finish_launch();
  std::printf("first %x\n", out.download()[0]);
  return 0;
}
