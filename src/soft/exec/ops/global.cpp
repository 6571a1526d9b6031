// SPDX-License-Identifier: MIT
#include "soft/exec/ops/ops.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

std::span<const Op> global_ops() {
  return {};
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
