#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright ci: check, explain-log, init, update; e2e.ci_presets executes what init writes.
. "$(dirname "$0")/lib.sh"
needs python3
tests=$SOURCE_DIR/tests/ci

# Every line that says "finding: CODE" gets exactly these findings.
cp -r "$tests/defective" "$scratch/defective"
cd "$scratch/defective" || exit 1
workflow=.github/workflows/windows-rocm.yml
expect_exit 1 hipwright ci check --no-others --format json
python3 - "$last" $workflow <<'END' || fail "the findings are not those that the file states"
import json, re, sys
found = sorted((f["line"], f["code"]) for f in json.load(open(sys.argv[1]))["findings"])
wanted = sorted((number, code) for number, line in enumerate(open(sys.argv[2]), 1) for code in re.findall(r"finding: (HC\d+)", line))
if found != wanted:
    print("missing:", [x for x in wanted if x not in found], "unexpected:", [x for x in found if x not in wanted])
    sys.exit(1)
END
expect_exit 1 hipwright ci check --no-others --format sarif $workflow
expect_output '"ruleId": "HC201"'
expect_exit 2 hipwright ci check --no-others docs/ci.md
expect_exit 2 hipwright ci check --root "$scratch/none"

# Logs.
expect_ok hipwright ci explain-log "$tests/logs/24.log"
expect_output "disk-full" "the runner's fault" "No space left on device"
echo "all 14 tests passed" >"$scratch/fine.log"
expect_exit 1 hipwright ci explain-log "$scratch/fine.log"
expect_output "no known cause"
expect_exit 2 hipwright ci explain-log /dev/null
expect_output "it is empty"
printf 'on: push\n' >"$scratch/nothing.yml"
expect_exit 2 hipwright ci run "$scratch/nothing.yml"
expect_output "it has no jobs"
mkdir -p "$scratch/.github/workflows"
printf 'on: push\0\n' >"$scratch/.github/workflows/nul.yml"
expect_exit 3 hipwright ci check --no-others "$scratch/.github/workflows/nul.yml"
expect_output "nul.yml: not read: binary"

# A repository with a CMake build and tests.
mkdir "$scratch/repository"
cd "$scratch/repository" || exit 1
cp "$SOURCE_DIR"/examples/vector_add/vector_add.hip .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(vector_add LANGUAGES CXX HIP)
enable_testing()
add_executable(vector_add vector_add.hip)
add_test(NAME vector_add COMMAND vector_add)
END
expect_ok hipwright ci init --arch gfx942,gfx1100
expect_exit 2 hipwright ci init
expect_output "ci update"
# With actionlint and zizmor, where they are installed.
expect_ok hipwright ci check
workflow=.github/workflows/rocm.yml
python3 -c 'import yaml' 2>/dev/null && { python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' $workflow || fail "not YAML"; }

# Hand edits survive an update.
cp $workflow before
sed -i 's/cmake --build build --parallel/&  # by hand/' $workflow
expect_ok hipwright ci update --arch gfx90a,gfx942,gfx1100
grep -q '# by hand' $workflow || fail "the edit is gone"
grep -qF "'gfx90a,gfx942,gfx1100'" $workflow || fail "the other jobs were not updated"
cp before $workflow

# So do those to scripts; files that nobody edited follow, and missing ones come back.
echo 'echo by hand' >>.github/rocm/setup-runner.sh
rm .github/rocm/spills.py
expect_exit 0 hipwright ci update --arch gfx90a
expect_output "kept .github/rocm/setup-runner.sh: edited by hand" "wrote .github/rocm/spills.py" "wrote .github/rocm/README.md"
grep -q 'echo by hand' .github/rocm/setup-runner.sh || fail "the edit of a script is gone"
grep -q 'gfx942' .github/rocm/README.md && fail "the page still names gfx942"
[ -x .github/rocm/spills.py ] || fail "a script is not executable"
expect_exit 0 hipwright ci update --arch gfx90a
expect_output "everything is up to date"
expect_exit 2 hipwright ci init --url https://example.org/hipwright.tar.gz
expect_exit 2 hipwright ci init --preset monorepo

finish
