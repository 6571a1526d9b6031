// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "kernels/call.h"
#include "kernels/gemm/arguments.h"
#include "kernels/gemm/symbols.h"
#include "kernels/gemm/tiles.h"
#include "kernels/state.h"

namespace hipwright::kernels {

namespace {

constexpr std::int64_t kMostDepth = 1 << 30;
constexpr std::int64_t kMostResults = 0x7fffff00;  // rows, or columns
constexpr std::int64_t kChunkBytes = 16, kTileBytes = 128;

std::int64_t tiles_in(std::int64_t size, unsigned tile) {
  return (size + tile - 1) / tile;
}

struct Product {
  DataType type;        // of the result
  DataType multiplied;  // of the operands
  std::int64_t rows, columns, depth, batch;

  std::int64_t results_tiles(const GemmTile& tile) const {
    return tiles_in(rows, tile.m) * tiles_in(columns, tile.n) * batch;
  }
  // Elements of a tile along the depth. 8-bit operands may be multiplied as 16-bit ones.
  std::int64_t tile_depth() const {
    return kTileBytes / static_cast<std::int64_t>(size_of(multiplied));
  }
};

// How many parts of the depth keep the device busy: each still has some tiles.
std::int64_t splits_for(const Product& product, const GemmTile& tile, unsigned compute_units) {
  constexpr std::int64_t kMost = 32, kTilesOfPart = 4;
  const std::int64_t blocks = product.results_tiles(tile);
  if (blocks == 0) return 1;
  return std::clamp<std::int64_t>(
      std::min(compute_units / blocks, product.depth / (kTilesOfPart * product.tile_depth())), 1,
      kMost);
}

bool is_fp8(DataType type) {
  return type == DataType::kF8E4M3;
}

class Checked {
 public:
  Checked(Kernels& kernels, const Matrix& out, const ConstMatrix& a, const ConstMatrix& b,
          const Gemm& form)
      : call_(kernels, "gemm", "out", out), out_(out), a_(a), b_(b), form_(form) {
    product_ = {out.type,  a.type, out.rows, out.columns, form.transpose_a ? a.rows : a.columns,
                form.batch};
    check_operands();
    check_batch();
    check_fp8();
  }

  const Product& product() const { return product_; }

  // Whether chunks of 16 bytes are aligned in every operand, and sizes are multiples of them.
  bool has_vectors() const {
    return operand_is_aligned(a_, form_.a_step) && operand_is_aligned(b_, form_.b_step) &&
           row_is_aligned(out_, form_.out_step) &&
           (!form_.bias || row_is_aligned(*form_.bias, 0)) &&
           (!form_.residual || row_is_aligned(*form_.residual, form_.residual_step)) &&
           (!form_.workspace || is_aligned(form_.workspace->data, 0, 0));
  }
  // Those of the operands alone.
  bool has_vectors_along_depth() const {
    return !form_.transpose_a && form_.transpose_b && operand_is_aligned(a_, form_.a_step) &&
           operand_is_aligned(b_, form_.b_step);
  }

  GemmArguments arguments() const {
    const auto pointer = [](const std::optional<ConstMatrix>& matrix) {
      return matrix ? matrix->data : nullptr;
    };
    const auto step = [](const std::optional<ConstMatrix>& scales) {
      return scales && scales->rows > 1 ? static_cast<long long>(scales->stride) : 0LL;
    };
    return {.out = const_cast<void*>(out_.data),
            .a = a_.data,
            .b = b_.data,
            .bias = pointer(form_.bias),
            .residual = pointer(form_.residual),
            .a_scales = static_cast<const float*>(pointer(form_.a_scales)),
            .b_scales = static_cast<const float*>(pointer(form_.b_scales)),
            .partials = nullptr,
            .out_stride = out_.stride,
            .a_stride = a_.stride,
            .b_stride = b_.stride,
            .residual_stride = form_.residual ? form_.residual->stride : 0,
            .out_step = form_.out_step,
            .a_step = form_.a_step,
            .b_step = form_.b_step,
            .residual_step = form_.residual_step,
            .a_scale_step = step(form_.a_scales),
            .b_scale_step = step(form_.b_scales),
            .batch = product_.batch,
            .rows = static_cast<int>(product_.rows),
            .columns = static_cast<int>(product_.columns),
            .depth = static_cast<int>(product_.depth),
            .splits = 1,
            .split_depth = static_cast<int>(product_.depth),
            .a_is_transposed = form_.transpose_a,
            .b_is_transposed = form_.transpose_b,
            .activation = static_cast<int>(form_.activation),
            .format = format(),
            .scale = form_.scale};
  }
  int format() const { return is_fp8(a_.type) ? static_cast<int>(form_.format) : -1; }

 private:
  void check_operands() {
    const auto [type, multiplied, rows, columns, depth, batch] = product_;
    if (rows > kMostResults || columns > kMostResults || depth > kMostDepth)
      call_.reject("out", "is too large", "Use at most 2147483392 rows and columns, 2^30 deep.");
    const auto shape = [](bool transposed, std::int64_t r, std::int64_t c) {
      return transposed ? std::pair{c, r} : std::pair{r, c};
    };
    const auto [a_rows, a_columns] = shape(form_.transpose_a, rows, depth);
    const auto [b_rows, b_columns] = shape(form_.transpose_b, depth, columns);
    call_.expect("out", out_, {{type}, rows, columns})
        .expect("a", a_, {{type, DataType::kF8E4M3}, a_rows, a_columns})
        .expect("b", b_, {{multiplied}, b_rows, b_columns});
    if (form_.bias) call_.expect("bias", *form_.bias, {{type}, 1, columns});
    if (form_.residual) call_.expect("residual", *form_.residual, {{type}, rows, columns});
    if (form_.workspace)
      call_.expect("workspace", *form_.workspace, {{DataType::kF32}, 1, form_.workspace->columns});
  }
  void check_batch() {
    if (form_.batch < 0) call_.reject("batch", "is negative", "Pass the number of products.");
    const std::int64_t extent = (out_.rows - 1) * out_.stride + out_.columns;
    if (form_.batch > 1 && form_.out_step < extent)
      call_.reject("out_step", "lets products overlap", "Pass at least the elements of one.");
    if (form_.a_step < 0 || form_.b_step < 0 || form_.residual_step < 0)
      call_.reject("step", "is negative", "Pass 0 or more.");
  }
  void check_fp8() {
    const auto scales = [&](const char* name, const std::optional<ConstMatrix>& given,
                            std::int64_t count) {
      if (!given) return;
      call_.expect(name, *given, {{DataType::kF32}, given->rows == 1 ? 1 : count, 1});
    };
    scales("a_scales", form_.a_scales, product_.rows);
    scales("b_scales", form_.b_scales, product_.columns);
    if (!is_fp8(a_.type)) return;
    if (form_.transpose_a || !form_.transpose_b)
      call_.reject("b", "is not transposed, or a is", "8-bit operands need transpose_b alone.");
    if (storage_of(form_.format) != DataType::kF8E4M3)
      call_.reject("format", "is not e4m3", "Use kE4M3 or kE4M3Fnuz.");
  }

  static bool is_aligned(const void* data, std::int64_t stride_bytes, std::int64_t step_bytes) {
    return reinterpret_cast<std::uintptr_t>(data) % kChunkBytes == 0 &&
           stride_bytes % kChunkBytes == 0 && step_bytes % kChunkBytes == 0;
  }
  static bool row_is_aligned(const ConstMatrix& m, std::int64_t step) {
    const auto size = static_cast<std::int64_t>(size_of(m.type));
    return is_aligned(m.data, m.rows > 1 ? m.stride * size : 0, step * size) &&
           m.columns * size % kChunkBytes == 0;
  }
  // Offsets in a tile fit in 32 bits, too.
  static bool operand_is_aligned(const ConstMatrix& m, std::int64_t step) {
    return row_is_aligned(m, step) && m.stride < (std::int64_t{1} << 22);
  }

  Call call_;
  const Matrix out_;
  const ConstMatrix a_, b_;
  const Gemm form_;
  Product product_{};
};

Dim3 grid_of(std::int64_t blocks, std::int64_t batch) {
  constexpr std::int64_t kMostRows = 65535;
  const std::int64_t y = std::min(batch, kMostRows);
  return {static_cast<unsigned>(blocks), static_cast<unsigned>(y),
          static_cast<unsigned>((batch + y - 1) / y)};
}

class Launch {
 public:
  Launch(Kernels::State& state, const Stream& stream, DataType type, int format)
      : state_(state), stream_(stream), type_(type), format_(format) {}

  void operator()(const std::string& symbol, Dim3 grid, unsigned threads,
                  const GemmArguments& arguments) const {
    const KernelArgument argument{&arguments, sizeof arguments};
    state_.utilities.launch_with(state_.gpu_kernel(op(), gemm_unit(type_, format_), symbol), grid,
                                 {threads}, 0, stream_, {&argument, 1});
  }
  static const Op& op() {
    static const Op* const found = find_op("gemm");
    return *found;
  }

 private:
  Kernels::State& state_;
  const Stream& stream_;
  const DataType type_;
  const int format_;
};

void launch_on_cpu(Kernels::State& state, const Product& product, const GemmArguments& arguments,
                   const Stream& stream) {
  const KernelArgument argument{&arguments, sizeof arguments};
  // Shares of whole tiles, of which each thread has some; small products stay in one.
  constexpr std::int64_t kSharesOfThread = 4, kOperations = 1 << 17;
  const std::int64_t work = product.rows * product.columns * product.batch;
  const std::int64_t shares =
      std::clamp<std::int64_t>(work * std::max<std::int64_t>(product.depth, 1) / kOperations, 1,
                               kSharesOfThread * std::max(state.compute_units, 1U));
  state.utilities.launch_with(state.cpu_kernel(Launch::op(), product.type),
                              {static_cast<unsigned>(shares)}, {1}, 0, stream, {&argument, 1});
}

}  // namespace

std::int64_t gemm_workspace(Kernels& kernels, DataType type, std::int64_t rows,
                            std::int64_t columns, std::int64_t depth, std::int64_t batch) {
  const Kernels::State& state = kernels.state();
  if (state.on_cpu || rows <= 0 || columns <= 0) return 0;
  const std::int64_t splits = splits_for({type, type, rows, columns, depth, batch},
                                         gemm_tiles(state.chip).small, state.compute_units);
  return splits > 1 ? splits * rows * columns * batch : 0;
}

void gemm(Kernels& kernels, const Matrix& out, const ConstMatrix& a, const ConstMatrix& b,
          const Gemm& form, const Stream& stream) {
  const Checked checked(kernels, out, a, b, form);
  const Product& product = checked.product();
  if (product.rows == 0 || product.columns == 0 || product.batch == 0) return;
  Kernels::State& state = kernels.state();
  GemmArguments arguments = checked.arguments();
  if (state.on_cpu) return launch_on_cpu(state, product, arguments, stream);

  const Launch launch(state, stream, product.type, checked.format());
  const GemmSymbols symbols{product.type, checked.format()};
  if (product.rows <= kSkinnyRows[std::size(kSkinnyRows) - 1] &&
      checked.has_vectors_along_depth() && product.depth > 0) {
    const unsigned rows =
        *std::ranges::find_if(kSkinnyRows, [&](unsigned most) { return product.rows <= most; });
    return launch(symbols.skinny(rows),
                  grid_of(tiles_in(product.columns, kSkinnyWaves), product.batch),
                  kSkinnyWaves * state.chip.wave_size, arguments);
  }

  const GemmTiles& tiles = gemm_tiles(state.chip);
  const bool turned = form.transpose_a || !form.transpose_b;
  const bool vectors = checked.has_vectors() && product.depth > 0;
  const GemmTile& large = turned ? tiles.turned : tiles.large;
  // Large tiles need less memory, small ones keep more of the device busy.
  const bool is_large = vectors && 3 * product.results_tiles(large) >= 2 * state.compute_units;
  const GemmTile& tile = is_large ? large : tiles.small;
  if (form.workspace && !is_large) {
    const std::int64_t results = product.rows * product.columns * product.batch;
    const std::int64_t splits =
        std::min(splits_for(product, tile, state.compute_units), form.workspace->columns / results);
    const std::int64_t step = product.tile_depth();
    if (splits > 1) {
      arguments.partials = static_cast<float*>(const_cast<void*>(form.workspace->data));
      arguments.split_depth =
          static_cast<int>(tiles_in(tiles_in(product.depth, static_cast<unsigned>(step)),
                                    static_cast<unsigned>(splits)) *
                           step);
      arguments.splits =
          static_cast<int>(tiles_in(product.depth, static_cast<unsigned>(arguments.split_depth)));
    }
  }
  launch(symbols.tile(form.transpose_a, form.transpose_b, tile, vectors),
         grid_of(tiles_in(product.rows, tile.m) * tiles_in(product.columns, tile.n),
                 product.batch * arguments.splits),
         tile.waves() * state.chip.wave_size, arguments);
  if (arguments.splits == 1) return;
  const unsigned elements = vectors ? symbols.vector() : 1;
  launch(
      symbols.finish(vectors),
      grid_of(tiles_in(product.rows * product.columns, kFinishThreads * elements), product.batch),
      kFinishThreads, arguments);
}

}  // namespace hipwright::kernels
