// SPDX-License-Identifier: MIT
// Cube maps: which of the six faces a direction (x, y, z) meets, and where.
#include <cmath>

#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kF = Type::kF32;

// The axis of the greatest magnitude; of equal ones z wins, then y.
bool is_z(float x, float y, float z) {
  return std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y);
}
bool is_y(float x, float y) {
  return std::fabs(y) >= std::fabs(x);
}

constexpr auto kFace = [](float x, float y, float z) {
  if (is_z(x, y, z)) return z < 0 ? 5.0F : 4.0F;
  if (is_y(x, y)) return y < 0 ? 3.0F : 2.0F;
  return x < 0 ? 1.0F : 0.0F;
};
constexpr auto kMajorAxis = [](float x, float y, float z) {
  return 2.0F * (is_z(x, y, z) ? z : is_y(x, y) ? y : x);
};
constexpr auto kS = [](float x, float y, float z) {
  if (is_z(x, y, z)) return z < 0 ? -x : x;
  if (is_y(x, y)) return x;
  return x < 0 ? z : -z;
};
constexpr auto kT = [](float x, float y, float z) {
  if (is_z(x, y, z)) return -y;
  if (is_y(x, y)) return y < 0 ? -z : z;
  return -y;
};

constexpr Op kOps[] = {
    vector_op<kF, kF, kF, kF>("v_cubeid_f32", kFace),
    vector_op<kF, kF, kF, kF>("v_cubema_f32", kMajorAxis),
    vector_op<kF, kF, kF, kF>("v_cubesc_f32", kS),
    vector_op<kF, kF, kF, kF>("v_cubetc_f32", kT),
};

}  // namespace

std::span<const Op> cube_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
