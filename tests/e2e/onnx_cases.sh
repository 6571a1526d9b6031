#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ONNX's own node tests, of the package onnx, which goes into a folder of the build.
. "$(dirname "$0")/lib.sh"

venv=$BUILD_DIR/onnx-venv
if ! "$venv/bin/python" -c 'import onnx' 2>/dev/null; then
  rm -rf "$venv"
  python3 -m venv "$venv" >/dev/null 2>&1 || not_run "python3 has no venv"
  timeout 120 "$venv/bin/pip" install -q onnx==1.18.0 >/dev/null 2>&1 || { rm -rf "$venv"; not_run "the package onnx cannot be installed"; }
fi
"$venv/bin/python" "$SOURCE_DIR/tests/graph/onnx_cases.py" "$scratch/cases" >"$scratch/log" 2>&1 || fail "the cases cannot be written: $(tail -3 "$scratch/log")"

# No case of a supported operator fails, and no fewer pass than docs/graph-operators.md says.
expect_exit 3 hipwright run-model --cases "$scratch/cases"
head -1 "$last"
passed=$(sed -nE '1s/.*: ([0-9]+) pass.*/\1/p' "$last")
documented=$(sed -nE 's/.* ([0-9]+) of the [0-9]+ node tests.*/\1/p' "$SOURCE_DIR/docs/commands/run_model.md")
[ "$passed" = "$documented" ] || fail "$passed cases pass, docs/commands/run_model.md says $documented"
finish
