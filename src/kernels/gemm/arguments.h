// SPDX-License-Identifier: MIT
// The arguments of a matrix product, as the call fills them in for the GPU and the CPU. Also in
// front of kernel.hip, where nothing can be included.
#ifndef HIPWRIGHT_KERNELS_GEMM_ARGUMENTS_H
#define HIPWRIGHT_KERNELS_GEMM_ARGUMENTS_H

namespace hipwright::kernels {

// Strides and steps are in elements; a step leads to the next matrix of the batch.
struct GemmArguments {
  void* out;
  const void *a, *b;
  const void *bias, *residual;       // may be null
  const float *a_scales, *b_scales;  // may be null
  float* partials;                   // of each split, before the epilogue
  long long out_stride, a_stride, b_stride, residual_stride;
  long long out_step, a_step, b_step, residual_step;
  long long a_scale_step, b_scale_step;  // 0: one scale for all rows, or all columns
  long long batch;
  int rows, columns, depth;
  int splits, split_depth;  // of the depth; a multiple of the tile's
  int a_is_transposed, b_is_transposed;
  int activation;
  int format;  // of 8-bit operands, -1: they have the type of `out`
  float scale;
};

}  // namespace hipwright::kernels

#endif
