// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void cache_write(Kernels& kernels, const Matrix& k_cache, const Matrix& v_cache,
                 const ConstMatrix& k, const ConstMatrix& v, const ConstMatrix& slots,
                 const Stream& stream) {
  const Call::Expected cache{{k.type}, k_cache.rows, k.columns};
  Call(kernels, "cache_write", "k", k)
      .matrix("k", k)
      .matrix("v", v)
      .table("k_cache", k_cache, cache)
      .table("v_cache", v_cache, cache)
      .list("slots", slots, {{DataType::kI64}, 1, k.rows})
      .elements(stream, {.joins_rows = false});
}

}  // namespace hipwright::kernels
