// SPDX-License-Identifier: MIT
// Tiles of matrices in LDS: of each row the 128 bytes along k that a step of a product needs, in
// chunks of 16 bytes.

constexpr int kTileChunks = 8;
template <class T>
constexpr int kElementsOf = kChunkBytes / static_cast<int>(sizeof(T));
template <class T>
constexpr int kTileDepth = kTileChunks * kElementsOf<T>;

// Where a chunk lies in a tile: permuted in such a way that 8 rows of one chunk, and 8 rows at a
// distance of 8, each use all banks.
__device__ inline int place(int row, int chunk) {
  return row * kTileChunks + (chunk ^ ((row ^ (row >> 3)) & 7));
}

// --- Elements in memory, and as they are multiplied ---

template <int FORMAT>
struct Code {
  unsigned char bits;
};

template <class T, class Stored>
struct Loaded {
  using Raw = Vector<Stored, kElementsOf<T>>;
  static __device__ word16 chunk(const Raw& raw) { return raw.word; }
};
template <class T, int FORMAT>
struct Loaded<T, Code<FORMAT>> {
  using Raw = Vector<Code<FORMAT>, kElementsOf<T>>;
  static __device__ word16 chunk(const Raw& raw) {
    if constexpr (sizeof(T) == 1) {
      return raw.word;
    } else {
      float values[kElementsOf<T>];
      load_fp8<FORMAT>(values, reinterpret_cast<const unsigned char*>(&raw));
      Vector<T, kElementsOf<T>> wide;
#pragma unroll
      for (int e = 0; e < kElementsOf<T>; ++e) wide.elements[e] = rounded<T>(values[e]);
      return wide.word;
    }
  }
};
template <class Raw>
__device__ inline void clear(Raw& raw) {
  raw.word = decltype(raw.word){};
}

// --- Tiles: each thread has some chunks of ROWS rows ---

// Of an operand whose elements along k are neighbours. Rows that do not exist repeat the last one:
// nothing is made of them.
template <class T, class Stored, int ROWS, int THREADS, bool VECTORS>
class AlongDepth {
 public:
  __device__ AlongDepth(const Stored* matrix, long long stride, int first, int rows)
      : base_(matrix + first * stride) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int row = row_of(i), last = rows - 1 - first;
      offsets_[i] = static_cast<Offset>((row < last ? row : last) * stride + chunk() * kElements);
    }
  }
  template <bool WHOLE>
  __device__ void load(int k, int depth) {
    const Stored* const from = base_ + k;
    const int left = depth - k - chunk() * kElements;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if constexpr (VECTORS) {
        if (WHOLE || left > 0)
          held_[i].word = *reinterpret_cast<const decltype(held_[i].word)*>(from + offsets_[i]);
        else
          clear(held_[i]);
      } else {
        clear(held_[i]);
#pragma unroll
        for (int e = 0; e < kElements; ++e)
          if (WHOLE || e < left) held_[i].elements[e] = alone_at(from + offsets_[i] + e);
      }
    }
  }
  __device__ void store(word16* tile) const {
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      tile[place(row_of(i), chunk())] = Loaded<T, Stored>::chunk(held_[i]);
  }

 private:
  static constexpr int kElements = kElementsOf<T>;
  static constexpr int kItems = ROWS * kTileChunks / THREADS;
  // A tile of VECTORS has no more than 4 GiB, which the call ascertains.
  using Offset = typename Choose<VECTORS, unsigned, long long>::type;
  static __device__ int chunk() { return threadIdx.x % kTileChunks; }
  static __device__ int row_of(int item) {
    return (item * THREADS + static_cast<int>(threadIdx.x)) / kTileChunks;
  }
  const Stored* base_;
  Offset offsets_[kItems];
  typename Loaded<T, Stored>::Raw held_[kItems];
};

// Which element along k a chunk of a tile has at `e`.
template <class T>
struct InOrder {
  static __device__ int at(int chunk, int e) { return chunk * kElementsOf<T> + e; }
};

// Of an operand whose rows are neighbours: a thread reads squares of as many rows as a chunk has
// elements, and turns them.
template <class T, class Stored, int ROWS, int THREADS, bool VECTORS, class Order = InOrder<T>>
class AlongRows {
 public:
  __device__ AlongRows(const Stored* matrix, long long stride, int first, int rows)
      : base_(matrix + first), stride_(stride), left_(rows - first) {}
  template <bool WHOLE>
  __device__ void load(int k, int depth) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!has(i)) break;
#pragma unroll
      for (int e = 0; e < kElements; ++e) load_row<WHOLE>(held_[i][e], i, k, e, depth);
    }
  }
  __device__ void store(word16* tile) const {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!has(i)) break;
#pragma unroll
      for (int j = 0; j < kElements; ++j) {
        typename Loaded<T, Stored>::Raw turned;
#pragma unroll
        for (int e = 0; e < kElements; ++e) turned.elements[e] = held_[i][e].elements[j];
        tile[place(row_of(i) + j, chunk_of(i))] = Loaded<T, Stored>::chunk(turned);
      }
    }
  }

 private:
  static constexpr int kElements = kElementsOf<T>;
  static constexpr int kAcross = ROWS / kElements;  // squares side by side
  static constexpr int kSquares = kAcross * kTileChunks;
  static constexpr int kItems = (kSquares + THREADS - 1) / THREADS;
  static __device__ int square_of(int item) {
    return item * THREADS + static_cast<int>(threadIdx.x);
  }
  static __device__ bool has(int item) {
    return kSquares % THREADS == 0 || square_of(item) < kSquares;
  }
  static __device__ int row_of(int item) { return square_of(item) % kAcross * kElements; }
  static __device__ int chunk_of(int item) { return square_of(item) / kAcross; }

  template <bool WHOLE, class Raw>
  __device__ void load_row(Raw& raw, int item, int k, int e, int depth) const {
    const int row = row_of(item), at = Order::at(chunk_of(item), e);
    if constexpr (VECTORS) {
      const Stored* const from = base_ + k * stride_;
      const unsigned offset = at * static_cast<unsigned>(stride_) + (row < left_ ? row : 0);
      if (WHOLE || k + at < depth)
        raw.word = *reinterpret_cast<const decltype(raw.word)*>(from + offset);
      else
        clear(raw);
    } else {
      clear(raw);
      if (WHOLE || k + at < depth)
#pragma unroll
        for (int j = 0; j < kElements; ++j)
          if (row + j < left_) raw.elements[j] = alone_at(base_ + (k + at) * stride_ + row + j);
    }
  }
  const Stored* base_;
  long long stride_;
  int left_;
  typename Loaded<T, Stored>::Raw held_[kItems][kElements];
};

