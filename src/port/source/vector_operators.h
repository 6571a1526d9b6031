// SPDX-License-Identifier: MIT
// Operators that a program defines for CUDA's vector types. CUDA's are plain structs; HIP's have
// operators, and with a second one of the same parameters every use is ambiguous.
#pragma once

#include "syntax/cuda/file.h"

namespace hipwright::port {

enum class VectorOperator {
  kNone,  // none, or one that goes before HIP's
  kSame,  // HIP's does the same, component by component
  kOther  // it fits as well as HIP's, and does something else (or that cannot be told)
};

VectorOperator vector_operator(const syntax::cuda::File& file,
                               const syntax::cuda::Function& function);

}  // namespace hipwright::port
