#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tests/layers.py finds includes against the arrows, between units and between their rooms.
. "$(dirname "$0")/lib.sh"
needs python3

source_of() { mkdir -p "$scratch/src/$(dirname "$1")" && echo "$2" >"$scratch/src/$1"; }
layers() { python3 "$SOURCE_DIR/tests/layers.py" "$scratch/src" "base: top:base"; }

source_of base/file.h ""
source_of top/top.cpp '#include "top/low/low.h"'
source_of top/low/low.h '#include "base/file.h"'
source_of top/high/high.cpp '#include "top/low/low.h"'
expect_exit 1 layers
expect_output "top has folders and no rooms.txt"

printf '%s\n' 'low:' 'high: low' 'top: high  # the rest' >"$scratch/src/top/rooms.txt"
expect_ok layers
expect_output "4 files follow the arrows"

source_of top/low/low.cpp '#include "top/high/high.h"'
expect_exit 1 layers
expect_output "top/low/low.cpp:1: low may not use high"

printf '%s\n' 'low: high' 'high: low' 'top: high' >"$scratch/src/top/rooms.txt"
expect_exit 1 layers
expect_output "a cycle: low -> high -> low"

printf '%s\n' 'low:' 'top: low attic' >"$scratch/src/top/rooms.txt"
expect_exit 1 layers
expect_output "high is a folder, and not declared" "top uses attic, which is not declared"

rm -r "$scratch/src/top"
source_of base/file.cpp '#include "top/top.h"'
source_of top/top.cpp ""
expect_exit 1 layers
expect_output "base/file.cpp:1: base may not use top"
finish
