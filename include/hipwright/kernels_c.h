/* SPDX-License-Identifier: MIT */
/* The kernel library for programs in C, and for other languages' foreign-function calls. The
 * operations are described in hipwright/kernels.h. Functions return 0, or -1 with the reason in
 * hipwright_kernels_error(). */
#ifndef HIPWRIGHT_KERNELS_C_H
#define HIPWRIGHT_KERNELS_C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hipwright_kernels hipwright_kernels;

typedef enum hipwright_element {
  HIPWRIGHT_ELEMENT_F32,
  HIPWRIGHT_ELEMENT_F16,
  HIPWRIGHT_ELEMENT_BF16,
  HIPWRIGHT_ELEMENT_F8E4M3,
  HIPWRIGHT_ELEMENT_F8E5M2,
  HIPWRIGHT_ELEMENT_I64,
  HIPWRIGHT_ELEMENT_I32
} hipwright_element;

typedef enum hipwright_fp8 {
  HIPWRIGHT_FP8_E4M3,
  HIPWRIGHT_FP8_E5M2,
  HIPWRIGHT_FP8_E4M3FNUZ,
  HIPWRIGHT_FP8_E5M2FNUZ
} hipwright_fp8;

/* In device memory; rows begin `stride` elements apart. */
typedef struct hipwright_matrix {
  hipwright_element type;
  void* data;
  int64_t rows, columns, stride;
} hipwright_matrix;

/* `device`: "hip:0", "cuda", "soft:gfx942", "cpu", "auto". `code_objects`: the directory of bundles
 * that `hipwright kernels build` wrote, or NULL. */
hipwright_kernels* hipwright_kernels_open(const char* device, const char* code_objects);
void hipwright_kernels_close(hipwright_kernels* kernels);
/* Waits for all work on the device. */
int hipwright_kernels_synchronize(hipwright_kernels* kernels);
/* Of this thread's last failed call. */
const char* hipwright_kernels_error(void);

/* `stream` is the vendor's stream, NULL for the default one. */
int hipwright_rms_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                       hipwright_matrix weight, float epsilon, void* stream);
int hipwright_add_rms_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix sum,
                           hipwright_matrix x, hipwright_matrix residual, hipwright_matrix weight,
                           float epsilon, void* stream);
int hipwright_layer_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                         hipwright_matrix weight, hipwright_matrix bias, float epsilon,
                         void* stream);
int hipwright_add_layer_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix sum,
                             hipwright_matrix x, hipwright_matrix residual, hipwright_matrix weight,
                             hipwright_matrix bias, float epsilon, void* stream);
int hipwright_silu_mul(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix gate,
                       hipwright_matrix up, void* stream);
int hipwright_gelu_mul(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix gate,
                       hipwright_matrix up, int by_tanh, void* stream);
int hipwright_add(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix a,
                  hipwright_matrix b, void* stream);
int hipwright_softmax(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                      float scale, void* stream);
int hipwright_rope(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                   hipwright_matrix positions, hipwright_matrix cosines, hipwright_matrix sines,
                   int64_t heads, int interleaved, void* stream);
int hipwright_quantize_fp8(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                           hipwright_matrix scales, hipwright_fp8 format, void* stream);
int hipwright_dequantize_fp8(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                             hipwright_matrix scales, hipwright_fp8 format, void* stream);
int hipwright_quantize_fp8_rows(hipwright_kernels* kernels, hipwright_matrix out,
                                hipwright_matrix scales, hipwright_matrix x, hipwright_fp8 format,
                                void* stream);

typedef enum hipwright_activation {
  HIPWRIGHT_ACTIVATION_NONE,
  HIPWRIGHT_ACTIVATION_RELU,
  HIPWRIGHT_ACTIVATION_SILU,
  HIPWRIGHT_ACTIVATION_GELU_ERF,
  HIPWRIGHT_ACTIVATION_GELU_TANH
} hipwright_activation;

/* As hipwright::kernels::Gemm. Matrices may be NULL. */
typedef struct hipwright_gemm_form {
  int transpose_a, transpose_b;
  float scale;   /* 1: unchanged */
  int64_t batch; /* 1: one product */
  hipwright_activation activation;
  const hipwright_matrix *bias, *residual;
  int64_t out_step, a_step, b_step, residual_step;
  hipwright_fp8 format;
  const hipwright_matrix *a_scales, *b_scales, *workspace;
} hipwright_gemm_form;

/* `form` may be NULL: the product alone. */
int hipwright_gemm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix a,
                   hipwright_matrix b, const hipwright_gemm_form* form, void* stream);
/* The elements of the workspace with which the product is fastest; -1 on failure. */
int64_t hipwright_gemm_workspace(hipwright_kernels* kernels, hipwright_element type, int64_t rows,
                                 int64_t columns, int64_t depth, int64_t batch);

/* As hipwright::kernels::Attention. Matrices may be NULL. */
typedef struct hipwright_attention_form {
  int64_t heads, kv_heads, batch;
  float scale; /* 0: 1 / sqrt(size of a head) */
  int causal;
  int64_t window;
  const hipwright_matrix *query_starts, *key_starts;
  int64_t longest_query;
  const hipwright_matrix *pages, *key_counts;
  int64_t page_size;
  const hipwright_matrix* workspace;
} hipwright_attention_form;

int hipwright_attention(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix q,
                        hipwright_matrix k, hipwright_matrix v,
                        const hipwright_attention_form* form, void* stream);
/* The elements of the workspace with which attention is fastest; -1 on failure. */
int64_t hipwright_attention_workspace(hipwright_kernels* kernels, int64_t queries, int64_t keys,
                                      int64_t head_size, const hipwright_attention_form* form);

int hipwright_bias_activation(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                              hipwright_matrix bias, hipwright_activation activation, void* stream);
int hipwright_embedding(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix table,
                        hipwright_matrix indices, void* stream);
int hipwright_cache_write(hipwright_kernels* kernels, hipwright_matrix k_cache,
                          hipwright_matrix v_cache, hipwright_matrix k, hipwright_matrix v,
                          hipwright_matrix slots, void* stream);
int hipwright_transpose(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                        void* stream);
typedef enum hipwright_reduction {
  HIPWRIGHT_REDUCTION_SUM,
  HIPWRIGHT_REDUCTION_MEAN,
  HIPWRIGHT_REDUCTION_MAX
} hipwright_reduction;
int hipwright_reduce_rows(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                          hipwright_reduction reduction, void* stream);

#ifdef __cplusplus
}
#endif

#endif
