// SPDX-License-Identifier: MIT
// What a kernel takes, by its source or by its code object's metadata, and whether a spec gives it
// that: HIP itself reads whatever lies behind a wrong argument.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"
#include "verify/kernel/spec.h"

namespace hipwright::verify {

struct Parameter {
  std::string name, spelled;  // "float", without const, *, __restrict__
  bool is_pointer = false, is_const = false;
  bool is_plain = true;  // neither a template, a macro, a pointer to pointers nor the like
};

std::vector<Parameter> parameters_of(const syntax::cuda::File& file,
                                     const syntax::cuda::Function& function);
// "f32" of "float"; empty: not a type that a spec has.
std::string_view type_of(std::string_view spelled);

struct Mismatch {
  std::optional<std::size_t> argument;  // of the spec; nothing: their number is wrong
  std::string why;
};

// How the arguments differ from what the kernel takes. Nothing: they fit, or only a compiler could
// tell (typedefs, structs, kernels of headers); a launch compares sizes in any case.
Result<std::optional<Mismatch>> signature_mismatch(const KernelSpec& spec);

}  // namespace hipwright::verify
