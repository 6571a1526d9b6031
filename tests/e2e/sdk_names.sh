#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the SDK and the tables say of ROCm's releases, against the distribution's packages: symbols of the runtime with their versions, names in HIP's
# headers, and the libraries' names. Downloads 90 MB, so it runs with ./test --full alone, or where an earlier run has left the packages.
. "$(dirname "$0")/lib.sh"
needs clang++-22 apt-get dpkg-deb nm python3
packages=${HIPWRIGHT_TEST_PACKAGES:-$BUILD_DIR/rocm-packages}
[ -n "${HIPWRIGHT_TEST_FULL:-}" ] || [ -e "$packages/complete" ] || not_run "the packages are not there (./test --full downloads 90 MB)"
python3 "$(dirname "$0")/sdk_names.py" get "$packages" >"$scratch/got" 2>&1 || not_run "$(tail -1 "$scratch/got")"
last=$scratch/last
for library in blas blaslt fft rand sparse solver dnn nccl cub wmma; do
  expect_ok hipwright api --list --library $library --json
  cp "$last" "$scratch/api_$library.json"
done
for release in 5.7 6.4 7.2; do
  # Programs of 5.7 run on the software GPU; the SDK does not declare it.
  prefix=/nowhere
  [ $release = 5.7 ] || prefix=$(hipwright sdk path --rocm $release)
  expect_ok python3 "$(dirname "$0")/sdk_names.py" compare "$packages" $release "$prefix" "$(dirname "$HIPWRIGHT")/../lib/hipwright/libhipwright_soft.so" "$scratch"
  cat "$last"
done
finish
