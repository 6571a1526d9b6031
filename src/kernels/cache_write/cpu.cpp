// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct CacheWrite {
  template <class T, class>
  static void run(Share share, const T* k, i64 k_stride, const T* v, i64 v_stride, T* k_cache,
                  i64 k_cache_stride, T* v_cache, i64 v_cache_stride, const i64* slots, i64 rows,
                  i64 columns) {
    each_stretch(share, rows, columns, [&](i64 row, i64 begin, i64 end) {
      const i64 slot = slots[row];
      if (slot < 0) return;
      const std::size_t bytes = static_cast<std::size_t>(end - begin) * sizeof(T);
      std::memcpy(k_cache + slot * k_cache_stride + begin, k + row * k_stride + begin, bytes);
      std::memcpy(v_cache + slot * v_cache_stride + begin, v + row * v_stride + begin, bytes);
    });
  }
};

}  // namespace

CpuFunctions cache_write() {
  return cpu_functions<CacheWrite>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
