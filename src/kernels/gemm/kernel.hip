// SPDX-License-Identifier: MIT
// out = activation(scale · a · b + bias) + residual.
//
// A block computes M × N results. It moves tiles of its operands, 128 bytes along k of each row,
// through registers to LDS, while the waves multiply the tile before. Results go through LDS once
// more, so that the epilogue reads and writes rows.

using hipwright::kernels::GemmArguments;

// --- Epilogue ---

template <class Out, int V>
__device__ inline void finish(const GemmArguments& g, long long batch, int row, int column,
                              float (&values)[V]) {
  float scale = g.scale;
  if (g.a_scales) scale *= g.a_scales[row * g.a_scale_step];
#pragma unroll
  for (int v = 0; v < V; ++v) values[v] *= scale;
  if (g.b_scales)
    for (int v = 0; v < V; ++v) values[v] *= g.b_scales[(column + v) * g.b_scale_step];
  if (g.bias) {
    float bias[V];
    load(bias, static_cast<const Out*>(g.bias) + column);
#pragma unroll
    for (int v = 0; v < V; ++v) values[v] += bias[v];
  }
  activate<Out>(values, g.activation);
  if (g.residual) {
    float residual[V];
    load(residual, static_cast<const Out*>(g.residual) + batch * g.residual_step +
                       row * g.residual_stride + column);
#pragma unroll
    for (int v = 0; v < V; ++v) values[v] += residual[v];
  }
  store(static_cast<Out*>(g.out) + batch * g.out_step + row * g.out_stride + column, values);
}

// --- Results of a wave, in LDS ---

// In half of the pieces of 128 bytes, neighbours of 16 bytes trade places: then lanes that read 32 bytes
// each use all banks.
__device__ inline int in_strip(int at) {
  const int chunk = at / 4;
  return (chunk ^ (chunk >> 3 & 1)) * 4 + at % 4;
}
template <int V>
__device__ inline void load_strip(float (&values)[V], const float* strip, int at) {
  if constexpr (V < 4) {
    load(values, strip + in_strip(at));
  } else {
#pragma unroll
    for (int first = 0; first < V; first += 4) {
      float four[4];
      load(four, strip + in_strip(at + first));
#pragma unroll
      for (int i = 0; i < 4; ++i) values[first + i] = four[i];
    }
  }
}

// --- The block ---

// Tiles in groups of 8 rows, so that blocks that run at a time share operands.
template <int M, int N>
struct TileOfBlock {
  int row, column;
  __device__ TileOfBlock(int rows, int columns) {
    constexpr int kGroup = 8;
    const int down = (rows + M - 1) / M, across = (columns + N - 1) / N;
    const int tile = static_cast<int>(blockIdx.x);
    const int group = tile / (kGroup * across), first = group * kGroup;
    const int height = down - first < kGroup ? down - first : kGroup;
    const int within = tile - group * kGroup * across;
    row = (first + within % height) * M;
    column = within / height * N;
  }
};

template <class T, class Out, class Stored, int A_ALONG, int B_ALONG, int M, int N, int WAVES_M,
          int WAVES_N, int SIZE, int V>
__device__ inline void gemm_tile(const GemmArguments& g) {
  using Matrix = Unit<T, SIZE>;
  constexpr int kThreads = WAVES_M * WAVES_N * HIPWRIGHT_WAVE_SIZE;
  constexpr int kWaveM = M / WAVES_M, kWaveN = N / WAVES_N;
  constexpr int kDown = kWaveM / Matrix::kRows, kAcross = kWaveN / Matrix::kColumns;
  constexpr bool kVectors = V > 1;
  using A = typename Choose<A_ALONG, AlongDepth<T, Stored, M, kThreads, kVectors>,
                            AlongRows<T, Stored, M, kThreads, kVectors>>::type;
  using B = typename Choose<B_ALONG, AlongDepth<T, Stored, N, kThreads, kVectors>,
                            AlongRows<T, Stored, N, kThreads, kVectors>>::type;
  // The results of a strip lie where the tiles were.
  constexpr int kOfTiles = (M + N) * kTileChunks;
  constexpr int kOfStrips = WAVES_M * WAVES_N * Matrix::kRows * kWaveN / 4;
  __shared__ word16 tiles[kOfTiles > kOfStrips ? kOfTiles : kOfStrips];

  const TileOfBlock<M, N> tile(g.rows, g.columns);
  const int row_of_grid = static_cast<int>(row_of_block());
  const long long batch = row_of_grid / g.splits;
  if (batch >= g.batch) return;
  const int split = row_of_grid % g.splits;
  const int begin = split * g.split_depth;
  const int depth = g.depth - begin < g.split_depth ? g.depth : begin + g.split_depth;
  const int lane = threadIdx.x % HIPWRIGHT_WAVE_SIZE, wave = threadIdx.x / HIPWRIGHT_WAVE_SIZE;
  const int wave_row = wave / WAVES_N * kWaveM, wave_column = wave % WAVES_N * kWaveN;

  A a(static_cast<const Stored*>(g.a) + batch * g.a_step, g.a_stride, tile.row, g.rows);
  B b(static_cast<const Stored*>(g.b) + batch * g.b_step, g.b_stride, tile.column, g.columns);
  word16* const tile_a = tiles;
  word16* const tile_b = tiles + M * kTileChunks;

  typename Matrix::Sums sums[kDown][kAcross];
#pragma unroll
  for (int i = 0; i < kDown; ++i)
#pragma unroll
    for (int j = 0; j < kAcross; ++j) sums[i][j] = Matrix::zero();

  const auto multiply_tiles = [&] {
#pragma unroll Matrix::kUnroll
    for (int step = 0; step < kTileChunks; step += Matrix::kChunks) {
      word16 from_a[kDown][Matrix::kFragment], from_b[kAcross][Matrix::kFragment];
      const int chunk = step + Matrix::chunk_of(lane);
#pragma unroll
      for (int f = 0; f < Matrix::kFragment; ++f) {
#pragma unroll
        for (int i = 0; i < kDown; ++i)
          from_a[i][f] =
              tile_a[place(wave_row + i * Matrix::kRows + Matrix::row_of(lane), chunk + f)];
#pragma unroll
        for (int j = 0; j < kAcross; ++j)
          from_b[j][f] =
              tile_b[place(wave_column + j * Matrix::kColumns + Matrix::column_of(lane), chunk + f)];
      }
#pragma unroll
      for (int i = 0; i < kDown; ++i)
#pragma unroll
        for (int j = 0; j < kAcross; ++j) Matrix::multiply(sums[i][j], from_a[i], from_b[j]);
    }
  };

  // The last tile may be a part of one, and needs other loads.
  const int last = begin + (depth - begin - 1) / kTileDepth<T> * kTileDepth<T>;
  if (begin < last) {
    a.template load<true>(begin, depth);
    b.template load<true>(begin, depth);
  }
  for (int k = begin; k < last; k += kTileDepth<T>) {
    a.store(tile_a);
    b.store(tile_b);
    __syncthreads();
    if (k + kTileDepth<T> < last) {
      a.template load<true>(k + kTileDepth<T>, depth);
      b.template load<true>(k + kTileDepth<T>, depth);
    }
    multiply_tiles();
    __syncthreads();
  }
  a.template load<false>(last, depth);
  b.template load<false>(last, depth);
  a.store(tile_a);
  b.store(tile_b);
  __syncthreads();
  multiply_tiles();
  __syncthreads();

  float* const strip = reinterpret_cast<float*>(tiles) + wave * (Matrix::kRows * kWaveN);
  const int row_of_wave = tile.row + wave_row, column_of_wave = tile.column + wave_column;
#pragma unroll
  for (int i = 0; i < kDown; ++i) {
    if (i > 0) __syncthreads();
#pragma unroll
    for (int j = 0; j < kAcross; ++j)
#pragma unroll
      for (int s = 0; s < Matrix::kSums; ++s)
        strip[in_strip(Matrix::sum_row(s, lane) * kWaveN + j * Matrix::kColumns +
                       Matrix::sum_column(lane))] = sums[i][j][s];
    __syncthreads();
    for (int at = lane * V; at < Matrix::kRows * kWaveN; at += HIPWRIGHT_WAVE_SIZE * V) {
      const int row = row_of_wave + i * Matrix::kRows + at / kWaveN;
      const int column = column_of_wave + at % kWaveN;
      if (row >= g.rows || column >= g.columns) continue;
      float values[V];
      load_strip(values, strip, at);
      if (g.splits > 1)
        store(g.partials + (static_cast<long long>(row_of_grid) * g.rows + row) * g.columns + column,
              values);
      else
        finish<Out>(g, batch, row, column, values);
    }
  }
}

// Adds what the splits computed.
template <class Out, int V, int THREADS>
__device__ inline void gemm_finish(const GemmArguments& g) {
  const long long batch = row_of_block();
  const long long at =
      (static_cast<long long>(blockIdx.x) * THREADS + static_cast<int>(threadIdx.x)) * V;
  const long long size = static_cast<long long>(g.rows) * g.columns;
  if (batch >= g.batch || at >= size) return;
  const float* const from = g.partials + batch * g.splits * size + at;
  float values[V];
  load(values, from);
  for (int split = 1; split < g.splits; ++split) {
    float more[V];
    load(more, from + split * size);
#pragma unroll
    for (int v = 0; v < V; ++v) values[v] += more[v];
  }
  finish<Out>(g, batch, static_cast<int>(at / g.columns), static_cast<int>(at % g.columns), values);
}

// Few rows: reads b once. A wave computes one column, its lanes have chunks along k.
template <class T, class Out, class Stored, int ROWS, int WAVES>
__device__ inline void gemm_skinny(const GemmArguments& g) {
  constexpr int kElements = kElementsOf<T>;
  using Raw = typename Loaded<T, Stored>::Raw;
  const int lane = threadIdx.x % HIPWRIGHT_WAVE_SIZE, wave = threadIdx.x / HIPWRIGHT_WAVE_SIZE;
  const long long batch = row_of_block();
  const int column = static_cast<int>(blockIdx.x) * WAVES + wave;
  if (batch >= g.batch || column >= g.columns) return;
  const Stored* const b = static_cast<const Stored*>(g.b) + batch * g.b_step + column * g.b_stride;
  const Stored* const a = static_cast<const Stored*>(g.a) + batch * g.a_step;
  float sums[ROWS] = {};
#pragma unroll 2
  for (int k = lane * kElements; k < g.depth; k += HIPWRIGHT_WAVE_SIZE * kElements) {
    Raw of_b, of_a[ROWS];
    of_b.word = *reinterpret_cast<const decltype(of_b.word)*>(b + k);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      const int row = r < g.rows ? r : g.rows - 1;
      of_a[r].word = *reinterpret_cast<const decltype(of_b.word)*>(a + row * g.a_stride + k);
    }
    const word16 chunk = Loaded<T, Stored>::chunk(of_b);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) sums[r] = dot<T>(Loaded<T, Stored>::chunk(of_a[r]), chunk, sums[r]);
  }
  float mine[1] = {0};
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const float sum = wave_reduce<Sum, HIPWRIGHT_WAVE_SIZE>(sums[r]);
    if (lane == r) mine[0] = sum;
  }
  if (lane < g.rows) finish<Out>(g, batch, lane, column, mine);
}

// The type in which 8-bit floats are multiplied: their own where the matrix unit has it.
template <int FORMAT>
struct MultipliedAs {
#if defined(HIPWRIGHT_MATRIX_FP8)
  using type = typename Choose<
      Fp8<FORMAT>::kFnuz == Fp8<HIPWRIGHT_NATIVE_FP8>::kFnuz,
      typename Choose<Fp8<FORMAT>::kWide, f8e5m2, f8e4m3>::type, f16>::type;
#else
  using type = f16;
#endif
};
template <class Out, int FORMAT>
struct Types {
  using Stored = Code<FORMAT>;
  using T = typename MultipliedAs<FORMAT>::type;
};
template <class Out>
struct Types<Out, -1> {
  using Stored = Out;
  using T = Out;
};

#define HIPWRIGHT_GEMM_TILE(symbol, Out, FORMAT, A_ALONG, B_ALONG, M, N, WAVES_M, WAVES_N, SIZE, V) \
  extern "C" __global__ void __launch_bounds__(WAVES_M* WAVES_N* HIPWRIGHT_WAVE_SIZE)              \
      symbol(GemmArguments g) {                                                                    \
    gemm_tile<typename Types<Out, FORMAT>::T, Out, typename Types<Out, FORMAT>::Stored, A_ALONG,   \
              B_ALONG, M, N, WAVES_M, WAVES_N, SIZE, V>(g);                                        \
  }
#define HIPWRIGHT_GEMM_FINISH(symbol, Out, V, THREADS)                                \
  extern "C" __global__ void __launch_bounds__(THREADS) symbol(GemmArguments g) {     \
    gemm_finish<Out, V, THREADS>(g);                                                  \
  }
#define HIPWRIGHT_GEMM_SKINNY(symbol, Out, FORMAT, ROWS, WAVES)                                  \
  extern "C" __global__ void __launch_bounds__(WAVES* HIPWRIGHT_WAVE_SIZE)                       \
      symbol(GemmArguments g) {                                                                  \
    gemm_skinny<typename Choose<FORMAT == -1, Out, f16>::type, Out,                              \
                typename Types<Out, FORMAT>::Stored, ROWS, WAVES>(g);                            \
  }
