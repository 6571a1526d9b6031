// SPDX-License-Identifier: MIT
// Lanes that go their own ways: loops of different length, nested branches, switches, early
// returns, recursion, and votes that see only the lanes that are there.
#include "../common/check.h"

constexpr int kThreads = 192;

__host__ __device__ int collatz_steps(unsigned n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    if (++steps > 400) break;
  }
  return steps;
}

__host__ __device__ int branchy(int x) {
  int result = 0;
  for (int i = 0; i < x % 13; ++i) {
    switch ((x + i) % 6) {
      case 0:
        result += 3;
        continue;
      case 1:
        if (i > 7) return result * 2;
        [[fallthrough]];
      case 2:
        result ^= i;
        break;
      case 3:
        for (int j = i; j > 0; j /= 2) result += j & x;
        break;
      default:
        result -= x % 5;
    }
    if (result > 90) break;
  }
  return result;
}

__host__ __device__ unsigned gcd(unsigned a, unsigned b) {
  return b == 0 ? a : gcd(b, a % b);
}

__global__ void diverge(int* steps, int* branches, unsigned* divisors, int* votes, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  steps[i] = collatz_steps(i + 1);
  branches[i] = branchy(i);
  divisors[i] = gcd(i * 12 + 24, 360 + i % 7);
  // How many lanes of this wave are odd multiples of three, asked by those lanes alone.
  votes[i] = i % 3 == 0 && i % 2 == 1 ? __popcll(__ballot(1)) : -1;
}

int main() {
  constexpr int kCount = 5000;
  const DeviceArray<int> steps(kCount), branches(kCount), votes(kCount);
  const DeviceArray<unsigned> divisors(kCount);
  diverge<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(steps.get(), branches.get(),
                                                            divisors.get(), votes.get(), kCount);
  finish_launch();
  int wave = 0;
  HIP_CHECK(hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0));

  const std::vector<int> got_steps = steps.download(), got_branches = branches.download(),
                         got_votes = votes.download();
  const std::vector<unsigned> got_divisors = divisors.download();
  const auto asks = [](int i) { return i % 3 == 0 && i % 2 == 1; };
  Verdict verdict;
  for (int i = 0; i < kCount; ++i) {
    verdict.expect(got_steps[i] == collatz_steps(i + 1), "collatz(%d) is %d", i + 1, got_steps[i]);
    verdict.expect(got_branches[i] == branchy(i), "branchy(%d) is %d", i, got_branches[i]);
    const unsigned divisor = gcd(i * 12 + 24, 360 + i % 7);
    verdict.expect(got_divisors[i] == divisor, "gcd of %d is %u, expected %u", i, got_divisors[i],
                   divisor);
    int want = -1;
    if (asks(i)) {
      const int first = i / kThreads * kThreads + i % kThreads / wave * wave;
      want = 0;
      for (int lane = first; lane < first + wave && lane < kCount; ++lane) want += asks(lane);
    }
    verdict.expect(got_votes[i] == want, "vote of %d is %d, expected %d", i, got_votes[i], want);
  }
  return verdict.print("divergent control flow in 5000 threads");
}
