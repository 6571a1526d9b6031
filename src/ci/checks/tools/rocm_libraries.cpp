// SPDX-License-Identifier: MIT
// Libraries that builds of PyTorch extensions link. There is no package rocblaslt: the library is
// hipBLASLt.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

struct Library {
  const char* soname;
  const char* package;
};
constexpr Library kLibraries[] = {{"libamdhip64.so", "hip-runtime-amd"},
                                  {"librocblas.so", "rocblas"},
                                  {"libhipblaslt.so", "hipblaslt"},
                                  {"libhipfft.so", "hipfft"}};

void run(Checkup& c) {
  std::string missing, packages;
  for (const Library& library : kLibraries) {
    if (c.facts.libraries.contains(library.soname)) continue;
    missing += (missing.empty() ? "" : ", ") + std::string(library.soname);
    packages += std::string(" ") + library.package;
  }
  if (missing.empty()) return c.pass("libamdhip64, librocblas, libhipblaslt, libhipfft");
  c.need("not found: " + missing,
         fmt::format("sudo apt-get install{}; libraries elsewhere: set ROCM_EXTRA_LIB_DIRS and "
                     "LD_LIBRARY_PATH",
                     packages));
}

}  // namespace

Check rocm_libraries() {
  return {.name = "rocm-libraries", .title = "ROCm libraries", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
