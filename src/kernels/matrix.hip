// SPDX-License-Identifier: MIT
// The matrix unit of each target, in one form. A Unit multiplies a block of kRows rows of A with
// kColumns columns of B along a piece of k. Lane by lane:
//   - A fragment is one or two 16-byte chunks along k of one row of A, or of one column of B: of
//     row_of(lane) or column_of(lane), the chunks from chunk_of(lane) on.
//   - A step takes kChunks chunks of each row: those of all lanes with this row. Which element of
//     the chunks meets which multiplier does not matter, as long as A and B agree.
//   - Of the steps of a tile, kUnroll have registers for their fragments at a time.
//   - Sum i of a lane is that of row sum_row(i, lane) and column sum_column(lane). With
//     kSumsAreChunks a lane's sums, converted, are its fragments as columns of a next product,
//     whose k are these rows.

constexpr int kChunkBytes = 16;

template <class To, class From>
__device__ inline To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// The elements of a chunk that are multiplied as 8-bit floats of the target's own kind.
struct f8e4m3 {
  unsigned char bits;
};
struct f8e5m2 {
  unsigned char bits;
};

// --- Without a matrix unit: 8 columns, and a sum per lane ---

template <class T>
__device__ inline float dot(const word16& a, const word16& b, float sum) {
  constexpr int kElements = kChunkBytes / static_cast<int>(sizeof(T));
  const auto x = bits_as<Vector<T, kElements>>(a), y = bits_as<Vector<T, kElements>>(b);
#pragma unroll
  for (int e = 0; e < kElements; ++e)
    sum = fmaf(to_float(x.elements[e]), to_float(y.elements[e]), sum);
  return sum;
}

template <class T>
struct LaneUnit {
  static constexpr int kUnroll = 1;
  static constexpr bool kSumsAreChunks = false;
  static constexpr int kRows = HIPWRIGHT_WAVE_SIZE / 8, kColumns = 8;
  static constexpr int kChunks = 1, kFragment = 1, kSums = 1;
  struct Sums {
    float sum;
    __device__ float operator[](int) const { return sum; }
    __device__ Sums operator*(float by) const { return {sum * by}; }
  };
  static __device__ Sums zero() { return {0.0f}; }
  static __device__ int row_of(int lane) { return lane / 8; }
  static __device__ int column_of(int lane) { return lane % 8; }
  static __device__ int chunk_of(int) { return 0; }
  static __device__ int sum_row(int, int lane) { return lane / 8; }
  static __device__ int sum_column(int lane) { return lane % 8; }
  static __device__ void multiply(Sums& sums, const word16 (&a)[1], const word16 (&b)[1]) {
    sums.sum = dot<T>(a[0], b[0], sums.sum);
  }
};

template <class T, int SIZE>
struct UnitOf {
  using type = LaneUnit<T>;
};

#if defined(__HIP_PLATFORM_AMD__)

using half2_t = _Float16 __attribute__((ext_vector_type(2)));
using half4_t = _Float16 __attribute__((ext_vector_type(4)));
using half8_t = _Float16 __attribute__((ext_vector_type(8)));
using half16_t = _Float16 __attribute__((ext_vector_type(16)));
using bhalf8_t = __bf16 __attribute__((ext_vector_type(8)));
using short2_t = short __attribute__((ext_vector_type(2)));
using short4_t = short __attribute__((ext_vector_type(4)));
using short8_t = short __attribute__((ext_vector_type(8)));
using short16_t = short __attribute__((ext_vector_type(16)));
using int2_t = int __attribute__((ext_vector_type(2)));
using float4_t = float __attribute__((ext_vector_type(4)));
using float8_t = float __attribute__((ext_vector_type(8)));
using float16_t = float __attribute__((ext_vector_type(16)));

template <class Piece>
struct Pieces {
  Piece at[kChunkBytes / sizeof(Piece)];
};

#if defined(__gfx1030__) || defined(__gfx1031__) || defined(__gfx1032__) || \
    defined(__gfx1033__) || defined(__gfx1034__) || defined(__gfx1035__) || defined(__gfx1036__)
template <>
__device__ inline float dot<f16>(const word16& a, const word16& b, float sum) {
  const auto x = bits_as<Pieces<half2_t>>(a), y = bits_as<Pieces<half2_t>>(b);
#pragma unroll
  for (int i = 0; i < 4; ++i) sum = __builtin_amdgcn_fdot2(x.at[i], y.at[i], sum, false);
  return sum;
}
#endif

#if defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)

// MFMA: SIZE × SIZE sums of a wave of 64 lanes, of 32 or of 16.
template <int SIZE>
struct MfmaLanes {
  static constexpr int kUnroll = 8;
  static constexpr bool kSumsAreChunks = true;
  static constexpr int kRows = SIZE, kColumns = SIZE;
  static constexpr int kChunks = 64 / SIZE, kFragment = 1, kSums = SIZE * SIZE / 64;
  using Sums = float __attribute__((ext_vector_type(kSums)));
  static __device__ Sums zero() { return Sums(0.0f); }
  static __device__ int row_of(int lane) { return lane % SIZE; }
  static __device__ int column_of(int lane) { return lane % SIZE; }
  static __device__ int chunk_of(int lane) { return lane / SIZE; }
  static __device__ int sum_row(int i, int lane) {
    return i / 4 * (4 * kChunks) + lane / SIZE * 4 + i % 4;
  }
  static __device__ int sum_column(int lane) { return lane % SIZE; }
};

#define HIPWRIGHT_MFMA_UNIT(T, Piece, large, small, ...)                                           \
  template <int SIZE>                                                                              \
  struct MfmaUnit_##T : MfmaLanes<SIZE> {                                                          \
    using typename MfmaLanes<SIZE>::Sums;                                                          \
    static __device__ void multiply(Sums& sums, const word16 (&a)[1], const word16 (&b)[1]) {        \
      const auto x = bits_as<Pieces<Piece>>(a[0]), y = bits_as<Pieces<Piece>>(b[0]);               \
      _Pragma("unroll") for (int i = 0; i < static_cast<int>(kChunkBytes / sizeof(Piece)); ++i) {  \
        if constexpr (SIZE == 32)                                                                  \
          sums = large(x.at[i], y.at[i], sums, 0, 0, 0);                                           \
        else                                                                                       \
          sums = small(x.at[i], y.at[i], sums, 0, 0, 0);                                           \
      }                                                                                            \
    }                                                                                              \
  };                                                                                               \
  template <int SIZE>                                                                              \
  struct UnitOf<T, SIZE> {                                                                         \
    using type = MfmaUnit_##T<SIZE>;                                                               \
  };

HIPWRIGHT_MFMA_UNIT(f32, float, __builtin_amdgcn_mfma_f32_32x32x2f32,
                    __builtin_amdgcn_mfma_f32_16x16x4f32)
#if defined(__gfx950__)
HIPWRIGHT_MFMA_UNIT(f16, half8_t, __builtin_amdgcn_mfma_f32_32x32x16_f16,
                    __builtin_amdgcn_mfma_f32_16x16x32_f16)
HIPWRIGHT_MFMA_UNIT(bf16, bhalf8_t, __builtin_amdgcn_mfma_f32_32x32x16_bf16,
                    __builtin_amdgcn_mfma_f32_16x16x32_bf16)
#else
HIPWRIGHT_MFMA_UNIT(f16, half4_t, __builtin_amdgcn_mfma_f32_32x32x8f16,
                    __builtin_amdgcn_mfma_f32_16x16x16f16)
#if defined(__gfx908__)
HIPWRIGHT_MFMA_UNIT(bf16, short2_t, __builtin_amdgcn_mfma_f32_32x32x4bf16,
                    __builtin_amdgcn_mfma_f32_16x16x8bf16)
#else
HIPWRIGHT_MFMA_UNIT(bf16, short4_t, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k,
                    __builtin_amdgcn_mfma_f32_16x16x16bf16_1k)
#endif
#endif
#if defined(__gfx942__) || defined(__gfx950__)
#define HIPWRIGHT_MATRIX_FP8
HIPWRIGHT_MFMA_UNIT(f8e4m3, long, __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8,
                    __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8)
HIPWRIGHT_MFMA_UNIT(f8e5m2, long, __builtin_amdgcn_mfma_f32_32x32x16_bf8_bf8,
                    __builtin_amdgcn_mfma_f32_16x16x32_bf8_bf8)
#endif

#elif defined(__GFX11__) && HIPWRIGHT_WAVE_SIZE == 32

// WMMA: 16 × 16 sums of a wave of 32 lanes. Both halves of the wave have the same fragments.
struct WmmaLanes {
  static constexpr int kUnroll = 2;
  static constexpr bool kSumsAreChunks = false;
  static constexpr int kRows = 16, kColumns = 16;
  static constexpr int kChunks = 2, kFragment = 2, kSums = 8;
  using Sums = float8_t;
  static __device__ Sums zero() { return Sums(0.0f); }
  static __device__ int row_of(int lane) { return lane % 16; }
  static __device__ int column_of(int lane) { return lane % 16; }
  static __device__ int chunk_of(int) { return 0; }
  static __device__ int sum_row(int i, int lane) { return 2 * i + lane / 16; }
  static __device__ int sum_column(int lane) { return lane % 16; }
};
struct WmmaUnit_f16 : WmmaLanes {
  static __device__ void multiply(Sums& sums, const word16 (&a)[2], const word16 (&b)[2]) {
    sums = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(bits_as<half16_t>(a), bits_as<half16_t>(b),
                                                      sums);
  }
};
struct WmmaUnit_bf16 : WmmaLanes {
  static __device__ void multiply(Sums& sums, const word16 (&a)[2], const word16 (&b)[2]) {
    sums = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(bits_as<short16_t>(a),
                                                       bits_as<short16_t>(b), sums);
  }
};
template <int SIZE>
struct UnitOf<f16, SIZE> {
  using type = WmmaUnit_f16;
};
template <int SIZE>
struct UnitOf<bf16, SIZE> {
  using type = WmmaUnit_bf16;
};

#elif (defined(__gfx1200__) || defined(__gfx1201__)) && HIPWRIGHT_WAVE_SIZE == 32

// WMMA: 16 × 16 sums of a wave of 32 lanes, which share the chunks of a row.
struct WmmaLanes {
  static constexpr int kUnroll = 8;
  static constexpr bool kSumsAreChunks = true;
  static constexpr int kRows = 16, kColumns = 16;
  static constexpr int kChunks = 2, kFragment = 1, kSums = 8;
  using Sums = float8_t;
  static __device__ Sums zero() { return Sums(0.0f); }
  static __device__ int row_of(int lane) { return lane % 16; }
  static __device__ int column_of(int lane) { return lane % 16; }
  static __device__ int chunk_of(int lane) { return lane / 16; }
  static __device__ int sum_row(int i, int lane) { return i + lane / 16 * 8; }
  static __device__ int sum_column(int lane) { return lane % 16; }
};

#define HIPWRIGHT_WMMA_UNIT(T, Piece, wmma)                                                       \
  struct WmmaUnit_##T : WmmaLanes {                                                               \
    static __device__ void multiply(Sums& sums, const word16 (&a)[1], const word16 (&b)[1]) {       \
      const auto x = bits_as<Pieces<Piece>>(a[0]), y = bits_as<Pieces<Piece>>(b[0]);              \
      _Pragma("unroll") for (int i = 0; i < static_cast<int>(kChunkBytes / sizeof(Piece)); ++i)   \
          sums = wmma(x.at[i], y.at[i], sums);                                                    \
    }                                                                                             \
  };                                                                                              \
  template <int SIZE>                                                                             \
  struct UnitOf<T, SIZE> {                                                                        \
    using type = WmmaUnit_##T;                                                                    \
  };
HIPWRIGHT_WMMA_UNIT(f16, half8_t, __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12)
HIPWRIGHT_WMMA_UNIT(bf16, short8_t, __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12)
#define HIPWRIGHT_MATRIX_FP8
HIPWRIGHT_WMMA_UNIT(f8e4m3, int2_t, __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12)
HIPWRIGHT_WMMA_UNIT(f8e5m2, int2_t, __builtin_amdgcn_wmma_f32_16x16x16_bf8_bf8_w32_gfx12)

#endif

#endif

template <class T, int SIZE>
using Unit = typename UnitOf<T, SIZE>::type;
