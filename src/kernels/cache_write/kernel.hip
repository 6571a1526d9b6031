// SPDX-License-Identifier: MIT
// k_cache[slots[row]] = k[row], and the same of v; rows with a slot below 0 are not written.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void cache_write(const T* k, long long k_stride, const T* v, long long v_stride,
                                   T* k_cache, long long k_cache_stride, T* v_cache,
                                   long long v_cache_stride, const long long* slots, long long rows,
                                   long long columns) {
  struct Both {
    Vector<T, V> k, v;
  };
  each_vector<Both, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, Both& both) {
        both.k = vector_at<T, V>(k + row * k_stride + column);
        both.v = vector_at<T, V>(v + row * v_stride + column);
      },
      [&](long long row, long long column, Both& both) {
        const long long slot = slots[row];
        if (slot < 0) return;
        *reinterpret_cast<decltype(both.k.word)*>(k_cache + slot * k_cache_stride + column) =
            both.k.word;
        *reinterpret_cast<decltype(both.v.word)*>(v_cache + slot * v_cache_stride + column) =
            both.v.word;
      });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                   \
  extern "C" __global__ void __launch_bounds__(THREADS)                                    \
      symbol(const T* k, long long k_stride, const T* v, long long v_stride, T* k_cache,   \
             long long k_cache_stride, T* v_cache, long long v_cache_stride, const long    \
             long* slots, long long rows, long long columns) {                             \
    cache_write<T, V, THREADS, ITEMS>(k, k_stride, v, v_stride, k_cache, k_cache_stride,   \
        v_cache, v_cache_stride, slots, rows, columns);                                    \
  }
