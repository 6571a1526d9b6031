#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# actions/drift-guard on three changes to a CUDA program: harmless, broken on HIP, wrong with 64 lanes.
. "$(dirname "$0")/lib.sh"
needs git python3 tar clang++-22
grep -q '^HIPWRIGHT_SANITIZE:[A-Z]*=.' "$BUILD_DIR/CMakeCache.txt" && not_run "programs do not run under sanitizers"
guard=$SOURCE_DIR/actions/drift-guard/drift.sh
PATH=$(dirname "$HIPWRIGHT"):$PATH
export PATH RUNNER_TEMP=$scratch GIT_CONFIG_GLOBAL=/dev/null
mkdir "$scratch/repository"
cd "$scratch/repository" || exit 1
git init -q -b main .
commit() { git add -A && git -c user.name=a -c user.email=a@example.org commit -qm "$1"; }
cat >sum.cu <<'END'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void count(const int* values, int* total) {
  __shared__ int block;
  if (threadIdx.x == 0) block = 0;
  __syncthreads();
  if (values[threadIdx.x] > 0) atomicAdd(&block, 1);
  __syncthreads();
  if (threadIdx.x == 0) *total = block;
}
int main() {
  int host[256], *values, *total, result = 0;
  for (int i = 0; i < 256; ++i) host[i] = i % 3 - 1;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&total, sizeof result);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  count<<<1, 256>>>(values, total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("count %d\n", result);
  cudaFree(values);
  cudaFree(total);
  return result == 85 ? 0 : 1;
}
END
commit base

git checkout -q -b harmless main
sed -i 's/int i = 0; i < 256/int i = 0; i != 256/' sum.cu
commit harmless
expect_exit 0 "$guard" main
expect_output "HIP: ok"

git checkout -q -b breaks main
sed -i 's|  if (threadIdx.x == 0) \*total = block;|  if (threadIdx.x == 0) asm volatile("st.global.v1.s32 [%0], %1;" :: "l"(total), "r"(block));|' sum.cu
commit breaks
expect_exit 1 "$guard" main
expect_output "This breaks HIP" "sum.cu:9" "HW801"

git checkout -q -b wave main
python3 - <<'END'
text = open("sum.cu").read()
old = "  if (values[threadIdx.x] > 0) atomicAdd(&block, 1);\n"
assert old in text
open("sum.cu", "w").write(text.replace(old, """#if defined(__HIP_PLATFORM_AMD__)
  const unsigned lanes = __ballot(values[threadIdx.x] > 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(&block, __popc(lanes));
#else
  if (values[threadIdx.x] > 0) atomicAdd(&block, 1);
#endif
"""))
END
commit wave
expect_exit 1 "$guard" main
expect_output "This breaks HIP" "lanes 32 to 63 are lost (HW201)"

# What was broken before is said to be, and an unknown commit is an error.
git checkout -q -b later breaks
echo >>sum.cu
commit later
expect_exit 1 "$guard" breaks
expect_output "broken before this change"
expect_exit 2 "$guard" no-such-commit
finish
