// SPDX-License-Identifier: MIT
#include <cmath>

#include "kernels/gemm/symbols.h"
#include "kernels/op.h"

namespace hipwright::kernels {

namespace {

// What the cases do besides the product.
struct Form {
  std::string_view name;
  bool transpose_a, transpose_b;
  int format = -1;
  Activation activation = Activation::kNone;
  bool bias = false, residual = false;
  std::int64_t batch = 1;
  bool workspace = false;
};
constexpr Form kForms[] = {
    {.name = "nt", .transpose_a = false, .transpose_b = true},
    {.name = "nn", .transpose_a = false, .transpose_b = false},
    {.name = "tn", .transpose_a = true, .transpose_b = false},
    {.name = "tt", .transpose_a = true, .transpose_b = true},
    {.name = "bias-relu",
     .transpose_a = false,
     .transpose_b = true,
     .activation = Activation::kRelu,
     .bias = true},
    {.name = "bias-silu",
     .transpose_a = false,
     .transpose_b = true,
     .activation = Activation::kSilu,
     .bias = true},
    {.name = "bias-gelu-residual",
     .transpose_a = false,
     .transpose_b = true,
     .activation = Activation::kGeluErf,
     .bias = true,
     .residual = true},
    {.name = "gelu_tanh-residual",
     .transpose_a = false,
     .transpose_b = false,
     .activation = Activation::kGeluTanh,
     .residual = true},
    {.name = "batch", .transpose_a = false, .transpose_b = true, .bias = true, .batch = 3},
    {.name = "split",
     .transpose_a = false,
     .transpose_b = true,
     .bias = true,
     .residual = true,
     .batch = 2,
     .workspace = true},
    {.name = "e4m3", .transpose_a = false, .transpose_b = true, .format = 0, .bias = true},
    {.name = "e4m3fnuz", .transpose_a = false, .transpose_b = true, .format = 2, .bias = true},
};

const Form& form_of(const Problem& problem) {
  return kForms[problem.variant];
}
std::int64_t depth_of(const Problem& problem) {
  return problem.depth != 0 ? problem.depth : problem.columns;
}
constexpr std::int64_t kSplits = 3;

// Operands in this order; the matrices of a batch follow each other.
std::vector<Operand> operands_of(const Problem& p) {
  const Form& form = form_of(p);
  const std::int64_t depth = depth_of(p), batch = form.batch;
  const DataType type = form.format < 0 ? p.type : DataType::kF8E4M3;
  const auto matrix = [&](const char* name, bool turned, std::int64_t rows, std::int64_t columns) {
    return Operand{name, Role::kIn, type, batch * (turned ? columns : rows),
                   turned ? rows : columns};
  };
  std::vector<Operand> operands = {
      {"out", Role::kOut, p.type, batch * p.rows, p.columns, verify::Operation::kMatrixProduct},
      matrix("a", form.transpose_a, p.rows, depth),
      matrix("b", form.transpose_b, depth, p.columns)};
  if (form.bias)
    operands.push_back(
        {"bias", Role::kIn, p.type, 1, p.columns, verify::Operation::kCopy, "uniform(0, 2)"});
  if (form.residual) operands.push_back({"residual", Role::kIn, p.type, batch * p.rows, p.columns});
  if (form.workspace)
    operands.push_back(
        {"workspace", Role::kScratch, DataType::kF32, 1, kSplits * batch * p.rows * p.columns});
  if (form.format >= 0) {
    constexpr const char* kScales = "uniform(0.001, 0.02)";
    operands.push_back(
        {"a_scales", Role::kIn, DataType::kF32, p.rows, 1, verify::Operation::kCopy, kScales});
    operands.push_back(
        {"b_scales", Role::kIn, DataType::kF32, 1, 1, verify::Operation::kCopy, kScales});
  }
  return operands;
}

void run_problem(Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
  const Form& form = form_of(problem);
  std::size_t next = 0;
  const auto take = [&](std::int64_t parts) {
    Matrix matrix = operands[next++];
    matrix.rows /= parts;
    return matrix;
  };
  const Matrix out = take(form.batch), a = take(form.batch), b = take(form.batch);
  Gemm gemm_form{.transpose_a = form.transpose_a,
                 .transpose_b = form.transpose_b,
                 // Results of the size of the bias: errors of sums count as they do in use.
                 .scale = 1.0F / std::sqrt(static_cast<float>(depth_of(problem))),
                 .activation = form.activation,
                 .batch = form.batch,
                 .out_step = out.rows * out.stride,
                 .a_step = a.rows * a.stride,
                 .b_step = b.rows * b.stride};
  if (form.bias) gemm_form.bias = take(1);
  if (form.residual) {
    gemm_form.residual = take(form.batch);
    gemm_form.residual_step = gemm_form.residual->rows * gemm_form.residual->stride;
  }
  if (form.workspace) gemm_form.workspace = take(1);
  if (form.format >= 0) {
    gemm_form.format = static_cast<Fp8>(form.format);
    gemm_form.a_scales = take(1);
    gemm_form.b_scales = take(1);
  }
  gemm(kernels, out, a, b, gemm_form, stream);
}

// Every form at sizes that no tile divides, and at multiples of vectors; each layout, too, over the
// edges of the largest tile.
std::vector<Problem> problems() {
  struct Size {
    std::int64_t rows, columns, depth;
    Layout layout;
    unsigned forms;  // the first so many
  };
  constexpr unsigned kAll = std::size(kForms), kLayouts = 4;
  constexpr Size kSizes[] = {
      {1, 1, 1, Layout::kPacked, kAll},       {5, 3, 7, Layout::kUnaligned, kAll},
      {1, 200, 1040, Layout::kPadded, kAll},  {7, 72, 272, Layout::kPacked, kAll},
      {33, 65, 129, Layout::kPadded, kAll},   {80, 96, 640, Layout::kPadded, kAll},
      {264, 272, 176, Layout::kPadded, kAll}, {257, 131, 70, Layout::kUnaligned, kLayouts},
  };
  std::vector<Problem> problems;
  for (const Size& size : kSizes)
    for (const DataType type : element_types())
      for (unsigned form = 0; form < size.forms; ++form)
        problems.push_back({type, size.rows, size.columns, size.layout, form, size.depth});
  return problems;
}

std::string unit_type(int format) {
  return format < 0 ? "-1" : std::to_string(format);
}

void add_tile(std::vector<Instance>& instances, const GemmSymbols& symbols, bool transpose_a,
              bool transpose_b, const GemmTile& tile, bool vectors) {
  const std::string symbol = symbols.tile(transpose_a, transpose_b, tile, vectors);
  for (const Instance& each : instances)
    if (each.symbol == symbol) return;
  instances.push_back(
      {gemm_unit(symbols.type, symbols.format), symbol,
       fmt::format("HIPWRIGHT_GEMM_TILE({}, {}, {}, {:d}, {:d}, {}, {}, {}, {}, {}, {})\n", symbol,
                   verify::short_name(symbols.type), unit_type(symbols.format), !transpose_a,
                   transpose_b, tile.m, tile.n, tile.waves_m, tile.waves_n, tile.size,
                   vectors ? symbols.vector() : 1)});
}

void add_unit(std::vector<Instance>& instances, const GemmSymbols& symbols, const Chip& chip) {
  const std::string unit = gemm_unit(symbols.type, symbols.format);
  const std::string_view type = verify::short_name(symbols.type);
  const GemmTiles& tiles = gemm_tiles(chip);
  for (const bool transpose_a : {false, true})
    for (const bool transpose_b : {true, false}) {
      const bool turned = transpose_a || !transpose_b;
      if (symbols.format >= 0 && turned) continue;
      add_tile(instances, symbols, transpose_a, transpose_b, turned ? tiles.turned : tiles.large,
               true);
      add_tile(instances, symbols, transpose_a, transpose_b, tiles.small, true);
      add_tile(instances, symbols, transpose_a, transpose_b, tiles.small, false);
    }
  for (const unsigned rows : kSkinnyRows)
    instances.push_back(
        {unit, symbols.skinny(rows),
         fmt::format("HIPWRIGHT_GEMM_SKINNY({}, {}, {}, {}, {})\n", symbols.skinny(rows), type,
                     unit_type(symbols.format), rows, kSkinnyWaves)});
  for (const bool vectors : {false, true})
    instances.push_back(
        {unit, symbols.finish(vectors),
         fmt::format("HIPWRIGHT_GEMM_FINISH({}, {}, {}, {})\n", symbols.finish(vectors), type,
                     vectors ? symbols.vector() : 1, kFinishThreads)});
}

std::vector<Instance> instances(const Chip& chip) {
  std::vector<Instance> instances;
  for (const DataType type : element_types())
    for (const int format : {-1, static_cast<int>(Fp8::kE4M3), static_cast<int>(Fp8::kE4M3Fnuz)})
      add_unit(instances, {type, format}, chip);
  return instances;
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> names;
  for (const Form& form : kForms) names.push_back(form.name);
  return names;
}

}  // namespace

Op gemm() {
  return {.name = "gemm",
          .summary = "out = activation(scale · a · b + bias) + residual",
          .variants = names(),
          .operands = operands_of,
          .run = run_problem,
          .parts = {"activation", "matrix", "tiles", "gemm_arguments"},
          .instances = instances,
          .problems = problems,
          .terms = depth_of};
}

}  // namespace hipwright::kernels
