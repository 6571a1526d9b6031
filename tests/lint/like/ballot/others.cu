// SPDX-License-Identifier: MIT
__device__ int voters(int value, int limit) {
  unsigned lanes = __ballot(value < limit);  // like: ballot
  unsigned   int
      bits = __ballot(  // wrapped
          value > 0 && value != limit);  // like: ballot
  unsigned long long good = __ballot(value);
  unsigned count = popcount(value);
  unsigned total = __reduce(value);
  const unsigned again = __ballot(limit == 3);  // like: ballot
  return lanes + bits + count + total + again + good;
}
