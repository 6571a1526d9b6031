// SPDX-License-Identifier: MIT
// out[row] = table[rows[row]].

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void embedding(T* out, long long out_stride, const T* table,
                                 long long table_stride, const long long* indices, long long rows,
                                 long long columns) {
  each_vector<Vector<T, V>, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, Vector<T, V>& vector) {
        vector = vector_at<T, V>(table + indices[row] * table_stride + column);
      },
      [&](long long row, long long column, Vector<T, V>& vector) {
        *reinterpret_cast<decltype(vector.word)*>(out + row * out_stride + column) = vector.word;
      });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                  \
  extern "C" __global__ void __launch_bounds__(THREADS)                                   \
      symbol(T* out, long long out_stride, const T* table, long long table_stride, const  \
             long long* indices, long long rows, long long columns) {                     \
    embedding<T, V, THREADS, ITEMS>(out, out_stride, table, table_stride, indices, rows,  \
        columns);                                                                         \
  }
