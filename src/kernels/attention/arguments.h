// SPDX-License-Identifier: MIT
// The arguments of attention, as the call fills them in for the GPU and the CPU. Also in front of
// kernel.hip, where nothing can be included.
#ifndef HIPWRIGHT_KERNELS_ATTENTION_ARGUMENTS_H
#define HIPWRIGHT_KERNELS_ATTENTION_ARGUMENTS_H

namespace hipwright::kernels {

// Strides are in elements.
struct AttentionArguments {
  void* out;
  const void *q, *k, *v;
  const int *query_starts, *key_starts;  // null: sequences of `queries` and `keys` rows
  const int *pages, *key_counts;         // null: keys are not in pages
  float* partials;                       // of each split: results, then largest score and sum
  long long out_stride, q_stride, k_stride, v_stride, pages_stride;
  long long batch, rows;  // rows: of q
  int queries, keys;
  int heads, kv_heads, head_size, page_size;
  int causal, window;
  int splits;
  float scale;
};

}  // namespace hipwright::kernels

#endif
