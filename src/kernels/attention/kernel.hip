// SPDX-License-Identifier: MIT
// out = softmax(scale · q · kᵀ) · v, by heads, with the largest score and the sum of the softmax
// kept up while keys pass by.

using hipwright::kernels::AttentionArguments;

// The rows of one sequence, and which keys its queries see.
struct Sequence {
  long long query_begin, key_begin;
  int queries, keys;
  __device__ Sequence(const AttentionArguments& g, long long index) {
    query_begin = g.query_starts ? g.query_starts[index] : index * g.queries;
    queries = g.query_starts ? g.query_starts[index + 1] - static_cast<int>(query_begin) : g.queries;
    if (g.pages) {
      key_begin = 0;
      keys = g.key_counts[index];
    } else {
      key_begin = g.key_starts ? g.key_starts[index] : index * g.keys;
      keys = g.key_starts ? g.key_starts[index + 1] - static_cast<int>(key_begin) : g.keys;
    }
  }
  // The last queries see the last keys.
  __device__ int end_of_keys(const AttentionArguments& g, int query) const {
    const int end = g.causal ? query + keys - queries + 1 : keys;
    return end < keys ? (end > 0 ? end : 0) : keys;
  }
  __device__ int begin_of_keys(const AttentionArguments& g, int query) const {
    const int begin = g.window > 0 ? query + keys - queries + 1 - g.window : 0;
    return begin > 0 ? begin : 0;
  }
};

__device__ inline float no_score() { return -infinity(); }

// --- Many queries: with the matrix unit ---
//
// Scores are computed as kᵀ-rows by q-columns, so that a lane has scores of one query only, and
// results as v-columns by q-columns. A wave has kColumns queries.

// The keys in a chunk of v, in the order in which a lane has their scores.
template <class T, class Matrix>
struct KeyOrder {
  static __device__ int at(int chunk, int e) {
    if constexpr (Matrix::kSumsAreChunks) {
      constexpr int kOfBlock = Matrix::kRows / kElementsOf<T>;  // chunks
      const int within = chunk % kOfBlock;
      const int sum = within / Matrix::kChunks * kElementsOf<T> + e;
      return chunk / kOfBlock * Matrix::kRows +
             Matrix::sum_row(sum, within % Matrix::kChunks * Matrix::kRows);
    } else {
      return InOrder<T>::at(chunk, e);
    }
  }
};

template <class T, bool VECTORS>
__device__ inline word16 chunk_of_row(const T* row, int element, int elements) {
  Vector<T, kElementsOf<T>> chunk;
  clear(chunk);
  if constexpr (VECTORS) {
    if (element < elements) chunk.word = *reinterpret_cast<const word16*>(row + element);
  } else {
#pragma unroll
    for (int e = 0; e < kElementsOf<T>; ++e)
      if (element + e < elements) chunk.elements[e] = alone_at(row + element + e);
  }
  return chunk.word;
}

// The fragments of a wave's queries: in registers where the rest leaves room for them, else in LDS.
template <class T, class Matrix, int D, bool VECTORS, bool IN_REGISTERS>
struct Queries {
  static constexpr int kSteps = D / kElementsOf<T> / Matrix::kChunks;
  static constexpr int kLds = 0;  // chunks for each wave
  word16 of_lane[kSteps][Matrix::kFragment];
  __device__ Queries(word16*, const T* row, int elements, int lane) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step)
#pragma unroll
      for (int f = 0; f < Matrix::kFragment; ++f)
        of_lane[step][f] = chunk_of_row<T, VECTORS>(
            row, (step * Matrix::kChunks + Matrix::chunk_of(lane) + f) * kElementsOf<T>, elements);
  }
  __device__ void read(word16 (&to)[Matrix::kFragment], int step, int) const {
#pragma unroll
    for (int f = 0; f < Matrix::kFragment; ++f) to[f] = of_lane[step][f];
  }
};
template <class T, class Matrix, int D, bool VECTORS>
struct Queries<T, Matrix, D, VECTORS, false> {
  static constexpr int kOfRow = D / kElementsOf<T>, kLds = Matrix::kColumns * kOfRow;
  word16* of_wave;
  // The lanes with this lane's column share its chunks.
  __device__ Queries(word16* lds, const T* row, int elements, int lane) : of_wave(lds) {
    for (int chunk = lane / Matrix::kColumns; chunk < kOfRow;
         chunk += HIPWRIGHT_WAVE_SIZE / Matrix::kColumns)
      lds[at(Matrix::column_of(lane), chunk)] =
          chunk_of_row<T, VECTORS>(row, chunk * kElementsOf<T>, elements);
  }
  __device__ void read(word16 (&to)[Matrix::kFragment], int step, int lane) const {
#pragma unroll
    for (int f = 0; f < Matrix::kFragment; ++f)
      to[f] = of_wave[at(Matrix::column_of(lane),
                         step * Matrix::kChunks + Matrix::chunk_of(lane) + f)];
  }
  static __device__ int at(int column, int chunk) {
    return chunk / kTileChunks * (Matrix::kColumns * kTileChunks) +
           place(column, chunk % kTileChunks);
  }
};

// Every lane's value, reduced over the lanes with the same column.
template <class Operation, class Matrix>
__device__ inline float across_rows(float value) {
#pragma unroll
  for (int mask = Matrix::kColumns; mask < HIPWRIGHT_WAVE_SIZE; mask *= 2)
    value = Operation::of(value, lane_xor(value, mask));
  return value;
}

template <class T, int D, int WAVES, int SIZE, int V>
__device__ inline void attention_tile(const AttentionArguments& g) {
  using Matrix = Unit<T, SIZE>;
  constexpr int kThreads = WAVES * HIPWRIGHT_WAVE_SIZE;
  constexpr int kElements = kElementsOf<T>, kKeys = kTileDepth<T>;
  constexpr int kParts = D / kTileDepth<T>, kSteps = D / kElements / Matrix::kChunks;
  constexpr int kKeyBlocks = kKeys / Matrix::kRows, kResultBlocks = D / Matrix::kRows;
  constexpr int kWaveQueries = Matrix::kColumns;
  constexpr bool kVectors = V > 1, kChunked = Matrix::kSumsAreChunks;
  using Keys = AlongDepth<T, T, kKeys, kThreads, kVectors>;
  using Values = AlongRows<T, T, D, kThreads, kVectors, KeyOrder<T, Matrix>>;
  constexpr bool kHasRegisters = HIPWRIGHT_WAVE_SIZE == 64 && kChunked;
  constexpr int kStepsAtATime = kHasRegisters ? kSteps : 1;
  constexpr int kTileStepsAtATime = kChunked ? kTileChunks : 1;
  using OwnQueries = Queries<T, Matrix, D, kVectors, kHasRegisters>;
  constexpr int kOfKeys = kParts * kKeys * kTileChunks, kOfValues = D * kTileChunks;
  constexpr int kOfWeights = kChunked ? 0 : kWaveQueries * kTileChunks;
  constexpr int kOfTiles = kOfKeys + kOfValues + WAVES * (OwnQueries::kLds + kOfWeights);
  using InLds = Queries<T, Matrix, D, kVectors, false>;
  constexpr int kOfResults = WAVES * InLds::kLds;  // where the tiles were
  __shared__ word16 tiles[kOfTiles > kOfResults ? kOfTiles : kOfResults];
  const int lane = threadIdx.x % HIPWRIGHT_WAVE_SIZE, wave = threadIdx.x / HIPWRIGHT_WAVE_SIZE;
  word16* const tile_k = tiles;
  word16* const tile_v = tiles + kOfKeys;
  word16* const lds_q = tiles + kOfKeys + kOfValues + wave * OwnQueries::kLds;
  word16* const lds_weights =
      tiles + kOfKeys + kOfValues + WAVES * OwnQueries::kLds + wave * kOfWeights;

  const long long row_of_grid = row_of_block();
  if (row_of_grid >= g.batch * g.heads) return;
  const Sequence sequence(g, row_of_grid / g.heads);
  const int head = static_cast<int>(row_of_grid % g.heads);
  const int kv_column = head / (g.heads / g.kv_heads) * g.head_size;
  const int first = static_cast<int>(blockIdx.x) * (WAVES * kWaveQueries);
  if (first >= sequence.queries) return;
  const int behind = first + WAVES * kWaveQueries;
  const int last = (behind < sequence.queries ? behind : sequence.queries) - 1;
  const int query = first + wave * kWaveQueries + Matrix::column_of(lane);
  const long long query_row = sequence.query_begin + (query < last ? query : last);

  const OwnQueries queries(
      lds_q, static_cast<const T*>(g.q) + query_row * g.q_stride + head * g.head_size, g.head_size,
      lane);
  const T* const k = static_cast<const T*>(g.k) + sequence.key_begin * g.k_stride + kv_column;
  const T* const v = static_cast<const T*>(g.v) + sequence.key_begin * g.v_stride + kv_column;

  typename Matrix::Sums results[kResultBlocks];
#pragma unroll
  for (int b = 0; b < kResultBlocks; ++b) results[b] = Matrix::zero();
  float largest = no_score(), sum = 0;  // sum: of this lane's keys

  const int key_end = sequence.end_of_keys(g, last);
  const int visible_begin = sequence.begin_of_keys(g, query);
  const int visible_end = sequence.end_of_keys(g, query);
  for (int key = sequence.begin_of_keys(g, first) / kKeys * kKeys; key < key_end; key += kKeys) {
    Values values(v + key * g.v_stride, g.v_stride, 0, g.head_size);
    values.template load<false>(0, sequence.keys - key);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
      Keys keys(k, g.k_stride, key, sequence.keys);
      keys.template load<false>(p * kTileDepth<T>, g.head_size);
      keys.store(tile_k + p * kKeys * kTileChunks);
    }
    values.store(tile_v);
    __syncthreads();

    typename Matrix::Sums scores[kKeyBlocks];
#pragma unroll
    for (int b = 0; b < kKeyBlocks; ++b) scores[b] = Matrix::zero();
#pragma unroll kStepsAtATime
    for (int step = 0; step < kSteps; ++step) {
      word16 of_q[Matrix::kFragment];
      queries.read(of_q, step, lane);
#pragma unroll
      for (int b = 0; b < kKeyBlocks; ++b) {
        word16 of_k[Matrix::kFragment];
#pragma unroll
        for (int f = 0; f < Matrix::kFragment; ++f) {
          const int chunk = step * Matrix::kChunks + Matrix::chunk_of(lane) + f;
          of_k[f] = tile_k[chunk / kTileChunks * (kKeys * kTileChunks) +
                           place(b * Matrix::kRows + Matrix::row_of(lane), chunk % kTileChunks)];
        }
        Matrix::multiply(scores[b], of_k, of_q);
        if (!kHasRegisters && b % 4 == 3) keep_order();
      }
    }

    const bool all_visible = key >= sequence.begin_of_keys(g, last) &&
                             key + kKeys <= sequence.end_of_keys(g, first);
    float weights[kKeyBlocks * Matrix::kSums];
    float most = largest;
#pragma unroll
    for (int b = 0; b < kKeyBlocks; ++b)
#pragma unroll
      for (int i = 0; i < Matrix::kSums; ++i) {
        const int at = key + b * Matrix::kRows + Matrix::sum_row(i, lane);
        const bool is_visible = all_visible || (at >= visible_begin && at < visible_end);
        const float score = is_visible ? scores[b][i] * g.scale : no_score();
        weights[b * Matrix::kSums + i] = score;
        most = fmaxf(most, score);
      }
    most = across_rows<Max, Matrix>(most);
    const float reference = most == no_score() ? 0.0f : most;  // as long as no key is visible
    const float fade = exponential<T>(largest - reference);
    largest = most;
    sum *= fade;
#pragma unroll
    for (int i = 0; i < kKeyBlocks * Matrix::kSums; ++i) {
      weights[i] = exponential<T>(weights[i] - reference);
      sum += weights[i];
    }
#pragma unroll
    for (int b = 0; b < kResultBlocks; ++b) results[b] = results[b] * fade;

    if constexpr (!kChunked) {
#pragma unroll
      for (int b = 0; b < kKeyBlocks; ++b)
#pragma unroll
        for (int i = 0; i < Matrix::kSums; ++i) {
          const int at = b * Matrix::kRows + Matrix::sum_row(i, lane);
          T* const chunk = reinterpret_cast<T*>(
              lds_weights + place(Matrix::sum_column(lane), at / kElements));
          chunk[at % kElements] = rounded<T>(weights[b * Matrix::kSums + i]);
        }
      __syncthreads();
    }
#pragma unroll kTileStepsAtATime
    for (int step = 0; step < kTileChunks / Matrix::kChunks; ++step) {
      word16 of_weights[Matrix::kFragment];
      if constexpr (kChunked) {
        Vector<T, kElements> chunk;
#pragma unroll
        for (int e = 0; e < kElements; ++e)
          chunk.elements[e] = rounded<T>(weights[step * kElements + e]);
        of_weights[0] = chunk.word;
      } else {
#pragma unroll
        for (int f = 0; f < Matrix::kFragment; ++f)
          of_weights[f] = lds_weights[place(
              Matrix::column_of(lane), step * Matrix::kChunks + Matrix::chunk_of(lane) + f)];
      }
#pragma unroll
      for (int b = 0; b < kResultBlocks; ++b) {
        word16 of_v[Matrix::kFragment];
#pragma unroll
        for (int f = 0; f < Matrix::kFragment; ++f)
          of_v[f] = tile_v[place(b * Matrix::kRows + Matrix::row_of(lane),
                                 step * Matrix::kChunks + Matrix::chunk_of(lane) + f)];
        Matrix::multiply(results[b], of_v, of_weights);
        if (!kHasRegisters && b % 4 == 3) keep_order();
      }
    }
  }

  // Results go through LDS, so that whole rows are written.
  sum = across_rows<Sum, Matrix>(sum);
  const float inverse = sum > 0 ? 1.0f / sum : 0.0f;
  constexpr int kOfRow = D / kElements;
  word16* const strip = tiles + wave * InLds::kLds;
  __syncthreads();
#pragma unroll
  for (int b = 0; b < kResultBlocks; ++b)
#pragma unroll
    for (int i = 0; i < Matrix::kSums; ++i) {
      const int at = b * Matrix::kRows + Matrix::sum_row(i, lane);
      T* const chunk =
          reinterpret_cast<T*>(strip + InLds::at(Matrix::sum_column(lane), at / kElements));
      chunk[at % kElements] = rounded<T>(results[b][i] * inverse);
    }
  __syncthreads();
  for (int at = lane; at < kWaveQueries * kOfRow; at += HIPWRIGHT_WAVE_SIZE) {
    const int row = first + wave * kWaveQueries + at / kOfRow, column = at % kOfRow * kElements;
    if (row >= sequence.queries || column >= g.head_size) continue;
    const word16 chunk = strip[InLds::at(at / kOfRow, at % kOfRow)];
    T* const to = static_cast<T*>(g.out) + (sequence.query_begin + row) * g.out_stride +
                  head * g.head_size + column;
    if constexpr (kVectors) {
      *reinterpret_cast<word16*>(to) = chunk;
    } else {
      const auto elements = bits_as<Vector<T, kElements>>(chunk);
      for (int e = 0; e < kElements; ++e)
        if (column + e < g.head_size) store_alone(to + e, elements.elements[e]);
    }
  }
}

// --- Few queries, and keys in pages: bound by memory ---
//
// A block has one query of HEADS heads that share their keys. A wave has several keys at a time,
// each in D / 8 lanes with 8 elements of it.

constexpr int kLaneElements = 8;

// The largest score, the sum of the weights and the results of a slot, for one head.
struct Softmax {
  float largest, sum, results[kLaneElements];
  __device__ void clear() {
    largest = no_score();
    sum = 0;
#pragma unroll
    for (int e = 0; e < kLaneElements; ++e) results[e] = 0;
  }
  // Adds what another slot, wave or split has.
  __device__ void add(float other_largest, float other_sum, const float (&other)[kLaneElements]) {
    const float most = fmaxf(largest, other_largest);
    if (most == no_score()) return;
    const float mine = expf(largest - most), theirs = expf(other_largest - most);
    largest = most;
    sum = sum * mine + other_sum * theirs;
#pragma unroll
    for (int e = 0; e < kLaneElements; ++e) results[e] = results[e] * mine + other[e] * theirs;
  }
};

template <class T, bool VECTORS>
__device__ inline void load_part(float (&values)[kLaneElements], const T* row, int element,
                                 int elements) {
  if constexpr (VECTORS) {
    if (element < elements) return load(values, row + element);
#pragma unroll
    for (int e = 0; e < kLaneElements; ++e) values[e] = 0;
  } else {
#pragma unroll
    for (int e = 0; e < kLaneElements; ++e)
      values[e] = element + e < elements ? to_float(alone_at(row + element + e)) : 0.0f;
  }
}

template <class T, bool VECTORS>
__device__ inline void store_part(T* row, int element, int elements,
                                  const float (&values)[kLaneElements]) {
  if constexpr (VECTORS) {
    if (element < elements) store(row + element, values);
  } else {
    for (int e = 0; e < kLaneElements; ++e)
      if (element + e < elements) store_alone(row + element + e, rounded<T>(values[e]));
  }
}

// The sequence of a row of q.
__device__ inline int sequence_of(const AttentionArguments& g, long long row) {
  if (!g.query_starts) return static_cast<int>(row / g.queries);
  int low = 0, high = static_cast<int>(g.batch) - 1;  // the last that begins at `row` or before
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (g.query_starts[middle] <= row)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

template <class T, int D, int HEADS, int WAVES, bool VECTORS>
__device__ inline void attention_rows(const AttentionArguments& g) {
  constexpr int kLanes = D / kLaneElements, kSlots = HIPWRIGHT_WAVE_SIZE / kLanes;
  constexpr int kPart = kLaneElements + 2;
  __shared__ float parts[WAVES][HEADS][kLanes][kPart];
  const int lane = threadIdx.x % HIPWRIGHT_WAVE_SIZE, wave = threadIdx.x / HIPWRIGHT_WAVE_SIZE;
  const int part = lane % kLanes, slot = wave * kSlots + lane / kLanes;
  const int element = part * kLaneElements;

  // The grid is rows of q × (groups of heads × splits).
  const int of_kv_head = g.heads / g.kv_heads, groups = (of_kv_head + HEADS - 1) / HEADS;
  const long long in_grid = row_of_block();
  const int split = static_cast<int>(in_grid % g.splits);
  const long long group = in_grid / g.splits;
  if (group >= static_cast<long long>(g.kv_heads) * groups) return;
  const int kv_head = static_cast<int>(group / groups);
  const int first_of_head = static_cast<int>(group % groups) * HEADS;
  const int head = kv_head * of_kv_head + first_of_head;
  const int heads = of_kv_head - first_of_head < HEADS ? of_kv_head - first_of_head : HEADS;

  const long long row = blockIdx.x;
  const int index = sequence_of(g, row);
  const Sequence sequence(g, index);
  const int query = static_cast<int>(row - sequence.query_begin);
  const int begin = sequence.begin_of_keys(g, query), end = sequence.end_of_keys(g, query);
  // Splits of whole slots of the block.
  const int rounds = (end - begin + WAVES * kSlots - 1) / (WAVES * kSlots);
  const int of_split = (rounds + g.splits - 1) / g.splits * (WAVES * kSlots);
  const int split_begin = begin + split * of_split;
  const int split_end = split_begin + of_split < end ? split_begin + of_split : end;

  float queries[HEADS][kLaneElements];
  Softmax softmax[HEADS];
#pragma unroll
  for (int h = 0; h < HEADS; ++h) {
    const T* const q = static_cast<const T*>(g.q) + row * g.q_stride +
                       (head + (h < heads ? h : 0)) * g.head_size;
    load_part<T, VECTORS>(queries[h], q, element, g.head_size);
#pragma unroll
    for (int e = 0; e < kLaneElements; ++e) queries[h][e] *= g.scale;
    softmax[h].clear();
  }
  const int column = kv_head * g.head_size;
  // All slots take part in each round: the lanes of a slot exchange what they have.
  for (int key = split_begin; key < split_end; key += WAVES * kSlots) {
    const int mine = key + slot;
    const bool is_visible = mine < split_end;
    const int at = is_visible ? mine : split_begin;
    long long key_row = sequence.key_begin + at;
    if (g.pages)
      key_row = static_cast<long long>(g.pages[index * g.pages_stride + at / g.page_size]) *
                    g.page_size +
                at % g.page_size;
    float keys[kLaneElements], values[kLaneElements];
    load_part<T, VECTORS>(keys, static_cast<const T*>(g.k) + key_row * g.k_stride + column, element,
                          g.head_size);
    load_part<T, VECTORS>(values, static_cast<const T*>(g.v) + key_row * g.v_stride + column,
                          element, g.head_size);
#pragma unroll
    for (int h = 0; h < HEADS; ++h) {
      float score = 0;
#pragma unroll
      for (int e = 0; e < kLaneElements; ++e) score = fmaf(keys[e], queries[h][e], score);
      score = wave_reduce<Sum, kLanes>(score);
      if (!is_visible) score = no_score();
      const float most = fmaxf(softmax[h].largest, score);
      const float reference = most == no_score() ? 0.0f : most;
      const float fade = exponential<T>(softmax[h].largest - reference);
      const float weight = exponential<T>(score - reference);
      softmax[h].largest = most;
      softmax[h].sum = softmax[h].sum * fade + weight;
#pragma unroll
      for (int e = 0; e < kLaneElements; ++e)
        softmax[h].results[e] = fmaf(values[e], weight, softmax[h].results[e] * fade);
    }
  }

  // Slots of the wave, then waves.
#pragma unroll
  for (int h = 0; h < HEADS; ++h) {
#pragma unroll
    for (int mask = kLanes; mask < HIPWRIGHT_WAVE_SIZE; mask *= 2) {
      float other[kLaneElements];
#pragma unroll
      for (int e = 0; e < kLaneElements; ++e) other[e] = lane_xor(softmax[h].results[e], mask);
      const float largest = lane_xor(softmax[h].largest, mask), sum = lane_xor(softmax[h].sum, mask);
      softmax[h].add(largest, sum, other);
    }
    if (lane < kLanes) {
      float* const to = parts[wave][h][part];
      to[0] = softmax[h].largest;
      to[1] = softmax[h].sum;
#pragma unroll
      for (int e = 0; e < kLaneElements; ++e) to[2 + e] = softmax[h].results[e];
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < heads * kLanes; i += WAVES * HIPWRIGHT_WAVE_SIZE) {
    const int h = i / kLanes, p = i % kLanes;
    Softmax all;
    all.clear();
    for (int w = 0; w < WAVES; ++w) {
      const float* const from = parts[w][h][p];
      float other[kLaneElements];
#pragma unroll
      for (int e = 0; e < kLaneElements; ++e) other[e] = from[2 + e];
      all.add(from[0], from[1], other);
    }
    if (g.splits > 1) {
      float* const to =
          g.partials + ((split * g.rows + row) * g.heads + head + h) * (g.head_size + 2);
      for (int e = 0; e < kLaneElements; ++e)
        if (p * kLaneElements + e < g.head_size) to[p * kLaneElements + e] = all.results[e];
      if (p == 0) {
        to[g.head_size] = all.largest;
        to[g.head_size + 1] = all.sum;
      }
      continue;
    }
    const float inverse = all.sum > 0 ? 1.0f / all.sum : 0.0f;
#pragma unroll
    for (int e = 0; e < kLaneElements; ++e) all.results[e] *= inverse;
    store_part<T, VECTORS>(
        static_cast<T*>(g.out) + row * g.out_stride + (head + h) * g.head_size, p * kLaneElements,
        g.head_size, all.results);
  }
}

// Adds what the splits computed: a thread has one element of the results.
template <class T, int THREADS>
__device__ inline void attention_finish(const AttentionArguments& g) {
  const long long at = static_cast<long long>(blockIdx.x) * THREADS + static_cast<int>(threadIdx.x);
  const long long columns = static_cast<long long>(g.heads) * g.head_size;
  const long long row = at / columns;
  if (row >= g.rows) return;
  const int head = static_cast<int>(at % columns) / g.head_size;
  const int element = static_cast<int>(at % columns) % g.head_size;
  float largest = no_score(), sum = 0, result = 0;
  for (int split = 0; split < g.splits; ++split) {
    const float* const from =
        g.partials + ((split * g.rows + row) * g.heads + head) * (g.head_size + 2);
    const float most = fmaxf(largest, from[g.head_size]);
    if (most == no_score()) continue;
    const float mine = expf(largest - most), theirs = expf(from[g.head_size] - most);
    largest = most;
    sum = sum * mine + from[g.head_size + 1] * theirs;
    result = result * mine + from[element] * theirs;
  }
  static_cast<T*>(g.out)[row * g.out_stride + head * g.head_size + element] =
      rounded<T>(sum > 0 ? result / sum : 0.0f);
}

#define HIPWRIGHT_ATTENTION_TILE(symbol, T, D, WAVES, SIZE, V)                                   \
  extern "C" __global__ void __launch_bounds__(WAVES* HIPWRIGHT_WAVE_SIZE)                       \
      symbol(AttentionArguments g) {                                                             \
    attention_tile<T, D, WAVES, SIZE, V>(g);                                                     \
  }
#define HIPWRIGHT_ATTENTION_ROWS(symbol, T, D, HEADS, WAVES, VECTORS)                            \
  extern "C" __global__ void __launch_bounds__(WAVES* HIPWRIGHT_WAVE_SIZE)                       \
      symbol(AttentionArguments g) {                                                             \
    attention_rows<T, D, HEADS, WAVES, VECTORS>(g);                                              \
  }
#define HIPWRIGHT_ATTENTION_FINISH(symbol, T, THREADS)                                           \
  extern "C" __global__ void __launch_bounds__(THREADS) symbol(AttentionArguments g) {           \
    attention_finish<T, THREADS>(g);                                                             \
  }
