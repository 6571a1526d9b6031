// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "kernels/call.h"
#include "kernels/state.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

namespace {

constexpr unsigned kThreads = 256, kSquaresOfTile = 64;
constexpr std::int64_t kMostBlocks = 0x7fffffff;

bool is_aligned(const ConstMatrix& m) {
  const auto size = static_cast<std::int64_t>(size_of(m.type));
  return reinterpret_cast<std::uintptr_t>(m.data) % 16 == 0 && m.columns * size % 16 == 0 &&
         (m.rows <= 1 || m.stride * size % 16 == 0);
}

}  // namespace

void transpose(Kernels& kernels, const Matrix& out, const ConstMatrix& x, const Stream& stream) {
  Call call(kernels, "transpose", "x", x);
  call.expect("x", x, {{x.type}, x.rows, x.columns})
      .expect("out", out, {{x.type}, x.columns, x.rows});
  if (x.rows == 0 || x.columns == 0) return;
  Kernels::State& state = kernels.state();
  const Op& op = *find_op("transpose");
  const KernelArgument arguments[] = {
      {&out.data, sizeof out.data}, {&out.stride, sizeof out.stride},
      {&x.data, sizeof x.data},     {&x.stride, sizeof x.stride},
      {&x.rows, sizeof x.rows},     {&x.columns, sizeof x.columns},
  };
  if (state.on_cpu) {
    constexpr std::int64_t kElements = 1 << 14;
    const auto shares =
        static_cast<unsigned>(std::min<std::int64_t>(x.rows * x.columns / kElements + 1, 4096));
    return state.utilities.launch_with(state.cpu_kernel(op, x.type), {shares}, {1}, 0, stream,
                                       arguments);
  }
  const unsigned vector =
      is_aligned(out) && is_aligned(x) ? 16 / static_cast<unsigned>(size_of(x.type)) : 1;
  const std::int64_t side = 8 * vector;
  const std::int64_t tiles = ((x.rows + side - 1) / side) * ((x.columns + side - 1) / side);
  constexpr std::int64_t kOfBlock = kThreads / kSquaresOfTile;
  const std::int64_t blocks = (tiles + kOfBlock - 1) / kOfBlock;
  if (blocks > kMostBlocks) call.reject("x", "is too large", "Call it for a part at a time.");
  const std::string symbol = fmt::format("transpose_{}_{}", verify::short_name(x.type), vector);
  state.utilities.launch_with(state.gpu_kernel(op, "", symbol), {static_cast<unsigned>(blocks)},
                              {kThreads}, 0, stream, arguments);
}

}  // namespace hipwright::kernels
