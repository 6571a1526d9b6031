// SPDX-License-Identifier: MIT
// Rotary position embedding: each pair (a, b) of a head becomes (a·cos - b·sin, b·cos + a·sin), by
// the token's position and the pair's place. Heads may be longer than what is rotated.

// One element by an access of its own: the compiler would move an interleaved pair at once, which is
// misaligned where rows are.
template <class T>
__device__ inline float load_alone(const T* element) {
  Vector<T, 1> one;
  one.word = *reinterpret_cast<const volatile unsigned short*>(element);
  return to_float(one.elements[0]);
}
template <>
__device__ inline float load_alone<float>(const float* element) {
  return *element;
}
template <class T>
__device__ inline void store_alone(T* element, float value) {
  Vector<T, 1> one;
  one.elements[0] = rounded<T>(value);
  *reinterpret_cast<volatile unsigned short*>(element) = one.word;
}
template <>
__device__ inline void store_alone<float>(float* element, float value) {
  *element = value;
}

// A pair is half of the rotated part apart, or side by side. Places beyond are copied.
template <class T, int V>
__device__ inline void rotate(T* out, const T* x, const float* cosines, const float* sines,
                              int place, int rotated, int half_head, int interleaved) {
  float a[V], b[V], c[V], s[V];
  if (interleaved) {
    float both[2 * V];
    float(&low)[V] = *reinterpret_cast<float(*)[V]>(&both[0]);
    float(&high)[V] = *reinterpret_cast<float(*)[V]>(&both[V]);
    if (V == 1) {
      low[0] = load_alone(x + 2 * place);
      high[0] = load_alone(x + 2 * place + 1);
    } else {
      load(low, x, 2 * place, 2 * half_head);
      load(high, x, 2 * place + V, 2 * half_head);
    }
    if (place < rotated) {
      load(c, cosines, place, rotated);
      load(s, sines, place, rotated);
      for (int v = 0; v < V; ++v) {
        const float first = both[2 * v], second = both[2 * v + 1];
        both[2 * v] = first * c[v] - second * s[v];
        both[2 * v + 1] = second * c[v] + first * s[v];
      }
    }
    if (V == 1) {
      store_alone(out + 2 * place, low[0]);
      store_alone(out + 2 * place + 1, high[0]);
    } else {
      store(out, 2 * place, 2 * half_head, low);
      store(out, 2 * place + V, 2 * half_head, high);
    }
    return;
  }
  const bool turns = place < rotated;
  const int first = turns ? place : rotated + place;
  const int second = first + (turns ? rotated : half_head - rotated);
  load(a, x, first, 2 * half_head);
  load(b, x, second, 2 * half_head);
  if (turns) {
    load(c, cosines, place, rotated);
    load(s, sines, place, rotated);
    for (int v = 0; v < V; ++v) {
      const float left = a[v], right = b[v];
      a[v] = left * c[v] - right * s[v];
      b[v] = right * c[v] + left * s[v];
    }
  }
  store(out, first, 2 * half_head, a);
  store(out, second, 2 * half_head, b);
}

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void rope(T* out, long long out_stride, const T* x, long long x_stride,
                            const long long* positions, const float* cosines,
                            long long cosine_stride, const float* sines, long long sine_stride,
                            long long pairs, int half_head, int rotated, int interleaved,
                            unsigned blocks_per_row) {
  each_vector<V, THREADS, ITEMS>(pairs, blocks_per_row, [&](long long token, long long pair) {
    const int head = static_cast<int>(pair) / half_head;
    const int place = static_cast<int>(pair) - head * half_head;
    const long long position = positions[token];
    const long long begin = static_cast<long long>(head) * (2 * half_head);
    rotate<T, V>(out + token * out_stride + begin, x + token * x_stride + begin,
                 cosines + position * cosine_stride, sines + position * sine_stride, place, rotated,
                 half_head, interleaved);
  });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                       \
  extern "C" __global__ void __launch_bounds__(THREADS)                                        \
      symbol(T* out, long long out_stride, const T* x, long long x_stride,                     \
             const long long* positions, const float* cosines, long long cosine_stride,        \
             const float* sines, long long sine_stride, long long, long long pairs,            \
             int half_head, int rotated, int interleaved, unsigned blocks_per_row) {           \
    rope<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, positions, cosines,               \
                               cosine_stride, sines, sine_stride, pairs, half_head, rotated,   \
                               interleaved, blocks_per_row);                                   \
  }
