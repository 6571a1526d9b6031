#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What other tools are given to run hipwright lint: hooks for pre-commit, a problem matcher for GitHub.
. "$(dirname "$0")/lib.sh"
needs python3 git
export HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1
mkdir -p "$HOME" "$scratch/bin" "$scratch/project"
ln -s "$HIPWRIGHT" "$scratch/bin/hipwright"
export PATH=$scratch/bin:$PATH
git config --global user.name test
git config --global user.email test@example.invalid
git config --global protocol.file.allow always
cd "$scratch/project" || exit 1
git init -q .
bad='#define WARP_SIZE 32\n__device__ bool any_of(int n) { return __any(n < WARP_SIZE); }\n'

# The matcher finds every finding in the text, with the places that the JSON has.
# shellcheck disable=SC2059
printf "$bad" >'with blank.cu'
printf 'import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\nimport pynvml  # hipwright: ignore[HW901]\n' >tool.py
hipwright lint >"$scratch/text"
hipwright lint --format json >"$scratch/json"
python3 - "$SOURCE_DIR/tools/github/problem-matcher.json" "$scratch/text" "$scratch/json" <<'END' || fail "the problem matcher"
import json, re, sys
matchers = json.load(open(sys.argv[1]))["problemMatcher"]
found = []
for line in open(sys.argv[2]).read().splitlines():
    for matcher in matchers:
        (pattern,) = matcher["pattern"]
        if match := re.search(pattern["regexp"], line):
            severity = match[pattern["severity"]] if "severity" in pattern else "note"
            found.append((match[pattern["file"]], int(match[pattern["line"]]), int(match[pattern["column"]]),
                          severity, match[pattern["message"]], match[pattern["code"]]))
wanted = [(each["path"], each["line"], each["column"], each["severity"], each["message"], each["code"])
          for each in json.load(open(sys.argv[3]))["findings"]]
assert found == wanted, (found, wanted)
assert {each[3] for each in wanted} >= {"error", "warning", "note"}, "fixtures should have all severities"
END

# Only what a branch changes: new and changed lines, not moved ones, from any directory of the repository.
mkdir "$scratch/since" && cd "$scratch/since" || exit 1
git init -q -b main .
mkdir kernels
# shellcheck disable=SC2059
printf "$bad" >kernels/old.cu
printf '#define WAVE 1\n' >>kernels/old.cu
git add . && git commit -qm base
git checkout -qb topic
{ printf '#define WAVE 1\n\n'; printf "$bad" | sed 's/^/  /'; } >kernels/old.cu  # moved down and indented
printf 'import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\n' >new.py
expect_exit 1 hipwright lint
expect_output "kernels/old.cu:3:" "new.py:2:"
expect_exit 1 hipwright lint --since main
expect_output "new.py:2:"
! grep -q old.cu "$last" || fail "a moved line counts as changed"
git add . && git commit -qm topic
git checkout -q main && printf 'int later;\n' >kernels/other.cu && git add . && git commit -qm later && git checkout -q topic
printf '__device__ unsigned f(bool v) {\n  unsigned votes = __ballot(v);\n  return votes;\n}\n' >>kernels/old.cu
cd kernels || exit 1
expect_exit 1 hipwright lint --since main
expect_output "old.cu:6:" "1 finding in"
expect_exit 2 hipwright lint --since nothing
expect_output "cannot find the changes" "nothing"
expect_exit 2 hipwright lint --since main --fix
git checkout -q --orphan alone && git commit -qm alone
expect_exit 2 hipwright lint --since main
expect_output "no common ancestor"
cd "$scratch" && expect_exit 2 hipwright lint --since main
expect_output "cannot find the changes" "git repository"
cd "$scratch/project" || exit 1

needs pre-commit
git init -q "$scratch/hooks"
cp "$SOURCE_DIR/.pre-commit-hooks.yaml" "$scratch/hooks/"
(cd "$scratch/hooks" && git add . && git commit -qm hooks && git tag v1)
expect_ok pre-commit validate-manifest "$SOURCE_DIR/.pre-commit-hooks.yaml"

# use HOOK: the configuration that a user writes
use() {
  printf 'repos:\n- repo: %s\n  rev: v1\n  hooks:\n  - id: %s\n' "$scratch/hooks" "$1" >.pre-commit-config.yaml
}
use hipwright-lint
git add .
expect_exit 1 pre-commit run
expect_output "with blank.cu:1:9: error: " "[HW101]" "Failed"
# Only what is committed is looked at.
printf 'int x;\n' >'with blank.cu'
rm tool.py
git add -A
expect_exit 0 pre-commit run
git commit -qm good
printf 'int x;  // hipwright: ignore[HW101] nothing to see\n' >unused.cu
git add .
use hipwright-fix
git add .
expect_exit 1 pre-commit run
expect_output "files were modified by this hook"
equal "the fixed file" "$(cat unused.cu)" "int x;"
git add .
expect_exit 0 pre-commit run
finish
