// SPDX-License-Identifier: MIT
// Rotary position embedding: each pair (a, b) of a head becomes (a·cos - b·sin, b·cos + a·sin), by
// the token's position and the pair's place. Heads may be longer than what is rotated.

// One element by an access of its own: the compiler would move an interleaved pair at once, which is
// misaligned where rows are.
// Where a pair's elements are in a row: half of the rotated part apart, or side by side. Pairs beyond
// the rotated part are copied.
template <class T>
struct Place {
  long long first, second;
  int pair;  // of its head
  bool turns;
  __device__ Place(long long at, int half_head, int rotated, int interleaved) {
    const int head = static_cast<int>(at) / half_head;
    pair = static_cast<int>(at) - head * half_head;
    turns = pair < rotated;
    const long long begin = static_cast<long long>(head) * (2 * half_head);
    first = begin + (interleaved ? 2 * pair : turns ? pair : rotated + pair);
    second = first + (turns ? rotated : half_head - rotated);
  }
};

// V pairs: as their first and second elements, or as they lie side by side.
template <class T, int V>
__device__ inline void load_pairs(Two<V>& values, const T* row, const Place<T>& place,
                                  int interleaved) {
  if (!interleaved) {
    load(values.a, row + place.first);
    load(values.b, row + place.second);
  } else if (V == 1) {
    values.a[0] = to_float(alone_at(row + place.first));
    values.b[0] = to_float(alone_at(row + place.first + 1));
  } else {
    float low[V], high[V];
    load(low, row + place.first);
    load(high, row + place.first + V);
    for (int v = 0; v < V; ++v) {
      values.a[v] = 2 * v < V ? low[2 * v] : high[2 * v - V];
      values.b[v] = 2 * v + 1 < V ? low[2 * v + 1] : high[2 * v + 1 - V];
    }
  }
}
template <class T, int V>
__device__ inline void store_pairs(T* row, const Two<V>& values, const Place<T>& place,
                                   int interleaved) {
  if (!interleaved) {
    store(row + place.first, values.a);
    store(row + place.second, values.b);
  } else if (V == 1) {
    store_alone(row + place.first, rounded<T>(values.a[0]));
    store_alone(row + place.first + 1, rounded<T>(values.b[0]));
  } else {
    float low[V], high[V];
    for (int v = 0; v < V; ++v) {
      low[v] = v % 2 == 0 ? values.a[v / 2] : values.b[v / 2];
      high[v] = (V + v) % 2 == 0 ? values.a[(V + v) / 2] : values.b[(V + v) / 2];
    }
    store(row + place.first, low);
    store(row + place.first + V, high);
  }
}

template <int V>
struct Turned {
  Two<V> pairs;
  float cosines[V], sines[V];
};

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void rope(T* out, long long out_stride, const T* x, long long x_stride,
                            const long long* positions, const float* cosines,
                            long long cosine_stride, const float* sines, long long sine_stride,
                            long long tokens, long long pairs, int half_head, int rotated,
                            int interleaved) {
  each_vector<Turned<V>, V, THREADS, ITEMS>(
      tokens, pairs,
      [&](long long token, long long at, Turned<V>& values) {
        const Place<T> place(at, half_head, rotated, interleaved);
        const long long position = positions[token];
        load_pairs(values.pairs, x + token * x_stride, place, interleaved);
        if (!place.turns) return;
        load(values.cosines, cosines + position * cosine_stride + place.pair);
        load(values.sines, sines + position * sine_stride + place.pair);
      },
      [&](long long token, long long at, Turned<V>& values) {
        const Place<T> place(at, half_head, rotated, interleaved);
        if (place.turns) {
          for (int v = 0; v < V; ++v) {
            const float a = values.pairs.a[v], b = values.pairs.b[v];
            values.pairs.a[v] = a * values.cosines[v] - b * values.sines[v];
            values.pairs.b[v] = b * values.cosines[v] + a * values.sines[v];
          }
        }
        store_pairs(out + token * out_stride, values.pairs, place, interleaved);
      });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                 \
  extern "C" __global__ void __launch_bounds__(THREADS)                                  \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, const long    \
             long* positions, const float* cosines, long long cosine_stride, const       \
             float* sines, long long sine_stride, long long tokens, long long pairs, int \
             half_head, int rotated, int interleaved) {                                  \
    rope<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, positions, cosines,         \
        cosine_stride, sines, sine_stride, tokens, pairs, half_head, rotated,            \
        interleaved);                                                                    \
  }
