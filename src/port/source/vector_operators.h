// SPDX-License-Identifier: MIT
// Operators that a program defines for CUDA's vector types. CUDA's are plain structs; HIP's define
// operators, and a second one with the same parameters makes every use ambiguous.
#pragma once

#include <cstddef>
#include <string_view>

#include "syntax/cuda/file.h"

namespace hipwright::port {

enum class VectorOperator {
  kNone,   // none, or one that takes precedence over HIP's
  kSame,   // HIP's does the same, component by component
  kOther,  // it matches as well as HIP's and has another or an unknown meaning
  // For a vector and a scalar: it takes precedence over HIP's only for the scalar's own type, and
  // has another meaning. For 2 or 0.5 instead of a float, HIP's would be used silently.
  kOtherByScalar,  // vector, scalar
  kOtherOfScalar   // scalar, vector
};

VectorOperator vector_operator(const syntax::cuda::File& file,
                               const syntax::cuda::Function& function);

struct ReadVectorOperator {
  VectorOperator kind = VectorOperator::kNone;
  std::string_view sign;    // "+="
  std::string_view vector;  // its type, as the program calls it
};
ReadVectorOperator read_vector_operator(const syntax::cuda::File& file,
                                        const syntax::cuda::Function& function);

// The number of components of a type; 0 if it is not a vector type.
std::size_t vector_components(std::string_view type);

// The macros of compat.h that make a program's operator take precedence over HIP's.
inline constexpr std::string_view kOwnOperator = "HIP_COMPAT_OWN_OPERATOR";
inline constexpr std::string_view kOwnAssignment = "HIP_COMPAT_OWN_ASSIGNMENT";

}  // namespace hipwright::port
