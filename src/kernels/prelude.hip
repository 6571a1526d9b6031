// SPDX-License-Identifier: MIT
// What every kernel is written with: element types, vectors of elements, reductions, rows. The
// library puts it in front of each kernel's source, after these definitions from the arch table:
//   HIPWRIGHT_WAVE_SIZE   lanes of a wave
// This is the only kernel source that knows vendors.

using f32 = float;

template <bool CONDITION, class Then, class Else>
struct Choose {
  using type = Then;
};
template <class Then, class Else>
struct Choose<false, Then, Else> {
  using type = Else;
};

#if defined(__HIP_PLATFORM_AMD__)

using f16 = _Float16;
using bf16 = __bf16;
// Neither integers nor HIP's structs: the compiler takes stores of those apart, and joins the pieces
// with neighbours where they are misaligned.
using word4 = unsigned short __attribute__((ext_vector_type(2)));
using word8 = unsigned __attribute__((ext_vector_type(2)));
using word16 = unsigned __attribute__((ext_vector_type(4)));

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(f16 value) { return static_cast<float>(value); }
__device__ inline float to_float(bf16 value) { return static_cast<float>(value); }
template <class T>
__device__ inline T rounded(float value) {
  return static_cast<T>(value);
}
__device__ inline float lane_xor(float value, int mask) { return __shfl_xor(value, mask); }
// Atomic for this thread alone: no more than an access that stays as it is.
template <class Bits>
__device__ inline Bits load_bits_alone(const Bits* from) {
  return __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SINGLETHREAD);
}
template <class Bits>
__device__ inline void store_bits_alone(Bits* to, Bits bits) {
  __hip_atomic_store(to, bits, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SINGLETHREAD);
}
// The compiler moves nothing across this, such as loads whose results would occupy registers.
__device__ inline void keep_order() { __builtin_amdgcn_sched_barrier(0); }
__device__ inline float quick_divide(float a, float b) { return a * __builtin_amdgcn_rcpf(b); }
__device__ inline float quick_exponential(float x) { return __expf(x); }

// The 8-bit floats that the hardware converts: two numbers, each within the format's range.
#if defined(__gfx942__)
#define HIPWRIGHT_NATIVE_FP8 2
#elif defined(__gfx950__) || defined(__gfx1200__) || defined(__gfx1201__)
#define HIPWRIGHT_NATIVE_FP8 0
#endif
#if defined(HIPWRIGHT_NATIVE_FP8)
template <bool WIDE>
__device__ inline unsigned short native_fp8_pair(float a, float b) {
  return static_cast<unsigned short>(WIDE ? __builtin_amdgcn_cvt_pk_bf8_f32(a, b, 0, false)
                                          : __builtin_amdgcn_cvt_pk_fp8_f32(a, b, 0, false));
}
template <bool WIDE>
__device__ inline void native_fp8_unpack(float& a, float& b, unsigned short pair) {
  const auto both = WIDE ? __builtin_amdgcn_cvt_pk_f32_bf8(pair, false)
                         : __builtin_amdgcn_cvt_pk_f32_fp8(pair, false);
  a = both[0];
  b = both[1];
}
#endif

#else

using word4 = unsigned;
using word8 = uint2;
using word16 = uint4;
struct f16 {
  unsigned short bits;
};
struct bf16 {
  unsigned short bits;
};

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(f16 value) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
}
__device__ inline float to_float(bf16 value) {
  return __uint_as_float(static_cast<unsigned>(value.bits) << 16);
}
template <class T>
__device__ inline T rounded(float value);
template <>
__device__ inline float rounded<float>(float value) {
  return value;
}
template <>
__device__ inline f16 rounded<f16>(float value) {
  f16 narrow;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
  return narrow;
}
template <>
__device__ inline bf16 rounded<bf16>(float value) {
  bf16 narrow;
#if __CUDA_ARCH__ >= 900
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
#elif __CUDA_ARCH__ >= 800
  // With one operand from sm_90 only: convert a pair, whose other half is not used.
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(0.0f), "f"(value));
  narrow.bits = static_cast<unsigned short>(pair);
#else
  const unsigned bits = __float_as_uint(value);
  narrow.bits = value != value ? 0x7fffU
                               : static_cast<unsigned short>(
                                     (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
#endif
  return narrow;
}
__device__ inline float lane_xor(float value, int mask) {
  return __shfl_xor_sync(0xffffffffU, value, mask);
}
template <class Bits>
__device__ inline Bits load_bits_alone(const Bits* from) {
  return *static_cast<const volatile Bits*>(from);
}
template <class Bits>
__device__ inline void store_bits_alone(Bits* to, Bits bits) {
  *static_cast<volatile Bits*>(to) = bits;
}
__device__ inline void keep_order() {}
__device__ inline float quick_divide(float a, float b) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
  return a * inverse;
}
__device__ inline float quick_exponential(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * 1.44269504f));
  return power;
}

#if __CUDA_ARCH__ >= 890
#define HIPWRIGHT_NATIVE_FP8 0
template <bool WIDE>
__device__ inline unsigned short native_fp8_pair(float a, float b) {
  unsigned short pair;
  if (WIDE)
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(b), "f"(a));
  else
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(b), "f"(a));
  return pair;
}
template <bool WIDE>
__device__ inline void native_fp8_unpack(float& a, float& b, unsigned short pair) {
  unsigned halves;
  if (WIDE)
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(pair));
  else
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(pair));
  a = to_float(f16{static_cast<unsigned short>(halves)});
  b = to_float(f16{static_cast<unsigned short>(halves >> 16)});
}
#endif

#endif

__device__ inline float infinity() { return __int_as_float(0x7f800000); }

// Functions whose error disappears when the result is rounded to T: the hardware's approximations
// for the 16-bit types, the library's functions for f32.
template <class T>
__device__ inline float exponential(float x) {
  return sizeof(T) == 2 ? quick_exponential(x) : expf(x);
}
template <class T>
__device__ inline float divide(float a, float b) {
  return sizeof(T) == 2 ? quick_divide(a, b) : a / b;
}

// e^(z²) · erfc(z), z >= 0: a polynomial in 1 / (1 + 0.55 z), within 3e-7.
template <class T>
__device__ inline float scaled_erfc(float z) {
  const float t = divide<T>(1.0f, 1.0f + 0.55f * z);
  float p = 0.058047615f;
  p = p * t - 0.3366588f;
  p = p * t + 0.7812501f;
  p = p * t - 0.8534338f;
  p = p * t + 0.3639641f;
  p = p * t - 0.094995804f;
  p = p * t + 0.20205094f;
  p = p * t + 0.25881994f;
  p = p * t + 0.31066355f;
  p = p * t + 0.3102921f;
  return p * t;
}

// --- 8-bit floats ---

// As hipwright::kernels::Fp8 numbers them.
constexpr int kE4M3 = 0;
constexpr int kE5M2 = 1;
constexpr int kE4M3Fnuz = 2;
constexpr int kE5M2Fnuz = 3;

template <int FORMAT>
struct Fp8 {
  static constexpr bool kFnuz = FORMAT >= kE4M3Fnuz;
  static constexpr bool kWide = FORMAT == kE5M2 || FORMAT == kE5M2Fnuz;  // of exponent
  static constexpr int kMantissa = kWide ? 2 : 3;
  static constexpr int kBias = (kWide ? 15 : 7) + (kFnuz ? 1 : 0);
  static constexpr float kMost = kWide ? 57344.0f : kFnuz ? 240.0f : 448.0f;

  static __device__ float decode(unsigned code) {
    if (kFnuz ? code == 0x80 : kWide ? (code & 0x7f) > 0x7c : (code & 0x7f) == 0x7f)
      return __int_as_float(0x7fc00000);
    // The bits as a float of another bias; the product is exact, denormals included.
    constexpr int kScale = 127 - kBias;
    const float value = __int_as_float(static_cast<int>((code & 0x7f) << (23 - kMantissa))) *
                        __int_as_float((127 + kScale) << 23);
    const float magnitude =
        kWide && !kFnuz && (code & 0x7f) == 0x7c ? __int_as_float(0x7f800000) : value;
    return code & 0x80 ? -magnitude : magnitude;
  }

  // Rounds to nearest even; what is too large becomes the largest number. NaN stays NaN.
  static __device__ unsigned encode(float value) {
    const unsigned bits = static_cast<unsigned>(__float_as_int(value));
    const unsigned sign = bits >> 31 << 7;
    if (value != value) return kFnuz ? 0x80 : 0x7f;
    const float magnitude = fminf(fabsf(value), kMost);
    unsigned code;
    if (magnitude < __int_as_float((128 - kBias) << 23)) {
      // Below the normal numbers: a multiple of the least.
      code = static_cast<unsigned>(
          rintf(magnitude * __int_as_float((126 + kBias + kMantissa) << 23)));
    } else {
      constexpr int kDropped = 23 - kMantissa;
      unsigned rounding = static_cast<unsigned>(__float_as_int(magnitude));
      rounding += (1U << (kDropped - 1)) - 1 + ((rounding >> kDropped) & 1U);
      code = (rounding >> kDropped) - ((127U - kBias) << kMantissa);
    }
    return kFnuz && code == 0 ? 0 : code | sign;
  }
};

// --- Vectors: V neighbouring elements, moved by one access ---

template <int BYTES>
struct WordOf;
template <>
struct WordOf<1> {
  using type = unsigned char;
};
template <>
struct WordOf<2> {
  using type = unsigned short;
};
template <>
struct WordOf<4> {
  using type = word4;
};
template <>
struct WordOf<8> {
  using type = word8;
};
template <>
struct WordOf<16> {
  using type = word16;
};
struct alignas(16) TwoWords {
  word16 parts[2];
};
template <>
struct WordOf<32> {
  using type = TwoWords;
};
template <class T, int V>
union Vector {
  typename WordOf<sizeof(T) * V>::type word;
  T elements[V];
  __device__ Vector() {}
};

template <class T, int V>
__device__ inline Vector<T, V> vector_at(const T* element) {
  Vector<T, V> vector;
  vector.word = *reinterpret_cast<const decltype(vector.word)*>(element);
  return vector;
}
template <class T, int V>
__device__ inline void load(float (&values)[V], const T* element) {
  const Vector<T, V> vector = vector_at<T, V>(element);
#pragma unroll
  for (int v = 0; v < V; ++v) values[v] = to_float(vector.elements[v]);
}
template <class T, int V>
__device__ inline void store(T* element, const float (&values)[V]) {
  Vector<T, V> vector;
#pragma unroll
  for (int v = 0; v < V; ++v) vector.elements[v] = rounded<T>(values[v]);
  *reinterpret_cast<decltype(vector.word)*>(element) = vector.word;
}

// An access of one element: the compiler does not join it with its neighbours', which need not be
// aligned to a wider one.
template <int BYTES>
struct BitsOf {
  using type = typename WordOf<BYTES>::type;
};
template <>
struct BitsOf<4> {
  using type = unsigned;
};
template <class T>
__device__ inline T alone_at(const T* element) {
  using Bits = typename BitsOf<sizeof(T)>::type;
  const Bits bits = load_bits_alone(reinterpret_cast<const Bits*>(element));
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
__device__ inline void store_alone(T* element, T value) {
  using Bits = typename BitsOf<sizeof(T)>::type;
  Bits bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  store_bits_alone(reinterpret_cast<Bits*>(element), bits);
}

// load() and store() for 8-bit floats.
template <int FORMAT, int V>
__device__ inline void load_fp8(float (&values)[V], const unsigned char* element) {
  const Vector<unsigned char, V> vector = vector_at<unsigned char, V>(element);
#if defined(HIPWRIGHT_NATIVE_FP8)
  using Format = Fp8<FORMAT>;
  if (V % 2 == 0 && Format::kFnuz == Fp8<HIPWRIGHT_NATIVE_FP8>::kFnuz) {
#pragma unroll
    for (int v = 0; v + 1 < V; v += 2)
      native_fp8_unpack<Format::kWide>(
          values[v], values[v + 1],
          static_cast<unsigned short>(vector.elements[v] | vector.elements[v + 1] << 8));
    return;
  }
#endif
#pragma unroll
  for (int v = 0; v < V; ++v) values[v] = Fp8<FORMAT>::decode(vector.elements[v]);
}
template <int FORMAT, int V>
__device__ inline void encode_fp8(unsigned char (&codes)[V], const float (&values)[V]) {
#if defined(HIPWRIGHT_NATIVE_FP8)
  using Format = Fp8<FORMAT>;
  if (V % 2 == 0 && Format::kFnuz == Fp8<HIPWRIGHT_NATIVE_FP8>::kFnuz) {
#pragma unroll
    for (int v = 0; v + 1 < V; v += 2) {
      float pair[2];
#pragma unroll
      for (int i = 0; i < 2; ++i)  // keeps NaN
        pair[i] = values[v + i] > Format::kMost    ? Format::kMost
                  : values[v + i] < -Format::kMost ? -Format::kMost
                                                   : values[v + i];
      const unsigned short bits = native_fp8_pair<Format::kWide>(pair[0], pair[1]);
      codes[v] = static_cast<unsigned char>(bits);
      codes[v + 1] = static_cast<unsigned char>(bits >> 8);
    }
    return;
  }
#endif
#pragma unroll
  for (int v = 0; v < V; ++v)
    codes[v] = static_cast<unsigned char>(Fp8<FORMAT>::encode(values[v]));
}
template <int FORMAT, int V>
__device__ inline void store_fp8(unsigned char* element, const float (&values)[V]) {
  Vector<unsigned char, V> vector;
  encode_fp8<FORMAT>(vector.elements, values);
  *reinterpret_cast<decltype(vector.word)*>(element) = vector.word;
}

// --- Reductions ---

struct Sum {
  __device__ static float of(float a, float b) { return a + b; }
};

struct Max {
  __device__ static float of(float a, float b) { return fmaxf(a, b); }
};

template <class Operation, int LANES>
__device__ inline float wave_reduce(float value) {
#pragma unroll
  for (int mask = LANES / 2; mask > 0; mask /= 2)
    value = Operation::of(value, lane_xor(value, mask));
  return value;
}

template <int THREADS>
struct Parts {
  static constexpr int kWaves = THREADS / HIPWRIGHT_WAVE_SIZE;
  float of_wave[kWaves];
};

// The reduction of all threads' values, in every thread. `parts` is shared memory for this call
// alone: a second reduction takes another one.
template <class Operation, int THREADS>
__device__ inline float block_reduce(float value, Parts<THREADS>& parts) {
  constexpr int kWaves = Parts<THREADS>::kWaves;
  value = wave_reduce<Operation, HIPWRIGHT_WAVE_SIZE>(value);
  if (kWaves == 1) return value;
  const int lane = threadIdx.x % HIPWRIGHT_WAVE_SIZE;
  if (lane == 0) parts.of_wave[threadIdx.x / HIPWRIGHT_WAVE_SIZE] = value;
  __syncthreads();
  // Every wave reduces the parts once more: cheaper than a second barrier.
  return wave_reduce<Operation, kWaves>(parts.of_wave[lane % kWaves]);
}

// --- Rows: one block of THREADS works on one row ---

// Each thread has every THREADS-th vector of the row: ITEMS of them, read at once and kept in
// registers; or with ITEMS = 0 any number, read again in each pass.
template <class T, int V, int THREADS, int ITEMS>
struct Row {
  __device__ Row(const T* row, int width) : columns(width) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
      // Without a branch, so that all reads are on their way before the first is needed; what is
      // beyond the row is some vector of it, and is not visited.
      const int column = column_of(i);
      held[i] = vector_at<T, V>(row + (column < columns ? column : 0));
    }
  }
  static __device__ int column_of(int item) {
    return (item * THREADS + static_cast<int>(threadIdx.x)) * V;
  }

  // Calls visit(column, vector).
  template <class Visit>
  __device__ void each(Visit visit) const {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
      if (column_of(i) < columns) visit(column_of(i), held[i]);
  }
  // Adds another row, rounded as in memory, which `sum_row` then has, too. Calls
  // visit(column, sums).
  template <class Visit>
  __device__ void add(const Row& other, T* sum_row, Visit visit) {
    // The sums may lie where another thread reads what is beyond the row.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
      if (column_of(i) >= columns) continue;
      float sums[V];
      add_vectors(held[i], other.held[i], sums);
      *reinterpret_cast<decltype(held[i].word)*>(sum_row + column_of(i)) = held[i].word;
      visit(sums);
    }
  }

  int columns;
  Vector<T, V> held[ITEMS];

  // sums = a + b, and a = the same.
  static __device__ void add_vectors(Vector<T, V>& a, const Vector<T, V>& b, float (&sums)[V]) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      a.elements[v] = rounded<T>(to_float(a.elements[v]) + to_float(b.elements[v]));
      sums[v] = to_float(a.elements[v]);
    }
  }
};

template <class T, int V, int THREADS>
struct Row<T, V, THREADS, 0> {
  __device__ Row(const T* row, int width) : from(row), columns(width) {}

  template <class Visit>
  __device__ void each(Visit visit) const {
    for (int column = static_cast<int>(threadIdx.x) * V; column < columns; column += THREADS * V)
      visit(column, vector_at<T, V>(from + column));
  }
  template <class Visit>
  __device__ void add(const Row& other, T* sum_row, Visit visit) {
    for (int column = static_cast<int>(threadIdx.x) * V; column < columns; column += THREADS * V) {
      Vector<T, V> sum = vector_at<T, V>(from + column);
      float sums[V];
      Row<T, V, THREADS, 1>::add_vectors(sum, vector_at<T, V>(other.from + column), sums);
      *reinterpret_cast<decltype(sum.word)*>(sum_row + column) = sum.word;
      visit(sums);
    }
    from = sum_row;
  }

  const T* from;
  int columns;
};

// A row that all blocks read, such as weights. With one vector per thread it is read at once, before
// the block waits for anything.
template <class T, int V, int THREADS, int ITEMS>
struct SharedRow {
  __device__ SharedRow(const T* row, int) : from(row) {}
  __device__ Vector<T, V> at(int column) const { return vector_at<T, V>(from + column); }
  const T* from;
};
template <class T, int V, int THREADS>
struct SharedRow<T, V, THREADS, 1> {
  __device__ SharedRow(const T* row, int columns) : only(row, columns) {}
  __device__ Vector<T, V> at(int) const { return only.held[0]; }
  const Row<T, V, THREADS, 1> only;
};

template <class T, int V>
__device__ inline void unpack(float (&values)[V], const Vector<T, V>& vector) {
#pragma unroll
  for (int v = 0; v < V; ++v) values[v] = to_float(vector.elements[v]);
}

// The rest of a norm, after the pass that summed the row's squares, or the row.
template <class T, int V, int THREADS, class AnyRow, class Weights>
__device__ inline void finish_rms_norm(const AnyRow& row, float squares, Parts<THREADS>& parts,
                                       T* out, const Weights& weight, int columns, float epsilon) {
  squares = block_reduce<Sum, THREADS>(squares, parts);
  const float scale = rsqrtf(quick_divide(squares, static_cast<float>(columns)) + epsilon);
  row.each([&](int column, const Vector<T, V>& vector) {
    float values[V], weights[V];
    unpack(values, vector);
    unpack(weights, weight.at(column));
    for (int v = 0; v < V; ++v) values[v] *= scale * weights[v];
    store(out + column, values);
  });
}
template <class T, int V, int THREADS, class AnyRow, class Weights>
__device__ inline void finish_layer_norm(const AnyRow& row, float sum, Parts<THREADS> (&parts)[2],
                                         T* out, const Weights& weight, const Weights& bias,
                                         int columns, float epsilon) {
  const float share = quick_divide(1.0f, static_cast<float>(columns));
  const float mean = block_reduce<Sum, THREADS>(sum, parts[0]) * share;
  float squares = 0;
  row.each([&](int, const Vector<T, V>& vector) {
    float values[V];
    unpack(values, vector);
    for (int v = 0; v < V; ++v) squares += (values[v] - mean) * (values[v] - mean);
  });
  squares = block_reduce<Sum, THREADS>(squares, parts[1]);
  const float scale = rsqrtf(squares * share + epsilon);
  row.each([&](int column, const Vector<T, V>& vector) {
    float values[V], weights[V], results[V];
    unpack(values, vector);
    unpack(weights, weight.at(column));
    unpack(results, bias.at(column));
    for (int v = 0; v < V; ++v) results[v] += (values[v] - mean) * scale * weights[v];
    store(out + column, results);
  });
}

// --- Elements: a block works on a stretch of one row ---

// The grid is stretches × rows, the rows in y and z.
__device__ inline long long row_of_block() {
  return blockIdx.y + static_cast<long long>(blockIdx.z) * gridDim.y;
}
// The scale of the block's row; `step` is 0 if there is one for all rows.
__device__ inline float scale_of_block(const float* scales, long long step, long long rows) {
  const long long row = row_of_block();
  return scales[row < rows ? row * step : 0];
}

// For each vector of this thread calls read(row, column, values), then use(row, column, values): a
// stretch is read before it is written.
template <class Values, int V, int THREADS, int ITEMS, class Read, class Use>
__device__ inline void each_vector(long long rows, long long columns, Read read, Use use) {
  const long long row = row_of_block();
  if (row >= rows) return;
  const long long first = (static_cast<long long>(blockIdx.x) * (THREADS * ITEMS) +
                           static_cast<int>(threadIdx.x)) *
                          V;
  Values values[ITEMS];
  if ((static_cast<long long>(blockIdx.x) + 1) * (THREADS * ITEMS * V) <= columns) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) read(row, first + i * (THREADS * V), values[i]);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) use(row, first + i * (THREADS * V), values[i]);
    return;
  }
  for (int i = 0; i < ITEMS; ++i) {
    const long long column = first + i * (THREADS * V);
    if (column >= columns) return;
    read(row, column, values[0]);
    use(row, column, values[0]);
  }
}

// The operands of most such operations.
template <int V>
struct One {
  float a[V];
};
template <int V>
struct Two {
  float a[V], b[V];
};
