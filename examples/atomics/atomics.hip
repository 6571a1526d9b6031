// SPDX-License-Identifier: MIT
// Every kind of atomic that HIP programs use, on global and on shared memory, with results that do
// not depend on the order in which threads get there; and a lock made of compare-and-swap.
#include "../common/check.h"

constexpr int kThreads = 128, kBlocks = 20, kTotal = kThreads * kBlocks;

struct Results {
  int sum, difference, least, most, bits_and, bits_or, bits_xor, wrapped, highest_ticket;
  unsigned long long wide_sum, wide_most;
  float float_sum;
  double double_sum;
  int lds_sum, guarded;
};

__global__ void atomics(Results* out, int* lock, int* last_exchanged) {
  __shared__ int block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  const int id = blockIdx.x * kThreads + threadIdx.x;

  atomicAdd(&out->sum, id);
  atomicSub(&out->difference, id);
  atomicMin(&out->least, id * 7919 % 10007 - 5000);
  atomicMax(&out->most, id * 7919 % 10007 - 5000);
  atomicAnd(&out->bits_and, ~(1 << id % 24));
  atomicOr(&out->bits_or, 1 << id % 29);
  atomicXor(&out->bits_xor, id);
  atomicInc(reinterpret_cast<unsigned*>(&out->wrapped), 99);
  atomicAdd(&out->wide_sum, 1ULL << 20);
  atomicMax(&out->wide_most, static_cast<unsigned long long>(id) << 33);
  atomicAdd(&out->float_sum, 0.5F);  // exact in any order
  atomicAdd(&out->double_sum, 0.25);
  atomicExch(last_exchanged, id);
  const int ticket = atomicAdd(&out->highest_ticket, 1);
  atomicAdd(&block_sum, ticket >= 0 ? 1 : 1000000);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&out->lds_sum, block_sum);

  // One thread of each block takes the lock; what it guards needs no atomics.
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    volatile int* guarded = &out->guarded;
    *guarded = *guarded + 3;
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  Results start{};
  start.least = INT32_MAX;
  start.most = INT32_MIN;
  start.bits_and = -1;
  const DeviceArray<Results> device(std::vector<Results>{start});
  DeviceArray<int> lock(1), last(1);
  lock.zero();
  atomics<<<kBlocks, kThreads>>>(device.get(), lock.get(), last.get());
  finish_launch();

  Results want = start;
  want.double_sum = 0.25 * kTotal;
  want.float_sum = 0.5F * kTotal;
  for (int id = 0; id < kTotal; ++id) {
    want.sum += id;
    want.difference -= id;
    const int value = id * 7919 % 10007 - 5000;
    want.least = value < want.least ? value : want.least;
    want.most = value > want.most ? value : want.most;
    want.bits_and &= ~(1 << id % 24);
    want.bits_or |= 1 << id % 29;
    want.bits_xor ^= id;
  }
  want.wrapped = kTotal % 100;
  want.wide_sum = static_cast<unsigned long long>(kTotal) << 20;
  want.wide_most = static_cast<unsigned long long>(kTotal - 1) << 33;

  const Results got = device.download()[0];
  const int exchanged = last.download()[0];
  Verdict verdict;
  verdict.expect(got.sum == want.sum, "sum %d, expected %d", got.sum, want.sum);
  verdict.expect(got.difference == want.difference, "difference %d", got.difference);
  verdict.expect(got.least == want.least, "minimum %d, expected %d", got.least, want.least);
  verdict.expect(got.most == want.most, "maximum %d, expected %d", got.most, want.most);
  verdict.expect(got.bits_and == want.bits_and, "and %x", got.bits_and);
  verdict.expect(got.bits_or == want.bits_or, "or %x", got.bits_or);
  verdict.expect(got.bits_xor == want.bits_xor, "xor %x", got.bits_xor);
  verdict.expect(got.wrapped == want.wrapped, "inc %d, expected %d", got.wrapped, want.wrapped);
  verdict.expect(got.wide_sum == want.wide_sum, "64-bit sum %llu", got.wide_sum);
  verdict.expect(got.wide_most == want.wide_most, "64-bit maximum %llu", got.wide_most);
  verdict.expect(got.float_sum == want.float_sum, "float sum %g", got.float_sum * 1.0);
  verdict.expect(got.double_sum == want.double_sum, "double sum %g", got.double_sum);
  verdict.expect(got.highest_ticket == kTotal, "tickets %d", got.highest_ticket);
  verdict.expect(got.lds_sum == kTotal, "shared sum %d", got.lds_sum);
  verdict.expect(got.guarded == 3 * kBlocks, "under the lock %d", got.guarded);
  verdict.expect(exchanged >= 0 && exchanged < kTotal, "exchanged %d", exchanged);
  return verdict.print("atomics of 2560 threads");
}
