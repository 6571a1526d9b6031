#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright lint, as a user and a CI job run it.
. "$(dirname "$0")/lib.sh"
needs python3 git patch
cd "$scratch" || exit 1
mkdir -p project/csrc project/build && cd project || exit 1
git init -q .
echo /build/ >.gitignore
cat >csrc/reduce.cu <<'END'
#define WARP_SIZE 32
__device__ bool any_of(int n) { return __any(n < WARP_SIZE); }
END
cp csrc/reduce.cu build/generated.cu
cp csrc/reduce.cu original

# Findings: exit 1, a line that editors understand.
expect_exit 1 hipwright lint
expect_output "csrc/reduce.cu:1:9: error: " "[HW101]" "1 finding in 1 of 1 file"
expect_exit 1 hipwright lint --no-gitignore
expect_output build/generated.cu
expect_exit 0 hipwright lint --arch gfx1100
expect_output "no findings"
expect_exit 0 hipwright lint --ignore HW101,HW002 csrc
expect_exit 1 hipwright lint --select HW101 csrc
expect_exit 0 hipwright lint --exclude csrc/

# Paths are relative to the working directory.
(cd csrc && hipwright lint --format json) >"$scratch/json"
python3 - "$scratch/json" <<'END' || fail "the JSON is not what scripts rely on"
import json, sys
data = json.load(open(sys.argv[1]))
(finding,) = data["findings"]
assert finding["path"] == "reduce.cu" and finding["line"] == 1 and finding["code"] == "HW101", finding
assert finding["name"] == "warp-size-constant" and finding["fix"]["edits"], finding
END

# From one fix to the other places.
mkdir -p "$scratch/similar" && cd "$scratch/similar" && git init -q . || exit 1
printf 'def f(ops, a):\n    return ops.row_scale(a)\n' >a.py
printf 'def g(ops, b):\n    scaled = ops.row_scale(b[0])\n    return scaled\n' >b.py
git add . && git -c user.name=a -c user.email=a@b commit -qm one
sed -i 's/row_scale(a)/row_scale(a.contiguous())/' a.py
git diff >fix.patch
expect_exit 1 hipwright lint --like-diff fix.patch
expect_output "b.py:2:14: like " "1 place in 1 of 2 files"
git diff a.py | hipwright lint --like-diff - | grep -q b.py:2:14 || fail "--like-diff - reads standard input"
sed -i 's/row_scale(b\[0\])/row_scale(b.contiguous())/' b.py
expect_exit 0 hipwright lint --like-diff fix.patch
expect_output "no places"
printf 'no diff\n' >broken.patch
expect_exit 2 hipwright lint --like-diff broken.patch
expect_output "no diff found"
expect_exit 2 hipwright lint --like a.py
cd "$scratch/project" || exit 1

# What could not be done: exit 2 and a sentence.
expect_exit 2 hipwright lint nowhere
expect_output "cannot read 'nowhere'"
expect_exit 2 hipwright lint --select HW999
expect_exit 2 hipwright lint --arch gfx924
expect_exit 2 hipwright lint --format xml
expect_exit 2 hipwright lint --fix=maybe
expect_exit 2 hipwright lint --min-confidence sure
expect_exit 2 hipwright lint --baseline nowhere.json
expect_exit 2 hipwright lint --config nowhere.toml

# A diff changes nothing, and patch takes it.
expect_exit 1 hipwright lint --fix=unsafe --diff
cmp -s csrc/reduce.cu original || fail "--diff changed the file"
patch -s -p1 <"$last" || fail "patch does not take the diff"
expect_exit 0 hipwright lint
cp csrc/reduce.cu patched
cp original csrc/reduce.cu
expect_exit 1 hipwright lint --fix
cmp -s csrc/reduce.cu original || fail "--fix applied an unsafe fix"
expect_exit 0 hipwright lint --fix=unsafe
cmp -s csrc/reduce.cu patched || fail "--fix and --diff differ"
cp original csrc/reduce.cu

# A baseline hides what is known, and only that.
expect_ok hipwright lint --write-baseline known.json
expect_exit 0 hipwright lint --baseline known.json
cp csrc/reduce.cu csrc/new.cu
expect_exit 1 hipwright lint --baseline known.json
expect_output csrc/new.cu "1 finding"
rm csrc/new.cu

# The configuration is found from below, and its mistakes have lines.
printf '[amd]\nx = 1\n[lint]\nbaseline = "known.json"\n' >hipwright.toml
(cd csrc && hipwright lint >/dev/null) || fail "hipwright.toml is not found from a folder below"
expect_exit 1 hipwright lint --no-config
printf '[lint]\nignored = ["HW1"]\n' >hipwright.toml
expect_exit 2 hipwright lint
expect_output "hipwright.toml:2" "Did you mean ignore?"
rm hipwright.toml

for format in sarif github markdown; do expect_exit 1 hipwright lint --format $format --stats; done
# Options that would be ignored are refused; what was not read is said in formats without notes, too.
expect_exit 2 hipwright lint --fix --write-baseline known.json
expect_exit 2 hipwright lint --like csrc/reduce.cu:1 --fix
printf '\0' >csrc/binary.cu
for format in github markdown; do
  expect_exit 1 hipwright lint --format $format
  expect_output "csrc/binary.cu: not read: binary"
done
rm csrc/binary.cu

expect_ok hipwright lint explain HW101
expect_output "## When it is not a bug"
expect_ok hipwright lint explain warp-size-constant
expect_exit 2 hipwright lint explain HW999
expect_ok hipwright lint rules --json
python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["rules"]) > 3' "$last" || fail "rules --json"
finish
