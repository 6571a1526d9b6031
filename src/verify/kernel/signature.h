// SPDX-License-Identifier: MIT
// Checks a spec's arguments against the kernel's source or its code object's metadata. HIP does not
// check them: it reads whatever follows a wrong argument.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/kernel/spec.h"

namespace hipwright::verify {

struct Mismatch {
  std::optional<std::size_t> argument;  // of the spec; empty: the number of arguments is wrong
  std::string why;
};

// How the arguments differ from the kernel's parameters. Empty: they fit, or only a compiler could
// tell (types from other headers, template instances); a launch still compares sizes.
Result<std::optional<Mismatch>> signature_mismatch(const KernelSpec& spec);

}  // namespace hipwright::verify
