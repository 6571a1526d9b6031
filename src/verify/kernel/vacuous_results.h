// SPDX-License-Identifier: MIT
// Results that prove nothing even if all devices agree.
#pragma once

#include <string>

#include "verify/kernel/cell.h"

namespace hipwright::verify {

// The reason: every output is unchanged by the launch, or all NaN. Empty: there is something to
// compare.
Result<std::string> why_vacuous(const KernelSpec& spec, std::uint64_t seed,
                                const CellResult& result);

}  // namespace hipwright::verify
