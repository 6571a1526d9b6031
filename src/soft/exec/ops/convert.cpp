// SPDX-License-Identifier: MIT
#include "soft/exec/ops/ops.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

std::span<const Op> convert_ops() {
  return {};
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
