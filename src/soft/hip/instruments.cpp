// SPDX-License-Identifier: MIT
#include "soft/hip/instruments.h"

namespace hipwright::soft::hip {

Result<Instruments> make_instruments(const Config& config, const Memory&) {
  if (config.check) return fail("cannot check", "HIPWRIGHT_SOFT_CHECK", "this build has no checks");
  if (!config.report.empty())
    return fail("cannot report", "HIPWRIGHT_SOFT_REPORT", "this build has no reports");
  return Instruments{};
}

}  // namespace hipwright::soft::hip
