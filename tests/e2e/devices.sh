#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright devices: what there is, and why there is not more.
. "$(dirname "$0")/lib.sh"
needs python3
unset HIPWRIGHT_DEVICE HIPWRIGHT_HIP HIPWRIGHT_SOFT_LIBRARY HIPWRIGHT_SOFT_TARGET

expect_ok hipwright devices
expect_output "cpu " "gfx942" "gfx1201" "programs use "

expect_ok hipwright devices --json
python3 - "$last" <<'END2' || fail "the JSON is not right"
import json, sys
found = json.load(open(sys.argv[1]))
kinds = {device["kind"] for device in found["devices"]} | {absent["kind"] for absent in found["absent"]}
assert kinds == {"hip", "cuda", "cpu"}, kinds
assert all(absent["why"] for absent in found["absent"])
assert found["soft"]["available"] and "gfx942" in found["soft"]["targets"]
assert found["chosen"]["device"] in [device["id"] for device in found["devices"]]
cpu = [device for device in found["devices"] if device["id"] == "cpu"][0]
assert cpu["memory_bytes"] > 0 and cpu["compute_units"] > 0
END2

# One kind, one device.
expect_ok hipwright devices --device cpu
[ "$(wc -l <"$last")" = 2 ] || fail "more than the cpu"
expect_ok hipwright devices --device soft:gfx942,gfx1100
expect_output "gfx942:sramecc+:xnack-" "5300 GB/s" "software GPU" "soft:gfx1100" "960 GB/s"

# Reasons.
expect_ok env HIPWRIGHT_HIP=/nowhere/libamdhip64.so "$HIPWRIGHT" devices
expect_output "no hip: no HIP runtime found" "/nowhere/libamdhip64.so"
expect_exit 2 env HIPWRIGHT_HIP=/nowhere/libamdhip64.so "$HIPWRIGHT" devices --device hip
expect_output "cannot open an AMD GPU" "set HIPWRIGHT_HIP"
expect_exit 2 hipwright devices --device soft:gfx1010
expect_output "gfx1010" "gfx1100"
expect_exit 2 hipwright devices --device gpu
expect_output "unknown kind of device"

# Two devices of one HIP library: the software GPU's under AMD's name.
soft=$(dirname "$HIPWRIGHT")/../lib/hipwright/libhipwright_soft.so
if ! grep -q '^HIPWRIGHT_SANITIZE:[A-Z]*=.' "$BUILD_DIR/CMakeCache.txt"; then
  export HIPWRIGHT_HIP=$soft HIPWRIGHT_SOFT_TARGET=gfx942,gfx90a
  expect_ok hipwright devices
  expect_output "hip:0" "hip:1" "gfx90a" "programs use hip:0"
  expect_ok env HIPWRIGHT_DEVICE=hip:1 "$HIPWRIGHT" devices
  expect_output "programs use hip:1 (HIPWRIGHT_DEVICE=hip:1)"
  expect_ok hipwright devices --device hip:1
  expect_output "hip:1"
  ! grep -q "hip:0" "$last" || fail "hip:0 was not asked for"
  expect_exit 2 hipwright devices --device hip:2
  expect_output "there are 2 hip devices"
fi
finish
