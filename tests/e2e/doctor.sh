#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright doctor and hipwright ci arches, as users and builds call them.
. "$(dirname "$0")/lib.sh"
needs python3 cmake
facts=$SOURCE_DIR/tests/ci/facts
rocminfo=$SOURCE_DIR/tests/toolchain/rocminfo
unset HIPWRIGHT_HIP_ARCHES PYTORCH_ROCM_ARCH

# Exit codes: something failed, something is unknown, all passed.
expect_exit 1 hipwright doctor --facts "$facts/mi250x_denied.json" --profile linux-runner
expect_output "sudo usermod -aG render runner"
expect_exit 3 hipwright doctor --facts "$facts/container_without_kfd.json"
expect_ok hipwright doctor --facts "$facts/mi300x_healthy.json" --profile linux-runner
expect_output "30 results: 30 passed"
expect_exit 2 hipwright doctor --facts "$facts/windows_healthy.json" --profile linux-runner
expect_exit 2 hipwright doctor --profile laptop
expect_exit 2 hipwright doctor --facts "$rocminfo/mi250x.txt"

# This machine's facts say the same when they are read back.
code=0
hipwright doctor --no-network --write-facts "$scratch/facts.json" >"$scratch/live" || code=$?
[ "$code" != 2 ] || fail "this machine cannot be probed"
expect_exit "$code" hipwright -q doctor --facts "$scratch/facts.json"
equal "the results from saved facts" "$(cat "$last")" "$(cat "$scratch/live")"
expect_exit "$code" hipwright doctor --facts "$scratch/facts.json" --json
python3 -c 'import json, sys; found = json.load(open(sys.argv[1])); assert found["results"] and found["summary"]' "$last" ||
  fail "the JSON is not right"

expect_exit 1 hipwright doctor fleet "$facts"
expect_output "GPUs 8 x gfx942 -> 7 x gfx942" "leaked-vram pass -> fail"

# The hooks are shell, and run on a machine without GPUs.
expect_ok hipwright doctor hooks "$scratch"
expect_output "ACTIONS_RUNNER_HOOK_JOB_STARTED=$scratch/job-started.sh"
bash -n "$scratch/job-started.sh" || fail "job-started.sh"
expect_ok "$scratch/job-completed.sh"

# The probe for Windows is PowerShell that parses: with PowerShell, or with tree-sitter's grammar, which e2e.ci_presets installs.
python=python3
[ ! -x "$BUILD_DIR/ci-peers/venv/bin/python" ] || python=$BUILD_DIR/ci-peers/venv/bin/python
hipwright doctor probe >"$scratch/probe.ps1" || fail "doctor probe"
if command -v pwsh >/dev/null; then
  pwsh -NoProfile -Command '$errors = $null; [void][System.Management.Automation.Language.Parser]::ParseFile($args[0], [ref]$null, [ref]$errors); exit $errors.Count' \
    "$scratch/probe.ps1" || fail "the probe does not parse"
elif "$python" -c 'import tree_sitter, tree_sitter_powershell' 2>/dev/null; then
  "$python" - "$scratch/probe.ps1" <<'END' || fail "the probe does not parse"
import sys, tree_sitter, tree_sitter_powershell
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
sys.exit(parser.parse(open(sys.argv[1], "rb").read()).root_node.has_error)
END
else
  echo "not run: the Windows probe was not parsed: neither pwsh nor tree-sitter-powershell is installed"
fi

# The CMake and the Python module agree with the tool.
expect_ok hipwright ci arches --write-cmake "$scratch/HipArches.cmake"
expect_ok hipwright ci arches --write-python "$scratch/hip_arches.py"
mkdir "$scratch/bin"
cat >"$scratch/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(probe LANGUAGES NONE)
include(HipArches.cmake)
hip_detect_arches(found)
string(REPLACE ";" "\n" text "${found}")
file(WRITE ${CMAKE_BINARY_DIR}/found "${text}\n")
END
# same NAME: the three give the same targets
same() {
  hipwright -q ci arches "${@:2}" | sort >"$scratch/tool"
  (cd "$scratch" && python3 -c 'import hip_arches; print("\n".join(hip_arches.detect_hip_arches()))') | sort >"$scratch/python"
  rm -rf "$scratch/build"
  cmake -S "$scratch" -B "$scratch/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "cmake for $1"; }
  sort "$scratch/build/found" >"$scratch/cmake"
  equal "Python's targets for $1" "$(cat "$scratch/python")" "$(cat "$scratch/tool")"
  equal "CMake's targets for $1" "$(cat "$scratch/cmake")" "$(cat "$scratch/tool")"
}
if [ ! -e /sys/class/kfd ] && ! python3 -c 'import torch' 2>/dev/null; then
  for name in mi300x_rocm6 mi300x_rocm7 mi250x rx7900 strix_halo; do
    printf '#!/bin/sh\ncat %s\n' "$rocminfo/$name.txt" >"$scratch/bin/rocminfo"
    chmod +x "$scratch/bin/rocminfo"
    PATH=$scratch/bin:$PATH same "$name" --rocminfo "$rocminfo/$name.txt"
  done
fi
export HIPWRIGHT_HIP_ARCHES="gfx942, gfx90a:xnack+;gfx9-4-generic gfx1201"
same "an override"
for bad in "gfx942:xnack-,gfx942" "gfx942 MI-300" "gfx9"; do
  export HIPWRIGHT_HIP_ARCHES=$bad
  expect_exit 2 hipwright ci arches
  (cd "$scratch" && python3 -c 'import hip_arches; hip_arches.detect_hip_arches()') 2>/dev/null && fail "Python accepts '$bad'"
  cmake -S "$scratch" -B "$scratch/build" >/dev/null 2>&1 && fail "CMake accepts '$bad'"
done
finish
