#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# RDNA with 64-lane waves, as OpenCL, Mesa and Triton use it: whole programs give the right answer
# and no finding. HIP's own headers refuse this mode (and must go on doing so); for the test the
# refusal is taken out of a copy.
. "$(dirname "$0")/lib.sh"
needs clang++-22
if grep -q '^HIPWRIGHT_SANITIZE:[A-Z]*=.' "$BUILD_DIR/CMakeCache.txt"; then
  not_run "a sanitizer's runtime cannot be preloaded into other programs"
fi
examples=$SOURCE_DIR/examples
targets="gfx1100 gfx1201"

expect_exit 1 hipwright -q cc --arch gfx1100 -mwavefrontsize64 -o "$scratch/refused" "$examples/scan/scan.hip"
expect_output "compile this target without -mwavefrontsize64"

mkdir -p "$scratch/include/hip"
header=hip/hip_runtime.h
sed '/^#if __HW_ROCM .*__HIP_DEVICE_COMPILE__/,/^#endif/d' "$SOURCE_DIR/sdk/include/$header" >"$scratch/include/$header"
cmp -s "$SOURCE_DIR/sdk/include/$header" "$scratch/include/$header" && fail "the refusal is not where it was"

# passes SOURCE TARGET…: right on each, and silent under the checks
passes() {
  local source=$1 program target
  program=$scratch/$(basename "$source" .hip)
  shift
  compile --arch "$(IFS=,; echo "$*")" -mwavefrontsize64 "-I$scratch/include" \
    -Wall -Wextra -Werror -O2 -o "$program" "$source"
  for target in "$@"; do
    expect_ok hipwright run --check --device "soft:$target" -- "$program"
    expect_output PASS
    [ ! -s "$last.err" ] || fail "a finding in $program on $target: $(cat "$last.err")"
  done
}

# shellcheck disable=SC2086  # one word per target
passes "$SOURCE_DIR/tests/fixtures/wave64/wave64.hip" $targets
for program in cooperative_groups attention; do
  # shellcheck disable=SC2086
  passes "$examples/$program/$program.hip" $targets
done
# HIP's shuffles are ds_bpermute, which crosses the halves of a wave on gfx12 only.
for program in reductions scan softmax; do
  passes "$examples/$program/$program.hip" gfx1201
done
finish
