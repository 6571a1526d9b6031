// SPDX-License-Identifier: MIT
// What every kernel is written with: element types, vectors of elements, reductions, rows. The
// library puts it in front of each kernel's source, after these definitions from the arch table:
//   HIPWRIGHT_WAVE_SIZE   lanes of a wave
// This is the only kernel source that knows vendors.

using f32 = float;

#if defined(__HIP_PLATFORM_AMD__)

using f16 = _Float16;
using bf16 = __bf16;

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(f16 value) { return static_cast<float>(value); }
__device__ inline float to_float(bf16 value) { return static_cast<float>(value); }
template <class T>
__device__ inline T rounded(float value) {
  return static_cast<T>(value);
}
__device__ inline float lane_xor(float value, int mask) { return __shfl_xor(value, mask); }
__device__ inline float quick_divide(float a, float b) { return a * __builtin_amdgcn_rcpf(b); }

#else

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
__device__ inline float quick_divide(float a, float b) { return __fdividef(a, b); }

#endif

// Functions whose error disappears when the result is rounded to T: the hardware's approximations
// for the 16-bit types, the library's functions for f32.
template <class T>
__device__ inline float exponential(float x) {
  return sizeof(T) == 2 ? __expf(x) : expf(x);
}
template <class T>
__device__ inline float divide(float a, float b) {
  return sizeof(T) == 2 ? quick_divide(a, b) : a / b;
}

// --- Vectors: V neighbouring elements, moved by one access ---

template <int BYTES>
struct WordOf;
template <>
struct WordOf<2> {
  using type = unsigned short;
};
template <>
struct WordOf<4> {
  using type = unsigned;
};
template <>
struct WordOf<8> {
  using type = uint2;
};
template <>
struct WordOf<16> {
  using type = uint4;
};
template <class T, int V>
union Vector {
  typename WordOf<sizeof(T) * V>::type word;
  T elements[V];
  __device__ Vector() {}
};

// The vector of a row that begins at `column`. Elements beyond the row read as 0 and are not
// written. With V > 1 every row begins at a multiple of the vector's size.
template <class T, int V>
__device__ inline void load(float (&values)[V], const T* row, long long column, long long columns) {
  if (V == 1 || column + V <= columns) {
    Vector<T, V> vector;
    vector.word = *reinterpret_cast<const decltype(vector.word)*>(row + column);
#pragma unroll
    for (int v = 0; v < V; ++v) values[v] = to_float(vector.elements[v]);
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v)
      values[v] = column + v < columns ? to_float(row[column + v]) : 0.0f;
  }
}
template <class T, int V>
__device__ inline void store(T* row, long long column, long long columns,
                             const float (&values)[V]) {
  if (V == 1 || column + V <= columns) {
    Vector<T, V> vector;
#pragma unroll
    for (int v = 0; v < V; ++v) vector.elements[v] = rounded<T>(values[v]);
    *reinterpret_cast<decltype(vector.word)*>(row + column) = vector.word;
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (column + v < columns) row[column + v] = rounded<T>(values[v]);
  }
}

// --- Reductions ---

struct Sum {
  static constexpr float kNone = 0.0f;
  __device__ static float of(float a, float b) { return a + b; }
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

// Each thread has every THREADS-th vector of the row: ITEMS of them, kept in registers between the
// passes; or with ITEMS = 0 any number, read again from `from` in each pass after the first.
// A pass calls visit(column, values); the first one sets the values, which are of type T in memory.
template <class T, int V, int THREADS, int ITEMS>
struct Row {
  __device__ Row(const T*, int width) : columns(width) {}

  template <class Visit>
  __device__ void first(Visit visit) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
      const int column = (i * THREADS + static_cast<int>(threadIdx.x)) * V;
      if (column < columns) visit(column, values[i]);
    }
  }
  template <class Visit>
  __device__ void again(Visit visit) {
    first(visit);
  }

  int columns;
  float values[ITEMS][V];
};

template <class T, int V, int THREADS>
struct Row<T, V, THREADS, 0> {
  __device__ Row(const T* begin, int width) : from(begin), columns(width) {}

  template <class Visit>
  __device__ void first(Visit visit) {
    for (int column = static_cast<int>(threadIdx.x) * V; column < columns; column += THREADS * V) {
      float values[V];
      visit(column, values);
    }
  }
  template <class Visit>
  __device__ void again(Visit visit) {
    first([&](int column, float(&values)[V]) {
      load(values, from, column, columns);
      visit(column, values);
    });
  }

  const T* from;
  int columns;
};

// --- Elements: a block works on a stretch of one row ---

// Calls visit(row, column) for each vector of this thread. A row is a multiple of blocks long.
template <int V, int THREADS, int ITEMS, class Visit>
__device__ inline void each_vector(long long columns, unsigned blocks_per_row, Visit visit) {
  const unsigned row = blockIdx.x / blocks_per_row;
  const long long begin =
      static_cast<long long>(blockIdx.x - row * blocks_per_row) * (THREADS * ITEMS * V);
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const long long column = begin + (i * THREADS + static_cast<int>(threadIdx.x)) * V;
    if (column < columns) visit(static_cast<long long>(row), column);
  }
}
