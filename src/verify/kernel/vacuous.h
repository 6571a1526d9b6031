// SPDX-License-Identifier: MIT
// Results that prove nothing, although all devices agree on them.
#pragma once

#include <string>

#include "verify/kernel/cell.h"

namespace hipwright::verify {

// Why: each output is as it was before the launch, or all NaN. Empty: there is something to
// compare.
Result<std::string> why_vacuous(const KernelSpec& spec, std::uint64_t seed,
                                const CellResult& result);

}  // namespace hipwright::verify
