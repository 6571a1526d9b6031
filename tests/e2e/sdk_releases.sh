#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The ROCm release that the SDK declares: what compiles, links and runs with one and not with another.
. "$(dirname "$0")/lib.sh"
needs clang++-22 llvm-readelf-22

# The prefix of a release says so in every place where build systems look.
for release in 6.4.43482 7.0.51831 7.1.52802 7.2.53211; do
  short=${release%.*}
  expect_ok hipwright sdk path --rocm $short
  prefix=$(cat "$last")
  expect_ok "$prefix/bin/hipconfig" --version
  equal "hipconfig --version" "$(cat "$last")" $release-hipwright
  expect_ok "$prefix/bin/hipcc" --version
  expect_output "HIP version: $release-hipwright"
  equal .info/version "$(cat "$prefix/.info/version")" $short.0
  expect_ok llvm-readelf-22 -d "$prefix/lib/libamdhip64.so"
  expect_output "libamdhip64.so.${short%.*}"
  grep -rl "6\.4\.0\|43482\|__HW_ROCM 604\|VERSION_MAJOR 6" "$prefix/include/hip" "$prefix/share" "$prefix/.info" "$prefix/lib/cmake" >"$scratch/last"
  [ $short = 6.4 ] || [ ! -s "$scratch/last" ] || fail "$short still names 6.4 in: $(cat "$scratch/last")"
done
equal "the same prefix from the environment" "$(HIPWRIGHT_ROCM=7.2 hipwright sdk path)" "$prefix"
expect_exit 2 hipwright sdk path --rocm 6.3
expect_output "unknown ROCm release" "Known: 6.4, 7.0, 7.1, 7.2."
expect_exit 2 hipwright cc --rocm seven -c x.hip
expect_output "unknown ROCm release 'seven'"
HIPWRIGHT_ROCM=5 expect_exit 2 hipwright sdk path
expect_output "HIPWRIGHT_ROCM"
expect_exit 2 hipwright sdk add hipblas --rocm 7.1
expect_output "no packages of hipBLAS for ROCm 7.1 are known" "Known: --rocm 6.4, 7.2."

# since|until RELEASE NAME, and code: compiles with that release and not with the one before it, or the other way round.
check() {
  local when=$1 release=$2 name=$3 before with=0 without=1
  before=$(printf '6.4\n7.0\n7.1\n7.2\n' | grep -B1 -F $release | head -1)
  [ $when = since ] || with=1 without=0
  printf '#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n#include <hip/hiprtc.h>\n%s\n' "$4" >"$scratch/$name.hip"
  expect_exit $without hipwright cc --sdk own --rocm $before --arch gfx90a -fsyntax-only "$scratch/$name.hip"
  [ $without = 0 ] || expect_output "$name.hip:4:" "error:"
  expect_exit $with hipwright cc --sdk own --rocm $release --arch gfx90a -fsyntax-only "$scratch/$name.hip"
  [ $with = 0 ] || expect_output "$name.hip:4:" "error:"
}
check until 7.0 warp_size '__global__ void k() { constexpr int lanes = warpSize; static_assert(lanes >= 32); }'
check until 7.2 wave_macro '__global__ void k(int* p) { *p = __AMDGCN_WAVEFRONT_SIZE; }'
check since 7.0 sync '__global__ void k(int* p) { *p = __shfl_sync(~0ull, *p, 1) + __reduce_add_sync(~0ull, *p); __syncwarp(); }'
check since 7.0 active_mask '__global__ void k(int* p) { *p = __activemask() != 0; }'
check until 7.0 vector_data '__device__ float f(float4 v) { return v.data[1]; }'
check since 7.0 vector_index '__device__ float f(float4 v) { return v[1]; }'
check since 7.0 tile_of_tile '__global__ void k(int* p) { namespace cg = cooperative_groups; *p = cg::tiled_partition<4>(cg::tiled_partition<16>(cg::this_thread_block())).num_threads(); }'
check since 7.0 const_source 'hipError_t f(hipDeviceptr_t to, const void* from) { return hipMemcpyHtoD(to, from, 4); }'
check until 7.0 driver_memset 'HIP_MEMSET_NODE_PARAMS params;'
check since 7.0 launch_config '__global__ void k(int, float) {} hipError_t f() { hipLaunchConfig_t config = {dim3(1), dim3(64), 0, nullptr, nullptr, 0}; return hipLaunchKernelEx(&config, k, 1, 2); }'
check since 7.0 rtc_const 'hiprtcResult f(hiprtcProgram p, const char* const* options) { return hiprtcCompileProgram(p, 1, options); }'
check since 7.1 batch_copy 'hipError_t f(hipMemcpyAttributes* a, hipStream_t s) { return hipMemcpyBatchAsync(nullptr, nullptr, nullptr, 0, a, nullptr, 0, nullptr, s); }'
check since 7.1 library 'hipError_t f(hipLibrary_t l, hipKernel_t* k) { return hipLibraryGetKernel(k, l, "k"); }'
check since 7.2 stream_attributes 'hipError_t f(hipStream_t a, hipStream_t b) { return hipStreamCopyAttributes(a, b); }'
# A 32-bit mask is an error in every release.
printf '#define HIP_ENABLE_WARP_SYNC_BUILTINS 1\n#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = __shfl_sync(0xffffffffu, *p, 1); }\n' >"$scratch/mask.hip"
for release in 6.4 7.2; do
  expect_exit 1 hipwright cc --sdk own --rocm $release --arch gfx90a -fsyntax-only "$scratch/mask.hip"
  expect_output "64-bit"
done

# HIPRTC's functions left the runtime's library in 7.0.
printf '#include <hip/hiprtc.h>\nint main() { int a, b; return hiprtcVersion(&a, &b); }\n' >"$scratch/rtc.hip"
expect_ok hipwright cc --sdk own --rocm 6.4 --arch gfx90a -o "$scratch/rtc" "$scratch/rtc.hip"
expect_exit 1 hipwright cc --sdk own --rocm 7.2 --arch gfx90a -o "$scratch/rtc" "$scratch/rtc.hip"
expect_output "hiprtcVersion"
expect_ok hipwright cc --sdk own --rocm 7.2 --arch gfx90a -o "$scratch/rtc" "$scratch/rtc.hip" -lhiprtc
expect_ok hipwright run --device soft:gfx90a -- "$scratch/rtc"

# What the functions of 7.2 compute, and what HIPRTC sees: the program's release.
cat >"$scratch/seven.hip" <<'END'
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hiprtc.h>
#include <cstdio>
#include <string>
#include <vector>
#define HIP_OK(call) do { if ((call) != hipSuccess) { std::printf("failed: %s\n", #call); return 1; } } while (0)
__global__ void reduce(const unsigned* in, unsigned* out, __half* sums) {
  unsigned lane = threadIdx.x % warpSize;
  unsigned long long mine = lane % 3 == 0 ? 0x9249249249249249ull : 0x6db6db6db6db6db6ull;
  if (warpSize == 32) mine &= 0xffffffffull;
  unsigned value = in[threadIdx.x];
  unsigned* to = out + threadIdx.x * 6;
  to[0] = __reduce_add_sync(mine, value);
  to[1] = static_cast<unsigned>(__reduce_min_sync(mine, static_cast<int>(value)));
  to[2] = __reduce_max_sync(mine, value);
  to[3] = __reduce_and_sync(mine, value);
  to[4] = __reduce_or_sync(mine, value);
  to[5] = __reduce_xor_sync(mine, value);
  unsafeAtomicAdd(&sums[threadIdx.x % 2], __float2half(1.0f));
}
int main() {
  const unsigned n = 64;
  std::vector<unsigned> in(n), out(n * 6);
  for (unsigned i = 0; i < n; ++i) in[i] = i * 2654435761u;
  unsigned *a, *b;
  __half* sums;
  HIP_OK(hipMalloc(&a, n * 4));
  HIP_OK(hipMalloc(&b, n * 24));
  HIP_OK(hipMalloc(&sums, 4));
  HIP_OK(hipMemcpy(a, in.data(), n * 4, hipMemcpyHostToDevice));
  HIP_OK(hipMemset(sums, 0, 4));
  reduce<<<1, n>>>(a, b, sums);
  HIP_OK(hipMemcpy(out.data(), b, n * 24, hipMemcpyDeviceToHost));
  __half counted[2];
  HIP_OK(hipMemcpy(counted, sums, 4, hipMemcpyDeviceToHost));
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  unsigned wave = properties.warpSize, wrong = 0;
  for (unsigned i = 0; i < n; ++i) {
    unsigned add = 0, low = in[i], high = in[i], all = ~0u, any = 0, odd = 0;
    for (unsigned lane = 0; lane < wave; ++lane) {
      unsigned other = i / wave * wave + lane;
      if ((lane % 3 == 0) != (i % wave % 3 == 0)) continue;
      add += in[other], all &= in[other], any |= in[other], odd ^= in[other];
      if (static_cast<int>(in[other]) < static_cast<int>(low)) low = in[other];
      if (in[other] > high) high = in[other];
    }
    const unsigned expected[] = {add, low, high, all, any, odd};
    for (unsigned k = 0; k < 6; ++k) wrong += out[i * 6 + k] != expected[k];
  }
  std::printf("%u wrong, sums %g %g\n", wrong, __half2float(counted[0]), __half2float(counted[1]));
  // One element of a vector: the rest is 0 since 7.0.
  std::printf("float4(1): %g %g\n", float4(1.0f).x, float4(1.0f).w);
  const char* source = "#if __has_include(<hip/hip_runtime.h>)\n#endif\nextern \"C\" __global__ void k() { constexpr int w = warpSize; }\n";
  hiprtcProgram program;
  hiprtcCreateProgram(&program, source, "k.cpp", 0, nullptr, nullptr);
  std::string arch = std::string("--offload-arch=") + properties.gcnArchName;
  const char* options[] = {arch.c_str()};
  std::printf("constant warpSize: %s\n", hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS ? "yes" : "no");
  hiprtcDestroyProgram(&program);
  return wrong;
}
END
expect_ok hipwright cc --sdk own --rocm 7.2 --arch gfx90a,gfx1100 -o "$scratch/seven" "$scratch/seven.hip" -lhiprtc
for target in gfx90a gfx1100; do
  expect_ok hipwright run --device soft:$target -- "$scratch/seven"
  expect_output "0 wrong, sums 32 32" "float4(1): 1 0" "constant warpSize: no"
done
sed -e '/__global__ void reduce/,/^}/d' -e '/reduce<<</d' "$scratch/seven.hip" >"$scratch/six.hip"
expect_ok hipwright cc --sdk own --arch gfx90a -o "$scratch/six" "$scratch/six.hip" -lhiprtc
expect_exit 128 sh -c "'$HIPWRIGHT' run --device soft:gfx90a -- '$scratch/six'; exit 128"
expect_output "float4(1): 1 1" "constant warpSize: yes"

# A port compiles against the release that it is for; what that release has does not come from compat.h.
expect_ok hipwright port "$SOURCE_DIR/examples/cuda/warp_reduce" --mode hip --rocm 7.2 --out "$scratch/ported" --compile --arch gfx90a,gfx1100
expect_ok hipwright api __reduce_add_sync --hip 7.2
expect_output "__reduce_add_sync"
finish
