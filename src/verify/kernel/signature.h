// SPDX-License-Identifier: MIT
// What a kernel takes, by its source or by its code object's metadata, and whether a spec gives it
// that: HIP itself reads whatever lies behind a wrong argument.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/kernel/spec.h"

namespace hipwright::verify {

struct Mismatch {
  std::optional<std::size_t> argument;  // of the spec; nothing: their number is wrong
  std::string why;
};

// How the arguments differ from what the kernel takes. Nothing: they fit, or only a compiler could
// tell (types of headers elsewhere, instances of templates); a launch compares sizes in any case.
Result<std::optional<Mismatch>> signature_mismatch(const KernelSpec& spec);

}  // namespace hipwright::verify
