// SPDX-License-Identifier: MIT
// Uses of CUTLASS, and their counterparts in Composable Kernel.
#pragma once

#include <string_view>

namespace hipwright::port {

// The counterpart of a qualified name ("cutlass::gemm::device::Gemm", "cute::make_layout"); empty
// if unknown.
std::string_view composable_kernel_counterpart(std::string_view cutlass_name);

}  // namespace hipwright::port
