// SPDX-License-Identifier: MIT
// Kernels may race on their own memory, or synchronise by loads that are plain on the host as they
// are on the hardware. What instructions do to memory is no race of ours; all else is.
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_suppressions() {
  return "race_top:hipwright::soft::avx2::\n"
         "race_top:hipwright::soft::generic::\n";
}
#endif
