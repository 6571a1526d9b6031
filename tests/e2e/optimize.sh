#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright optimize and run-model, as a user runs them.
. "$(dirname "$0")/lib.sh"

model=$SOURCE_DIR/tests/fixtures/graph/decoder.onnx

# The summary has the keys of the specification, and is true: the written model has these nodes.
expect_ok hipwright optimize "$model" --level aggressive --arch gfx942 -o "$scratch/out.onnx" --report "$scratch/r.html" --shapes "$scratch/s.csv" --dot "$scratch/g.dot" --json
python3 - "$last" <<'END' || fail "the summary is not right"
import json, sys
s = json.load(open(sys.argv[1]))
applied = {each["pass"]: each for each in s["optimizations_applied"]}
assert s["architecture"] == "gfx942" and s["matrix_cores_enabled"] is True, s
assert applied["attention"]["count"] == 2 == len(applied["attention"]["nodes"]), applied
assert s["after"]["operators"]["hipwright.Attention"] == 2, s["after"]
assert s["after"]["nodes"] < s["before"]["nodes"] and s["accuracy"]["passes"], s
END
grep -q "^4,32,16," "$scratch/s.csv" || fail "the joined projection is not in the shapes: $(cat "$scratch/s.csv")"
grep -q "rms_norm" "$scratch/r.html" || fail "the report names no pass"
expect_ok hipwright run-model "$scratch/out.onnx" -o "$scratch/after"
expect_ok hipwright run-model "$model" --reference -o "$scratch/before"
expect_exit 0 hipwright optimize "$model" --level balanced -o "$scratch/f32.onnx"
expect_ok hipwright run-model "$scratch/f32.onnx" --expect "$scratch/before"
# Other inputs give other outputs.
expect_exit 1 hipwright run-model "$scratch/f32.onnx" --seed 2 --expect "$scratch/before"
expect_output "output 'out' is not as expected"

# What was not compared is said.
expect_exit 3 hipwright optimize "$model" --check 0
expect_output "not checked"
expect_exit 2 hipwright optimize "$model" --skip no_such_pass
expect_output "unknown pass"
head -c 500 "$model" >"$scratch/cut.onnx"
expect_exit 2 hipwright optimize "$scratch/cut.onnx" -o "$scratch/no.onnx"
expect_output "cut.onnx"
[ ! -e "$scratch/no.onnx" ] || fail "a model was written in spite of an error"
finish
