#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright pr against a GitHub on this machine.
. "$(dirname "$0")/lib.sh"
needs python3 git
export HIPWRIGHT BUILD_DIR
python3 "$SOURCE_DIR/tests/github/pr_test.py" || fail "the cases of hipwright pr"
python3 "$SOURCE_DIR/tests/github/local_test.py" || fail "the cases of hipwright pr on local branches"
python3 "$SOURCE_DIR/tests/github/others_test.py" || fail "the cases of hipwright pr on other pull requests"
finish
