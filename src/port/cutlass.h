// SPDX-License-Identifier: MIT
// Where CUTLASS is used, and what Composable Kernel has in its place.
#pragma once

#include <string_view>

namespace hipwright::port {

// Of a qualified name ("cutlass::gemm::device::Gemm", "cute::make_layout"); empty: none is known.
std::string_view composable_kernel_counterpart(std::string_view cutlass_name);

}  // namespace hipwright::port
