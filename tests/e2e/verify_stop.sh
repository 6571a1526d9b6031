#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Stopped by a signal, verification prints what it has found until then and exits with 130. The second program sends the signal itself.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22

mkdir "$scratch/tree"
cat >"$scratch/tree/a_quick.hip" <<'END'
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void fill(int* to) { *to = 3; }
int main() {
  int* to;
  if (hipMalloc(&to, sizeof(int)) != hipSuccess) return 1;
  fill<<<1, 1>>>(to);
  int got = 0;
  if (hipMemcpy(&got, to, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%s\n", got == 3 ? "PASS" : "FAIL");
  return got != 3 || hipFree(to) != hipSuccess;
}
END
cat >"$scratch/tree/b_waits.hip" <<'END'
#include <hip/hip_runtime.h>
#include <signal.h>
#include <unistd.h>
#include <cstdlib>
__global__ void nothing() {}
int main() {
  nothing<<<1, 1>>>();
  kill(std::atoi(std::getenv("VERIFY")), SIGINT);
  for (;;) pause();
}
END
# shellcheck disable=SC2016  # for the inner shell, which becomes the tool
verify() { bash -c 'export VERIFY=$$; exec "$@"' verify "$HIPWRIGHT" verify "$scratch/tree" --arch gfx942 --device soft:gfx942 --schedules 0 "$@"; }

expect_exit 130 verify
expect_output 'program a_quick' 'stopped before they were made'
grep -qE '^functional +not checked +2 passed, 0 failed, ' "$last" || fail "what was found before the signal is missing, or an ended program is a failure"
expect_exit 130 verify --json
finish
