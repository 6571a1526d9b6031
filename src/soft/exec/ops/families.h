// SPDX-License-Identifier: MIT
// The operation families of each SIMD level.
#pragma once

#include <functional>
#include <span>

#include "soft/exec/inst.h"

namespace hipwright::soft {

namespace generic {
void for_each_family(const std::function<void(std::span<const Op>)>& visit);
}
namespace avx2 {
void for_each_family(const std::function<void(std::span<const Op>)>& visit);
}

}  // namespace hipwright::soft
