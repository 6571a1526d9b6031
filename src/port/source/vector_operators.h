// SPDX-License-Identifier: MIT
// Operators that a program defines for CUDA's vector types. CUDA's are plain structs; HIP's have
// operators, and with a second one of the same parameters every use is ambiguous.
#pragma once

#include <string_view>

#include "syntax/cuda/file.h"

namespace hipwright::port {

enum class VectorOperator {
  kNone,   // none, or one that goes before HIP's
  kSame,   // HIP's does the same, component by component
  kOther,  // it fits as well as HIP's, and does something else (or that cannot be told)
  // Of a vector and a scalar: it goes before HIP's for the scalar's own type only, and does
  // something else. For 2 or 0.5 where float is meant HIP's would be taken, without a word.
  kOtherByScalar,  // vector, scalar
  kOtherOfScalar   // scalar, vector
};

VectorOperator vector_operator(const syntax::cuda::File& file,
                               const syntax::cuda::Function& function);

// The macros of compat.h that put an operator of the program before HIP's.
inline constexpr std::string_view kOwnOperator = "HIP_COMPAT_OWN_OPERATOR";
inline constexpr std::string_view kOwnAssignment = "HIP_COMPAT_OWN_ASSIGNMENT";

}  // namespace hipwright::port
