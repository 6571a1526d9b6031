// SPDX-License-Identifier: MIT
// A library of kernels for the operations of transformers: the same calls on AMD GPUs, NVIDIA GPUs,
// the software GPU and the CPU.
//
//   hipwright::kernels::Kernels kernels(hipwright::Device::open("auto"));
//   hipwright::kernels::rms_norm(kernels, {out, rows, columns}, {x, rows, columns},
//                                {weight, columns}, 1e-6f);
//
// Calls are asynchronous, in stream order, allocate no device memory and can be captured in a
// graph. The first call of an operation with a type loads its code: from the bundles of
// KernelsConfig::code_objects, else from the kernel cache, else from the compiler. Types are F32,
// F16 and BF16; unless said otherwise, all operands of a call have one type. Arithmetic is in 32
// bits and is rounded once. Invalid operands throw AMDDeviceError.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "hipwright/checkpoint.h"
#include "hipwright/device.h"

namespace hipwright::kernels {

// The bits of 16-bit floats.
struct F16 {
  std::uint16_t bits;
};
struct BF16 {
  std::uint16_t bits;
};

// The DataType of an element. Specialise it for a type of your own, or a library's half:
//   template <> struct ElementType<__half> { static constexpr auto value = DataType::kF16; };
template <class T>
struct ElementType;
template <>
struct ElementType<float> {
  static constexpr DataType value = DataType::kF32;
};
template <>
struct ElementType<F16> {
  static constexpr DataType value = DataType::kF16;
};
template <>
struct ElementType<BF16> {
  static constexpr DataType value = DataType::kBF16;
};

// A matrix in device memory that a call reads. Rows begin `stride` elements apart.
struct ConstMatrix {
  DataType type;
  const void* data;
  std::int64_t rows, columns, stride;

  ConstMatrix(DataType of, const void* begin, std::int64_t row_count, std::int64_t column_count,
              std::int64_t row_stride)
      : type(of), data(begin), rows(row_count), columns(column_count), stride(row_stride) {}
  template <class T>
  ConstMatrix(const T* begin, std::int64_t row_count, std::int64_t column_count,
              std::int64_t row_stride)
      : ConstMatrix(ElementType<T>::value, begin, row_count, column_count, row_stride) {}
  template <class T>
  ConstMatrix(const T* begin, std::int64_t row_count, std::int64_t column_count)
      : ConstMatrix(begin, row_count, column_count, column_count) {}
  template <class T>  // one row
  ConstMatrix(const T* begin, std::int64_t column_count) : ConstMatrix(begin, 1, column_count) {}
};

// A matrix that a call writes. It may be an input of the same call, with the same stride; other
// overlaps are errors of the caller.
struct Matrix : ConstMatrix {
  Matrix(DataType of, void* begin, std::int64_t row_count, std::int64_t column_count,
         std::int64_t row_stride)
      : ConstMatrix(of, begin, row_count, column_count, row_stride) {}
  template <class T>
  Matrix(T* begin, std::int64_t row_count, std::int64_t column_count, std::int64_t row_stride)
      : ConstMatrix(begin, row_count, column_count, row_stride) {}
  template <class T>
  Matrix(T* begin, std::int64_t row_count, std::int64_t column_count)
      : ConstMatrix(begin, row_count, column_count) {}
  template <class T>
  Matrix(T* begin, std::int64_t column_count) : ConstMatrix(begin, column_count) {}
};

struct KernelsConfig {
  // Bundles that `hipwright kernels build` wrote; empty: none. A bundle of another version of the
  // library is an error.
  std::filesystem::path code_objects{};
  // Compile what the bundles lack.
  bool compiles = true;
  // On the CPU: compute in double precision, as a reference for other devices.
  bool double_precision = false;
};

// The operations' code on one device. Thread-safe.
class Kernels {
 public:
  explicit Kernels(const Device& device, KernelsConfig config = {});
  Kernels(Kernels&&) noexcept;
  Kernels& operator=(Kernels&&) noexcept;
  ~Kernels();

  const Device& device() const;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// out = x / sqrt(mean(x²) + epsilon) · weight, for each row. `weight` is one row.
void rms_norm(Kernels& kernels, const Matrix& out, const ConstMatrix& x, const ConstMatrix& weight,
              float epsilon, const Stream& stream = {});

// sum = x + residual, rounded to the type; out = the rms_norm of sum. `sum` may be `residual`.
void add_rms_norm(Kernels& kernels, const Matrix& out, const Matrix& sum, const ConstMatrix& x,
                  const ConstMatrix& residual, const ConstMatrix& weight, float epsilon,
                  const Stream& stream = {});

// out = silu(gate) · up, silu(x) = x / (1 + exp(-x)). Of a matrix [gate | up] with 2·n columns,
// pass its halves: {packed, rows, n, 2 * n} and {packed + n, rows, n, 2 * n}.
void silu_mul(Kernels& kernels, const Matrix& out, const ConstMatrix& gate, const ConstMatrix& up,
              const Stream& stream = {});

enum class Gelu { kErf, kTanh };

// out = gelu(gate) · up, with the error function or with tanh in its place. Halves of a packed
// matrix as for silu_mul.
void gelu_mul(Kernels& kernels, const Matrix& out, const ConstMatrix& gate, const ConstMatrix& up,
              Gelu form, const Stream& stream = {});

// out = (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias, for each row.
void layer_norm(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                const ConstMatrix& weight, const ConstMatrix& bias, float epsilon,
                const Stream& stream = {});

// sum = x + residual, rounded to the type; out = the layer_norm of sum. `sum` may be `residual`.
void add_layer_norm(Kernels& kernels, const Matrix& out, const Matrix& sum, const ConstMatrix& x,
                    const ConstMatrix& residual, const ConstMatrix& weight, const ConstMatrix& bias,
                    float epsilon, const Stream& stream = {});

// out = a + b
void add(Kernels& kernels, const Matrix& out, const ConstMatrix& a, const ConstMatrix& b,
         const Stream& stream = {});

// out = exp(scale · x) / Σ exp(scale · x), for each row; scale > 0.
void softmax(Kernels& kernels, const Matrix& out, const ConstMatrix& x, float scale = 1,
             const Stream& stream = {});

// Which elements of a head are a pair: i and i + half of the rotated part (Llama, GPT-NeoX), or 2·i
// and 2·i + 1 (GPT-J).
enum class Rope { kHalves, kInterleaved };

// Rotary position embedding of `heads` heads of equal size, which are the columns of `x`; rows are
// tokens. `positions` is one row of I64, a row number of `cosines` and `sines` for each token;
// these are F32, with one column for each rotated pair, and may be fewer than a head has: the rest
// of the head is copied. `out` may be `x`.
void rope(Kernels& kernels, const Matrix& out, const ConstMatrix& x, const ConstMatrix& positions,
          const ConstMatrix& cosines, const ConstMatrix& sines, std::int64_t heads, Rope form,
          const Stream& stream = {});

// 8-bit floats: OCP's, and those of gfx942 ("fnuz": one more in the bias, no infinities, no
// negative zero). Every device computes with all of them. Matrices of both kinds have the types
// F8E4M3 and F8E5M2.
enum class Fp8 { kE4M3, kE5M2, kE4M3Fnuz, kE5M2Fnuz };
DataType storage_of(Fp8 format);
// What the largest value of a row is scaled to: 448 (e4m3), 57344 (e5m2, e5m2fnuz), and 224
// (e4m3fnuz, whose largest number is 240: common checkpoints are made for OCP, and 224 is 448 with
// fnuz's bias).
float largest_scaled(Fp8 format);
// The e4m3 format of the device's matrix unit; OCP's where it has none.
Fp8 native_fp8(const Device& device);

// out = x / scale, rounded to nearest even, at most the largest number of the format; NaN stays
// NaN. `scales` is F32: one, or one column with one for each row.
void quantize_fp8(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                  const ConstMatrix& scales, Fp8 format, const Stream& stream = {});
// out = x · scale
void dequantize_fp8(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                    const ConstMatrix& scales, Fp8 format, const Stream& stream = {});
// Chooses the scale of each row: max(|x|) / limit, 1 for a row of zeros; then as quantize_fp8.
// A limit of 0 is largest_scaled(format). `scales` is one column of F32.
void quantize_fp8_rows(Kernels& kernels, const Matrix& out, const Matrix& scales,
                       const ConstMatrix& x, Fp8 format, const Stream& stream = {},
                       float limit = 0);

enum class Activation { kNone, kRelu, kSilu, kGeluErf, kGeluTanh };

// What a matrix product does besides the product.
struct Gemm {
  // `a` is stored as depth × rows; `b` as columns × depth, like the weights of a linear layer.
  bool transpose_a = false, transpose_b = false;
  float scale = 1;
  Activation activation = Activation::kNone;
  std::optional<ConstMatrix> bias{};      // one row, for every row of the result
  std::optional<ConstMatrix> residual{};  // added last; may be `out`
  // A batch of products, whose matrices begin so many elements apart. A step of 0 shares a or b.
  std::int64_t batch = 1;
  std::int64_t out_step = 0, a_step = 0, b_step = 0, residual_step = 0;
  // Of 8-bit operands: their format, and F32 scales: one, or a column with one for each row of the
  // result (a) or for each of its columns (b).
  Fp8 format = Fp8::kE4M3;
  std::optional<ConstMatrix> a_scales{}, b_scales{};
  // One row of F32, gemm_workspace() elements long: products with few results then divide the
  // depth, too.
  std::optional<Matrix> workspace{};
};

// out = activation(scale · a · b + bias) + residual. The matrix unit of the device computes 16-bit
// types, and f32 on gfx9; sums are f32. `a` and `b` have the type of `out`, or are both F8E4M3,
// which needs transpose_b and not transpose_a.
void gemm(Kernels& kernels, const Matrix& out, const ConstMatrix& a, const ConstMatrix& b,
          const Gemm& form = {}, const Stream& stream = {});
// The elements of the workspace with which the product is fastest; 0: it needs none.
std::int64_t gemm_workspace(Kernels& kernels, DataType type, std::int64_t rows,
                            std::int64_t columns, std::int64_t depth, std::int64_t batch = 1);

// Which keys queries see, and where they are. Rows are tokens, columns heads of equal size, of q
// `heads`, of k and v `kv_heads`: a divisor, for heads that share keys.
struct Attention {
  std::int64_t heads = 1, kv_heads = 1;
  float scale = 0;          // of scores; 0: 1 / sqrt(size of a head)
  bool causal = false;      // the last query sees all keys, the one before all but the last, …
  std::int64_t window = 0;  // of the keys up to the query's own, only the last so many; 0: all
  // Sequences follow each other. Without starts they have equal lengths.
  std::int64_t batch = 1;
  // I32, batch + 1 row numbers: where sequences begin, and the end of the last one.
  std::optional<ConstMatrix> query_starts{}, key_starts{};
  std::int64_t longest_query = 0;  // rows of the longest sequence of query_starts; 0: unknown
  // A paged cache of keys: k and v are pages of `page_size` rows; `pages` is I32 with a row of page
  // numbers for each sequence, and `key_counts` one row of I32, the keys of each sequence.
  std::optional<ConstMatrix> pages{}, key_counts{};
  std::int64_t page_size = 0;
  // One row of F32, attention_workspace() elements long: few queries with many keys are then
  // computed by more of the device.
  std::optional<Matrix> workspace{};
};

// out = softmax(scale · q · kᵀ) · v for each head. A query that sees no key gets zeros. Heads have
// up to 256 elements.
void attention(Kernels& kernels, const Matrix& out, const ConstMatrix& q, const ConstMatrix& k,
               const ConstMatrix& v, const Attention& form, const Stream& stream = {});
// The elements of the workspace with which attention of so many queries is fastest, if a sequence
// has up to `keys` keys; 0: it needs none.
std::int64_t attention_workspace(Kernels& kernels, std::int64_t queries, std::int64_t keys,
                                 std::int64_t head_size, const Attention& form);

// out = activation(x + bias). `bias` is one row.
void bias_activation(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                     const ConstMatrix& bias, Activation activation, const Stream& stream = {});

// out[row] = table[indices[row]]. `indices` is one row of I64, row numbers of `table`.
void embedding(Kernels& kernels, const Matrix& out, const ConstMatrix& table,
               const ConstMatrix& indices, const Stream& stream = {});

// k_cache[slots[row]] = k[row], and the same of v. `slots` is one row of I64, of different row
// numbers of the caches; rows with a slot below 0 are not written.
void cache_write(Kernels& kernels, const Matrix& k_cache, const Matrix& v_cache,
                 const ConstMatrix& k, const ConstMatrix& v, const ConstMatrix& slots,
                 const Stream& stream = {});

// out = xᵀ, of another shape and in other memory.
void transpose(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
               const Stream& stream = {});

enum class Reduction { kSum, kMean, kMax };

// out[row] = the sum, the mean or the largest element of x[row]; the largest ignores NaN. `out` is
// one column. For rows without elements nothing is written.
void reduce_rows(Kernels& kernels, const Matrix& out, const ConstMatrix& x, Reduction reduction,
                 const Stream& stream = {});

}  // namespace hipwright::kernels
