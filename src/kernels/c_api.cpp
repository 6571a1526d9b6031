// SPDX-License-Identifier: MIT
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "hipwright/kernels.h"
#include "hipwright/kernels_c.h"

struct hipwright_kernels {
  hipwright::Device device;
  std::unique_ptr<hipwright::kernels::Kernels> library;
};

namespace {

using hipwright::DataType;
using hipwright::kernels::ConstMatrix;
using hipwright::kernels::Fp8;
using hipwright::kernels::Gelu;
using hipwright::kernels::Matrix;
using hipwright::kernels::Rope;

thread_local std::string last_error;

template <class Work>
int guarded(Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    last_error = error.what();
    return -1;
  }
}

DataType type_of(hipwright_element element) {
  switch (element) {
    case HIPWRIGHT_ELEMENT_F32:
      return DataType::kF32;
    case HIPWRIGHT_ELEMENT_F16:
      return DataType::kF16;
    case HIPWRIGHT_ELEMENT_BF16:
      return DataType::kBF16;
    case HIPWRIGHT_ELEMENT_F8E4M3:
      return DataType::kF8E4M3;
    case HIPWRIGHT_ELEMENT_F8E5M2:
      return DataType::kF8E5M2;
    case HIPWRIGHT_ELEMENT_I64:
      return DataType::kI64;
    case HIPWRIGHT_ELEMENT_I32:
      return DataType::kI32;
  }
  // No operation takes it.
  return DataType::kBool;
}

Matrix writable(const hipwright_matrix& m) {
  return {type_of(m.type), m.data, m.rows, m.columns, m.stride};
}
ConstMatrix readable(const hipwright_matrix& m) {
  return writable(m);
}

std::optional<ConstMatrix> optional_of(const hipwright_matrix* m) {
  if (m == nullptr) return std::nullopt;
  return readable(*m);
}

hipwright::kernels::Gemm form_of(const hipwright_gemm_form& form) {
  hipwright::kernels::Gemm gemm{
      .transpose_a = form.transpose_a != 0,
      .transpose_b = form.transpose_b != 0,
      .scale = form.scale,
      .activation = static_cast<hipwright::kernels::Activation>(form.activation),
      .bias = optional_of(form.bias),
      .residual = optional_of(form.residual),
      .batch = form.batch,
      .out_step = form.out_step,
      .a_step = form.a_step,
      .b_step = form.b_step,
      .residual_step = form.residual_step,
      .format = static_cast<Fp8>(form.format),
      .a_scales = optional_of(form.a_scales),
      .b_scales = optional_of(form.b_scales)};
  if (form.workspace != nullptr) gemm.workspace = writable(*form.workspace);
  return gemm;
}

hipwright::kernels::Attention form_of(const hipwright_attention_form& form) {
  hipwright::kernels::Attention attention{.heads = form.heads,
                                          .kv_heads = form.kv_heads,
                                          .scale = form.scale,
                                          .causal = form.causal != 0,
                                          .window = form.window,
                                          .batch = form.batch,
                                          .query_starts = optional_of(form.query_starts),
                                          .key_starts = optional_of(form.key_starts),
                                          .longest_query = form.longest_query,
                                          .pages = optional_of(form.pages),
                                          .key_counts = optional_of(form.key_counts),
                                          .page_size = form.page_size};
  if (form.workspace != nullptr) attention.workspace = writable(*form.workspace);
  return attention;
}

hipwright::Stream stream_of(const hipwright_kernels& kernels, void* native) {
  return hipwright::Stream::borrow(kernels.device, native);
}

}  // namespace

extern "C" {

hipwright_kernels* hipwright_kernels_open(const char* device, const char* code_objects) {
  auto opened = std::make_unique<hipwright_kernels>();
  const int failed = guarded([&] {
    hipwright::kernels::KernelsConfig config;
    if (code_objects != nullptr) config.code_objects = code_objects;
    opened->device = hipwright::Device::open(device == nullptr ? "auto" : device);
    opened->library = std::make_unique<hipwright::kernels::Kernels>(opened->device, config);
  });
  return failed != 0 ? nullptr : opened.release();
}

void hipwright_kernels_close(hipwright_kernels* kernels) {
  delete kernels;
}

int hipwright_kernels_synchronize(hipwright_kernels* kernels) {
  return guarded([&] { kernels->device.synchronize(); });
}

const char* hipwright_kernels_error(void) {
  return last_error.c_str();
}

int hipwright_rms_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                       hipwright_matrix weight, float epsilon, void* stream) {
  return guarded([&] {
    hipwright::kernels::rms_norm(*kernels->library, writable(out), readable(x), readable(weight),
                                 epsilon, stream_of(*kernels, stream));
  });
}
int hipwright_add_rms_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix sum,
                           hipwright_matrix x, hipwright_matrix residual, hipwright_matrix weight,
                           float epsilon, void* stream) {
  return guarded([&] {
    hipwright::kernels::add_rms_norm(*kernels->library, writable(out), writable(sum), readable(x),
                                     readable(residual), readable(weight), epsilon,
                                     stream_of(*kernels, stream));
  });
}
int hipwright_layer_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                         hipwright_matrix weight, hipwright_matrix bias, float epsilon,
                         void* stream) {
  return guarded([&] {
    hipwright::kernels::layer_norm(*kernels->library, writable(out), readable(x), readable(weight),
                                   readable(bias), epsilon, stream_of(*kernels, stream));
  });
}
int hipwright_add_layer_norm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix sum,
                             hipwright_matrix x, hipwright_matrix residual, hipwright_matrix weight,
                             hipwright_matrix bias, float epsilon, void* stream) {
  return guarded([&] {
    hipwright::kernels::add_layer_norm(*kernels->library, writable(out), writable(sum), readable(x),
                                       readable(residual), readable(weight), readable(bias),
                                       epsilon, stream_of(*kernels, stream));
  });
}
int hipwright_silu_mul(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix gate,
                       hipwright_matrix up, void* stream) {
  return guarded([&] {
    hipwright::kernels::silu_mul(*kernels->library, writable(out), readable(gate), readable(up),
                                 stream_of(*kernels, stream));
  });
}
int hipwright_gelu_mul(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix gate,
                       hipwright_matrix up, int by_tanh, void* stream) {
  return guarded([&] {
    hipwright::kernels::gelu_mul(*kernels->library, writable(out), readable(gate), readable(up),
                                 by_tanh != 0 ? Gelu::kTanh : Gelu::kErf,
                                 stream_of(*kernels, stream));
  });
}
int hipwright_add(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix a,
                  hipwright_matrix b, void* stream) {
  return guarded([&] {
    hipwright::kernels::add(*kernels->library, writable(out), readable(a), readable(b),
                            stream_of(*kernels, stream));
  });
}
int hipwright_softmax(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                      float scale, void* stream) {
  return guarded([&] {
    hipwright::kernels::softmax(*kernels->library, writable(out), readable(x), scale,
                                stream_of(*kernels, stream));
  });
}
int hipwright_rope(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                   hipwright_matrix positions, hipwright_matrix cosines, hipwright_matrix sines,
                   int64_t heads, int interleaved, void* stream) {
  return guarded([&] {
    hipwright::kernels::rope(*kernels->library, writable(out), readable(x), readable(positions),
                             readable(cosines), readable(sines), heads,
                             interleaved != 0 ? Rope::kInterleaved : Rope::kHalves,
                             stream_of(*kernels, stream));
  });
}
int hipwright_quantize_fp8(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                           hipwright_matrix scales, hipwright_fp8 format, void* stream) {
  return guarded([&] {
    hipwright::kernels::quantize_fp8(*kernels->library, writable(out), readable(x),
                                     readable(scales), static_cast<Fp8>(format),
                                     stream_of(*kernels, stream));
  });
}
int hipwright_dequantize_fp8(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                             hipwright_matrix scales, hipwright_fp8 format, void* stream) {
  return guarded([&] {
    hipwright::kernels::dequantize_fp8(*kernels->library, writable(out), readable(x),
                                       readable(scales), static_cast<Fp8>(format),
                                       stream_of(*kernels, stream));
  });
}
int hipwright_quantize_fp8_rows(hipwright_kernels* kernels, hipwright_matrix out,
                                hipwright_matrix scales, hipwright_matrix x, hipwright_fp8 format,
                                void* stream) {
  return guarded([&] {
    hipwright::kernels::quantize_fp8_rows(*kernels->library, writable(out), writable(scales),
                                          readable(x), static_cast<Fp8>(format),
                                          stream_of(*kernels, stream));
  });
}

int hipwright_gemm(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix a,
                   hipwright_matrix b, const hipwright_gemm_form* form, void* stream) {
  return guarded([&] {
    hipwright::kernels::gemm(*kernels->library, writable(out), readable(a), readable(b),
                             form != nullptr ? form_of(*form) : hipwright::kernels::Gemm{},
                             stream_of(*kernels, stream));
  });
}
int64_t hipwright_gemm_workspace(hipwright_kernels* kernels, hipwright_element type, int64_t rows,
                                 int64_t columns, int64_t depth, int64_t batch) {
  std::int64_t elements = -1;
  guarded([&] {
    elements = hipwright::kernels::gemm_workspace(*kernels->library, type_of(type), rows, columns,
                                                  depth, batch);
  });
  return elements;
}

int hipwright_attention(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix q,
                        hipwright_matrix k, hipwright_matrix v,
                        const hipwright_attention_form* form, void* stream) {
  return guarded([&] {
    hipwright::kernels::attention(*kernels->library, writable(out), readable(q), readable(k),
                                  readable(v), form_of(*form), stream_of(*kernels, stream));
  });
}
int64_t hipwright_attention_workspace(hipwright_kernels* kernels, int64_t queries, int64_t keys,
                                      int64_t head_size, const hipwright_attention_form* form) {
  std::int64_t elements = -1;
  guarded([&] {
    elements = hipwright::kernels::attention_workspace(*kernels->library, queries, keys, head_size,
                                                       form_of(*form));
  });
  return elements;
}

int hipwright_bias_activation(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                              hipwright_matrix bias, hipwright_activation activation,
                              void* stream) {
  return guarded([&] {
    hipwright::kernels::bias_activation(
        *kernels->library, writable(out), readable(x), readable(bias),
        static_cast<hipwright::kernels::Activation>(activation), stream_of(*kernels, stream));
  });
}
int hipwright_embedding(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix table,
                        hipwright_matrix indices, void* stream) {
  return guarded([&] {
    hipwright::kernels::embedding(*kernels->library, writable(out), readable(table),
                                  readable(indices), stream_of(*kernels, stream));
  });
}
int hipwright_cache_write(hipwright_kernels* kernels, hipwright_matrix k_cache,
                          hipwright_matrix v_cache, hipwright_matrix k, hipwright_matrix v,
                          hipwright_matrix slots, void* stream) {
  return guarded([&] {
    hipwright::kernels::cache_write(*kernels->library, writable(k_cache), writable(v_cache),
                                    readable(k), readable(v), readable(slots),
                                    stream_of(*kernels, stream));
  });
}

int hipwright_transpose(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                        void* stream) {
  return guarded([&] {
    hipwright::kernels::transpose(*kernels->library, writable(out), readable(x),
                                  stream_of(*kernels, stream));
  });
}
int hipwright_reduce_rows(hipwright_kernels* kernels, hipwright_matrix out, hipwright_matrix x,
                          hipwright_reduction reduction, void* stream) {
  return guarded([&] {
    hipwright::kernels::reduce_rows(*kernels->library, writable(out), readable(x),
                                    static_cast<hipwright::kernels::Reduction>(reduction),
                                    stream_of(*kernels, stream));
  });
}

}  // extern "C"
