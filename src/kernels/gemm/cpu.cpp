// SPDX-License-Identifier: MIT
// Blocks of results are computed from packed panels of both operands, by a kernel that keeps its
// results in registers.
#include "kernels/cpu.h"

#include <cstdlib>

#include "kernels/gemm/arguments.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

// An operand as rows along the depth, however it is stored.
template <class In>
struct Side {
  const In* begin;
  i64 row_step, depth_step;
  const In* at(i64 row, i64 depth) const { return begin + row * row_step + depth * depth_step; }
};

template <class Real>
constexpr int kWidth = kRegisterBytes / static_cast<int>(sizeof(Real));
template <class Real>
struct Block {
  using Lanes = Real __attribute__((vector_size(kRegisterBytes)));
  // AVX-512 has twice as many registers, too.
  static constexpr int kRows = kRegisterBytes == 64 ? 12 : 6, kColumns = 2 * kWidth<Real>;
  static constexpr int kMostRows = 192, kMostColumns = 512, kMostDepth = 256;
};

// Memory of a thread, kept for the next call.
template <class Real>
struct Scratch {
  using B = Block<Real>;
  Real* a = allocate(B::kMostRows * B::kMostDepth);
  Real* b = allocate(B::kMostColumns * B::kMostDepth);
  Real* sums = allocate(B::kMostRows * B::kMostColumns);
  ~Scratch() {
    std::free(a);
    std::free(b);
    std::free(sums);
  }
  static Real* allocate(std::size_t count) {
    void* const memory = std::aligned_alloc(64, count * sizeof(Real));
    if (memory == nullptr) std::abort();
    return static_cast<Real*>(memory);
  }
  static Scratch& of_thread() {
    thread_local Scratch scratch;
    return scratch;
  }
};

// Panels of kPanel rows; in a panel the rows of one depth are neighbours. Missing rows are 0.
template <int kPanel, class Real, class In>
void pack(Real* to, const Side<In>& from, i64 row, i64 rows, i64 depth_begin, i64 depth) {
  for (i64 panel = 0; panel < rows; panel += kPanel, to += kPanel * depth) {
    const int count = rows - panel < kPanel ? static_cast<int>(rows - panel) : kPanel;
    const In* const begin = from.at(row + panel, depth_begin);
    if (count < kPanel) std::memset(to, 0, sizeof(Real) * kPanel * static_cast<std::size_t>(depth));
    if (from.row_step == 1 && count == kPanel) {
      for (i64 k = 0; k < depth; ++k)
        for (int r = 0; r < kPanel; ++r)
          to[k * kPanel + r] = real<Real>(begin[k * from.depth_step + r]);
      continue;
    }
    for (int r = 0; r < count; ++r)
      for (i64 k = 0; k < depth; ++k)
        to[k * kPanel + r] = real<Real>(begin[r * from.row_step + k * from.depth_step]);
  }
}

// sums += a · b for one panel of each.
template <class Real>
void multiply_panels(Real* sums, const Real* a, const Real* b, i64 depth) {
  using B = Block<Real>;
  using Lanes = typename B::Lanes;
  Lanes held[B::kRows][2];
  for (int r = 0; r < B::kRows; ++r) std::memcpy(held[r], sums + r * B::kColumns, sizeof held[r]);
  for (i64 k = 0; k < depth; ++k, a += B::kRows, b += B::kColumns) {
    Lanes columns[2];
    std::memcpy(columns, b, sizeof columns);
    for (int r = 0; r < B::kRows; ++r) {
      held[r][0] += a[r] * columns[0];
      held[r][1] += a[r] * columns[1];
    }
  }
  for (int r = 0; r < B::kRows; ++r) std::memcpy(sums + r * B::kColumns, held[r], sizeof held[r]);
}

// Results of one row, from `column` on.
template <class T, class Real>
void finish(const GemmArguments& g, i64 batch, i64 row, i64 column, Real* values, i64 count) {
  Real scale = g.scale;
  if (g.a_scales != nullptr) scale *= g.a_scales[row * g.a_scale_step];
  for (i64 c = 0; c < count; ++c) values[c] *= scale;
  if (g.b_scales != nullptr)
    for (i64 c = 0; c < count; ++c) values[c] *= g.b_scales[(column + c) * g.b_scale_step];
  if (const auto* const bias = static_cast<const T*>(g.bias))
    for (i64 c = 0; c < count; ++c) values[c] += real<Real>(bias[column + c]);
  activate(values, count, static_cast<Activation>(g.activation));
  if (g.residual != nullptr) {
    const T* const residual = static_cast<const T*>(g.residual) + batch * g.residual_step +
                              row * g.residual_stride + column;
    for (i64 c = 0; c < count; ++c) values[c] += real<Real>(residual[c]);
  }
  T* const out = static_cast<T*>(g.out) + batch * g.out_step + row * g.out_stride + column;
  for (i64 c = 0; c < count; ++c) narrow(out[c], values[c]);
}

struct Area {
  i64 row, rows, column, columns;
};

template <class T, class In, class Real>
class Product {
 public:
  using B = Block<Real>;
  Product(const GemmArguments& g, i64 batch) : g_(g), batch_(batch) {
    const auto side = [&](const void* data, i64 step, i64 stride, bool rows_are_neighbours) {
      const In* const begin = static_cast<const In*>(data) + batch * step;
      return rows_are_neighbours ? Side<In>{begin, 1, stride} : Side<In>{begin, stride, 1};
    };
    a_ = side(g.a, g.a_step, g.a_stride, g.a_is_transposed != 0);
    b_ = side(g.b, g.b_step, g.b_stride, g.b_is_transposed == 0);
  }

  void compute(const Area& area) const {
    Scratch<Real>& scratch = Scratch<Real>::of_thread();
    const i64 panels_a = panels(area.rows, B::kRows), panels_b = panels(area.columns, B::kColumns);
    constexpr int kSums = B::kRows * B::kColumns;
    std::memset(scratch.sums, 0,
                sizeof(Real) * kSums * static_cast<std::size_t>(panels_a * panels_b));
    for (i64 k = 0; k < g_.depth; k += B::kMostDepth) {
      const i64 depth = g_.depth - k < B::kMostDepth ? g_.depth - k : B::kMostDepth;
      pack<B::kColumns>(scratch.b, b_, area.column, area.columns, k, depth);
      pack<B::kRows>(scratch.a, a_, area.row, area.rows, k, depth);
      for (i64 j = 0; j < panels_b; ++j)
        for (i64 i = 0; i < panels_a; ++i)
          multiply_panels(scratch.sums + (j * panels_a + i) * kSums,
                          scratch.a + i * B::kRows * depth, scratch.b + j * B::kColumns * depth,
                          depth);
    }
    for (i64 j = 0; j < panels_b; ++j)
      for (i64 row = 0; row < area.rows; ++row) {
        const i64 column = j * B::kColumns;
        const i64 count = area.columns - column < B::kColumns ? area.columns - column : B::kColumns;
        finish<T>(
            g_, batch_, area.row + row, area.column + column,
            scratch.sums + (j * panels_a + row / B::kRows) * kSums + row % B::kRows * B::kColumns,
            count);
      }
  }

  // Few rows: both operands are read where they are.
  void compute_dots(const Area& area) const {
    for (i64 row = 0; row < area.rows; ++row)
      for (i64 c = area.column; c < area.column + area.columns; ++c) {
        const In* const of_a = a_.at(row, 0);
        const In* const of_b = b_.at(c, 0);
        Real value =
            sum<Real>(g_.depth, [&](i64 k) { return real<Real>(of_a[k]) * real<Real>(of_b[k]); });
        finish<T>(g_, batch_, row, c, &value, 1);
      }
  }

  static i64 panels(i64 size, int panel) { return (size + panel - 1) / panel; }

 private:
  const GemmArguments& g_;
  const i64 batch_;
  Side<In> a_, b_;
};

struct GemmOperation {
  template <class T, class Real>
  static void run(Share share, GemmArguments g) {
    switch (g.format) {
      case static_cast<int>(Fp8::kE4M3):
        return as<T, Fp8Element<Fp8::kE4M3>, Real>(share, g);
      case static_cast<int>(Fp8::kE4M3Fnuz):
        return as<T, Fp8Element<Fp8::kE4M3Fnuz>, Real>(share, g);
      default:
        return as<T, T, Real>(share, g);
    }
  }

  template <class T, class In, class Real>
  static void as(Share share, const GemmArguments& g) {
    constexpr int kMostRowsOfDots = 4;
    if (g.rows <= kMostRowsOfDots && g.a_is_transposed == 0 && g.b_is_transposed != 0)
      return in_dots<T, In, Real>(share, g);
    using B = Block<Real>;
    // Areas as large as the scratch memory, halved until each share has some.
    i64 rows = B::kMostRows, columns = B::kMostColumns;
    const auto count = [&](i64 size, i64 part) { return (size + part - 1) / part; };
    const auto areas = [&] { return count(g.rows, rows) * count(g.columns, columns) * g.batch; };
    while (areas() < share.count && columns > 4 * B::kColumns) columns /= 2;
    while (areas() < share.count && rows > 4 * B::kRows) rows /= 2;
    const i64 down = count(g.rows, rows), across = count(g.columns, columns);
    const Rows mine(share, areas());
    for (i64 i = mine.begin; i < mine.end; ++i) {
      const i64 row = i / across % down * rows, column = i % across * columns;
      Product<T, In, Real>(g, i / (across * down))
          .compute({row, g.rows - row < rows ? g.rows - row : rows, column,
                    g.columns - column < columns ? g.columns - column : columns});
    }
  }

  template <class T, class In, class Real>
  static void in_dots(Share share, const GemmArguments& g) {
    each_stretch(share, g.batch, g.columns, [&](i64 batch, i64 begin, i64 end) {
      Product<T, In, Real>(g, batch).compute_dots({0, g.rows, begin, end - begin});
    });
  }
};

}  // namespace

CpuFunctions gemm() {
  return cpu_functions<GemmOperation>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
