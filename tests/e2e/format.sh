#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The sources are formatted as .clang-format says (by version 14: others differ in details).
# Fixtures of port passes are not: they show what users write.
. "$(dirname "$0")/lib.sh"
needs clang-format git
clang-format --version | grep -q 'version 14\.' || not_run "clang-format is not version 14"
cd "$SOURCE_DIR" || exit 1
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || not_run "the sources are not a git checkout"
git ls-files -z '*.h' '*.cpp' ':!tests/port/passes' | xargs -0 clang-format --dry-run -Werror || fail "run clang-format -i on these files"
finish
