// SPDX-License-Identifier: MIT
// C = A·B on the matrix cores, in f16, bf16 and fp8: MFMA on CDNA (gfx9), WMMA on RDNA (gfx11 and
// gfx12). One wave makes a 16×16 tile. What differs between the targets is how a tile lies in the
// lanes, and which fp8 is meant: fnuz on gfx942, OCP elsewhere; gfx908, gfx90a and gfx11 have none.
// gfx10 has no matrix cores.
#include "../common/check.h"

using f32x4 = float __attribute__((ext_vector_type(4)));
using f32x8 = float __attribute__((ext_vector_type(8)));
template <class T, int count>
struct Vector {
  using type = T __attribute__((ext_vector_type(count)));
};

constexpr int kTile = 16;

#if defined(__gfx942__) || defined(__gfx950__) || defined(__GFX12__)
#define HAS_FP8 1
#else
#define HAS_FP8 0
#endif

// --- how tiles lie in lanes ---
// Each lane holds kElements consecutive k of one row of A (one column of B), and rows of a column
// of C.
#if defined(__GFX9__)
using Accumulator = f32x4;
template <int bytes>
struct Fragment {
  static constexpr int kElements = bytes == 2 ? 4 : 8;
  static constexpr int kDepth = 4 * kElements;  // k per instruction
  static __device__ int first_k(int lane) { return lane / kTile * kElements; }
};
__device__ int row_of(int lane, int element) {
  return lane / kTile * 4 + element;
}
#elif defined(__GFX11__)
using Accumulator = f32x8;
template <int bytes>
struct Fragment {
  static constexpr int kElements = 16, kDepth = 16;
  static __device__ int first_k(int) { return 0; }  // both halves of the wave hold the same
};
__device__ int row_of(int lane, int element) {
  return element * 2 + lane / kTile;
}
#else
using Accumulator = f32x8;
template <int bytes>
struct Fragment {
  static constexpr int kElements = 8, kDepth = 16;
  static __device__ int first_k(int lane) { return lane / kTile * kElements; }
};
__device__ int row_of(int lane, int element) {
  return lane / kTile * 8 + element;
}
#endif

// --- the instructions ---
template <class T>
using Elements = typename Vector<T, Fragment<sizeof(T)>::kElements>::type;

struct F16 {
  using Storage = _Float16;
  static __device__ Storage store(float value) { return static_cast<_Float16>(value); }
  static __device__ Accumulator multiply([[maybe_unused]] Elements<Storage> a,
                                         [[maybe_unused]] Elements<Storage> b, Accumulator c) {
#if defined(__GFX9__)
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
#elif defined(__GFX11__)
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c);
#elif defined(__GFX12__)
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c);
#endif
    return c;
  }
};

struct BF16 {
  using Storage = short;  // the upper half of a float
  static __device__ Storage store(float value) {
    return static_cast<short>(__float_as_uint(value) >> 16);  // exact for the inputs used here
  }
  static __device__ Accumulator multiply([[maybe_unused]] Elements<Storage> a,
                                         [[maybe_unused]] Elements<Storage> b, Accumulator c) {
#if defined(__gfx908__)
    // Two elements of each lane at a time: A and B agree on which k these are.
    c = __builtin_amdgcn_mfma_f32_16x16x8bf16(a.lo, b.lo, c, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f32_16x16x8bf16(a.hi, b.hi, c, 0, 0, 0);
#elif defined(__GFX9__)
    c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
#elif defined(__GFX11__)
    c = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c);
#elif defined(__GFX12__)
    c = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c);
#endif
    return c;
  }
};

struct FP8 {
  using Storage = unsigned char;
  static __device__ Storage store([[maybe_unused]] float value) {
#if HAS_FP8
    return static_cast<Storage>(__builtin_amdgcn_cvt_pk_fp8_f32(value, 0.0F, 0, false));
#else
    return 0;
#endif
  }
  static __device__ Accumulator multiply([[maybe_unused]] Elements<Storage> a,
                                         [[maybe_unused]] Elements<Storage> b, Accumulator c) {
#if HAS_FP8 && defined(__GFX9__)
    c = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(__builtin_bit_cast(long, a),
                                                   __builtin_bit_cast(long, b), c, 0, 0, 0);
#elif HAS_FP8
    using i32x2 = Vector<int, 2>::type;
    c = __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(__builtin_bit_cast(i32x2, a),
                                                             __builtin_bit_cast(i32x2, b), c);
#endif
    return c;
  }
};

template <class Type>
__global__ void convert(const float* in, typename Type::Storage* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Type::store(in[i]);
}

// A is m×k, B is k×n, all dimensions are multiples of 32.
template <class Type>
__global__ void gemm(const typename Type::Storage* a, const typename Type::Storage* b, float* c,
                     int n, int k) {
  using Layout = Fragment<sizeof(typename Type::Storage)>;
  const int lane = threadIdx.x, row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  Accumulator sum = {};
  for (int start = 0; start < k; start += Layout::kDepth) {
    Elements<typename Type::Storage> x, y;
    for (int e = 0; e < Layout::kElements; ++e) {
      const int inner = start + Layout::first_k(lane) + e;
      x[e] = a[(row + lane % kTile) * k + inner];
      y[e] = b[inner * n + column + lane % kTile];
    }
    sum = Type::multiply(x, y, sum);
  }
  for (unsigned e = 0; e < sizeof(sum) / sizeof(float); ++e)
    c[(row + row_of(lane, static_cast<int>(e))) * n + column + lane % kTile] = sum[e];
}

__global__ void ask_for_formats(int* matrices, int* fp8) {
#if defined(__GFX9__) || defined(__GFX11__) || defined(__GFX12__)
  *matrices = 1;
#else
  *matrices = 0;
#endif
  *fp8 = HAS_FP8;
}

template <class Type>
void run(const char* name, Verdict& verdict) {
  constexpr int m = 64, n = 96, k = 128;
  // Small integers: every product and sum is exact, in any order of additions.
  Numbers numbers(7);
  std::vector<float> a(m * k), b(k * n);
  for (float& value : a) value = static_cast<float>(static_cast<int>(numbers.next() % 9) - 4);
  for (float& value : b) value = static_cast<float>(static_cast<int>(numbers.next() % 15) - 7);

  using Storage = typename Type::Storage;
  const DeviceArray<float> wide_a(a), wide_b(b), device_c(m * n);
  const DeviceArray<Storage> device_a(a.size()), device_b(b.size());
  int wave = 0;
  HIP_CHECK(hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0));
  convert<Type><<<m * k / 256, 256>>>(wide_a.get(), device_a.get(), m * k);
  convert<Type><<<k * n / 256, 256>>>(wide_b.get(), device_b.get(), k * n);
  gemm<Type>
      <<<dim3(n / kTile, m / kTile), wave>>>(device_a.get(), device_b.get(), device_c.get(), n, k);
  finish_launch();

  const std::vector<float> c = device_c.download();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int x = 0; x < k; ++x) sum += a[i * k + x] * b[x * n + j];
      verdict.expect(c[i * n + j] == sum, "%s: C[%d][%d] is %g, expected %g", name, i, j,
                     static_cast<double>(c[i * n + j]), static_cast<double>(sum));
    }
}

int main() {
  const DeviceArray<int> matrices(1), fp8(1);
  ask_for_formats<<<1, 1>>>(matrices.get(), fp8.get());
  finish_launch();
  Verdict verdict;
  if (matrices.download()[0] == 0) return verdict.print("nothing to compute: no matrix cores");
  run<F16>("f16", verdict);
  run<BF16>("bf16", verdict);
  if (fp8.download()[0] == 0) return verdict.print("matrix products in f16 and bf16 (no fp8)");
  run<FP8>("fp8", verdict);
  return verdict.print("matrix products in f16, bf16 and fp8");
}
