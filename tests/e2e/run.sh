#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright run puts unmodified HIP programs on the software GPU: every part of the runtime API
# that they use, on each target, and clear words when something cannot be.
. "$(dirname "$0")/lib.sh"
needs clang++-22 python3
targets="gfx942 gfx90a gfx1100 gfx1201"
fixtures=$SOURCE_DIR/tests/fixtures/run
if grep -q '^HIPWRIGHT_SANITIZE:[A-Z]*=.' "$BUILD_DIR/CMakeCache.txt"; then
  not_run "a sanitizer's runtime cannot be preloaded into other programs"
fi

build() { compile --arch "${targets// /,}" -O2 -Wall -Werror -o "$scratch/$(basename "$1" .hip)" "$1"; }
# run DEVICE PROGRAM…: passes its own check
run() {
  local device=$1
  shift
  expect_ok hipwright run --device "soft:$device" -- "$@"
  expect_output PASS
}

for source in "$SOURCE_DIR"/examples/{vector_add,wave_features}/*.hip "$fixtures"/*.hip; do
  case $source in */module_kernels.hip | */overrun.hip | */aiter.hip) ;; *) build "$source" ;; esac
done

for target in $targets; do
  for program in vector_add wave_features memory streams threads cooperative device_malloc rtc; do
    run $target "$scratch/$program"
  done

  run $target "$scratch/printf"
  expect_output "block 0:    42|42   |000ff|z|%|text of more than one packet, which takes several messages to send|abc|   3.142|1e+100|-1234567890123|200" \
    "block 1: " "lane 0" "lane 2" "    42|2.72" "length 12"

  # The program handles the errors; the run has failed all the same.
  expect_exit 98 hipwright run --device "soft:$target" -- "$scratch/assert"
  expect_output PASS
  grep -q "assert.hip:8: .*Device-side assertion \`values\[threadIdx.x\] > 0' failed" "$last" || fail "no message of the assertion"

  expect_exit 98 hipwright run --device "soft:$target" -- "$scratch/fault"
  expect_output PASS
  equal "the last line" "$(tail -n 1 "$last")" "hipwright: the run failed: invalid memory access in kernel spill(int*, int)"
  for text in "spill(int*, int)" "store of 4 bytes" "after the end of the allocation of 4096 bytes" "workgroup (0, 0, 0)" lane; do
    grep -qF "$text" "$last" || fail "the fault's message lacks: $text"
  done

  # Modules: a bare code object, a bundle, a compressed bundle.
  compile --arch $target -O2 --cuda-device-only --no-gpu-bundle-output -o "$scratch/kernels.co" "$fixtures/module_kernels.hip"
  compile --arch $target,gfx1030 -O2 --cuda-device-only --gpu-bundle-output -o "$scratch/kernels.hipfb" "$fixtures/module_kernels.hip"
  compile --arch $target,gfx1030 -O2 --cuda-device-only --gpu-bundle-output --offload-compress -o "$scratch/kernels.ccob" "$fixtures/module_kernels.hip"
  for file in kernels.co kernels.hipfb kernels.ccob; do run $target "$scratch/module" "$scratch/$file"; done
done

# A kernel that stops fails the run, though the program ignores every error.
failed_run() {
  local status=$1 way=$2
  shift 2
  expect_exit "$status" hipwright run --step-limit 200000 "$@" -- "$scratch/ignored" "$way"
  tail -n 1 "$last" | grep -q '^hipwright: the run failed: ' || fail "$way $*: the last line is $(tail -n 1 "$last")"
}
for target in gfx942 gfx1100; do
  for way in trap assert abort jump halt loop; do
    failed_run 98 $way --device "soft:$target"
    failed_run 98 $way --device "soft:$target" --check
  done
  # These are findings, too.
  for way in recursion atomic; do
    failed_run 98 $way --device "soft:$target"
    failed_run 99 $way --device "soft:$target" --check
  done
done
expect_exit 99 hipwright run --check -- "$scratch/ignored" atomic
expect_output "error: misaligned-atomic"
# What was found until a signal arrives is not lost.
for signal in INT TERM; do
  mkfifo "$scratch/started.$signal"
  # Shells start programs in the background with SIGINT ignored.
  python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
    "$HIPWRIGHT" run --check -- "$scratch/ignored" signal >"$scratch/started.$signal" 2>"$scratch/signal.err" &
  read -r word <"$scratch/started.$signal"
  equal "the kernel's sign" "$word" started
  kill -$signal $!
  code=0
  wait $! || code=$?
  equal "the status after SIG$signal" "$code" "$((128 + $(kill -l $signal)))"
  for text in "error: out-of-bounds" "the checks found 1 error"; do
    grep -qF "$text" "$scratch/signal.err" || fail "after SIG$signal: no '$text' in $(cat "$scratch/signal.err")"
  done
done
expect_exit 2 hipwright run --step-limit -1 -- true

# Several devices, of one target or of two. One launch fails on purpose, which `run` reports.
for devices in gfx942,gfx942 gfx942,gfx1100 gfx1201,gfx90a,gfx1201; do
  expect_exit 98 hipwright run --device "soft:$devices" -- "$scratch/devices"
  expect_output PASS "a null pointer"
done
expect_exit 2 hipwright run --device soft:gfx942, -- true
# ROCm's variables hide and order them.
HIP_VISIBLE_DEVICES=2,0 expect_exit 98 hipwright run --device soft:gfx942,gfx90a,gfx1100 -- "$scratch/devices"
expect_output "0: gfx1100" "1: gfx942" PASS
ROCR_VISIBLE_DEVICES=1,2 CUDA_VISIBLE_DEVICES=1,0,7 expect_exit 98 hipwright run --device soft:gfx942,gfx90a,gfx1100 -- "$scratch/devices"
expect_output "0: gfx1100" "1: gfx90a" PASS
HIP_VISIBLE_DEVICES=-1 expect_exit 1 hipwright run -- "$scratch/devices"
expect_output "HIP_VISIBLE_DEVICES=-1 hides all devices" hipErrorNoDevice

# Schedules change the order, never the result.
for schedule in deterministic random:1 random:2; do
  expect_ok hipwright run --schedule $schedule -- "$scratch/cooperative"
  expect_output PASS
done
# Streams that are not joined and memory that nobody wrote show under a random schedule only.
for way in joined without_event non_blocking pinned_copy managed fresh; do
  run gfx942 "$scratch/late" $way
done
for target in gfx942 gfx1100; do
  expect_ok hipwright run --device soft:$target --schedule random:1 -- "$scratch/late" joined
  for way in without_event non_blocking pinned_copy managed fresh; do
    expect_exit 1 hipwright run --device soft:$target --schedule random:1 -- "$scratch/late" $way
    expect_output FAIL
  done
done
expect_ok hipwright run --schedule random:3 -- "$scratch/streams"
# Memory, events and pools of two processes.
run gfx942 "$scratch/processes" gated
expect_ok hipwright run --check -- "$scratch/processes"
expect_ok hipwright run --schedule random:1 -- "$scratch/processes"
# Launches that do nothing.
expect_exit 1 hipwright run --no-kernels -- "$scratch/late" joined
expect_ok hipwright run --check --no-kernels -- "$scratch/child"
# Every process has its own report.
expect_ok hipwright run --check --report "$scratch/child.json" -- "$scratch/child"
grep -q '"findings": \[\]' "$scratch/child.json" || fail "the parent has no finding"
grep -q 'out-of-bounds' "$scratch"/child.[0-9]*.json || fail "the child's finding is lost"
expect_ok hipwright run --schedule deterministic -- "$scratch/printf"
equal "the first line of a deterministic run" "$(head -c 7 "$last")" "block 0"

# A compressed fat binary inside the program.
compile --arch gfx942 --offload-compress -o "$scratch/packed" "$SOURCE_DIR/examples/vector_add/vector_add.hip"
run gfx942 "$scratch/packed"

# Checks: silent on what is right, located and with a status of their own on what is not.
expect_ok hipwright run --check --report "$scratch/clean.json" -- "$scratch/vector_add"
[ ! -s "$last.err" ] || fail "a finding in vector_add: $(cat "$last.err")"
compile --arch gfx942 -g -O2 -o "$scratch/overrun" "$fixtures/overrun.hip"
expect_exit 99 hipwright run --check --report "$scratch/overrun.json" -- "$scratch/overrun"
expect_output "out-of-bounds" "shift(int const*, int*, int)" "overrun.hip:7" "load of 4 bytes" "the checks found 1 error"
expect_exit 99 hipwright run --check --report "$scratch/overrun.html" -- "$scratch/overrun"
python3 - "$scratch" <<'END' || fail "the reports are not right"
import json, sys
clean, bad = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("clean", "overrun"))
assert clean["findings"] == [] and clean["checked"] and clean["target"].startswith("gfx942")
assert clean["kernels"][0]["kernel"].startswith("vector_add(") and clean["kernels"][0]["instructions"]["total"] > 1000
assert clean["kernels"][0]["target"] == "gfx942" and "clang version 22" in clean["kernels"][0]["producer"]
assert clean["kernels"][0]["occupancy"]["waves_per_simd"] == 8 and clean["kernels"][0]["occupancy"]["limited_by"] == []
assert len(bad["findings"]) == 1
page = open(f"{sys.argv[1]}/overrun.html").read()
assert page.startswith("<!doctype html>") and "shift(int const*, int*, int)" in page and "out-of-bounds" in page
assert "of 8 waves per SIMD" in page
END
# Device malloc and printf are not the program's business.
for target in gfx942 gfx1100; do
  for program in device_malloc printf; do
    expect_ok hipwright run --check --device "soft:$target" -- "$scratch/$program"
    [ ! -s "$last.err" ] || fail "a finding in $program on $target: $(cat "$last.err")"
  done
done
# An LLVM that is not the pinned one: said, and nothing runs.
echo 'void LLVMGetVersion(unsigned* a, unsigned* b, unsigned* c) { *a = 21; *b = 1; *c = 8; }' >"$scratch/other.c"
expect_ok clang-22 -shared -fPIC -o "$scratch/other.so" "$scratch/other.c"
expect_exit 1 env LD_PRELOAD="$scratch/other.so" "$HIPWRIGHT" run -- "$scratch/vector_add"
expect_output "cannot decode AMD machine code: hipwright needs LLVM 22.x, found 21.1.8"
# Checks are switched one by one.
expect_exit 99 hipwright run --check=races,bounds -- "$scratch/overrun"
expect_ok hipwright run --check=-bounds -- "$scratch/overrun"
expect_exit 2 hipwright run --check=bound -- "$scratch/overrun"
expect_output "unknown check 'bound'. Choose all, registers"
for schedule in random:x random: random:99999999999999999999999 fifo; do
  expect_exit 2 hipwright run --schedule $schedule -- "$scratch/overrun"
  expect_output "Choose parallel, deterministic or random:SEED"
done
expect_exit 2 hipwright run --report "$scratch/none/out.json" -- "$scratch/overrun"
expect_output "cannot write '$scratch/none/out.json': No such file or directory"
# Without checks the page that the buffer ends in is there, as on hardware.
expect_ok hipwright run -- "$scratch/overrun"
equal "what a run without checks says" "$(cat "$last.err")" ""

# What is not there names itself, once.
run gfx942 "$scratch/missing"
equal "mentions of the missing call" "$(grep -c 'hipImportExternalSemaphore is not implemented by the software GPU' "$last.err")" 1

# Every release's library by its own name, with its symbol versions; both layouts of the properties.
cat >"$scratch/names.py" <<'END'
import ctypes, sys
for release in "567":
    hip = ctypes.CDLL(f"libamdhip64.so.{release}")
    count = ctypes.c_int()
    assert hip.hipGetDeviceCount(ctypes.byref(count)) == 0 and count.value == 1
    for function, offset in (("hipGetDevicePropertiesR0600", 0), ("hipGetDeviceProperties", 0)):
        properties = ctypes.create_string_buffer(4096)
        assert getattr(hip, function)(properties, 0) == 0
        assert properties.value == b"AMD Radeon RX 7900 XTX (hipwright software GPU)", properties.value
        assert b"gfx1100" in properties.raw
    rtc = ctypes.CDLL(f"libhiprtc.so.{release}")
    major, minor = ctypes.c_int(), ctypes.c_int()
    assert rtc.hiprtcVersion(ctypes.byref(major), ctypes.byref(minor)) == 0 and major.value == 6
    libc = ctypes.CDLL(None)
    libc.dlvsym.restype = ctypes.c_void_p
    libc.dlvsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
    for name, version in ((b"hipMalloc", b"hip_4.2"), (b"hipMallocAsync", b"hip_5.1"),
                          (b"hipGetDevicePropertiesR0600", b"hip_6.0"), (b"hipLaunchKernelExC", b"hip_6.5")):
        assert libc.dlvsym(hip._handle, name, version), (name, version)
print("PASS")
END
run gfx1100 python3 "$scratch/names.py"

# The exit status is the program's own; signals too.
expect_exit 3 hipwright run -- bash -c 'exit 3'
expect_exit 2 hipwright run -- "$scratch/no-such-program"
# The program's own options stay its own.
expect_ok hipwright run -- echo --device x --check
equal "the program's words" "$(cat "$last")" "--device x --check"

# Wrong devices.
expect_exit 2 hipwright run --device soft:gfx924 -- true
expect_output gfx942
expect_exit 2 hipwright run --device soft:gfx1010 -- true
expect_output "gfx1100"
expect_exit 2 hipwright run --device hip:0 -- true
expect_output "soft:TARGET"
expect_exit 2 hipwright run --report out.txt -- true
expect_output ".json"

# No code for the device: what there is, and how to rebuild.
expect_exit 1 hipwright run --device soft:gfx950 -- "$scratch/vector_add"
expect_output "it has code for gfx1100, gfx1201, gfx90a, gfx942 only" "hipwright cc --arch gfx950"
finish
