#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright kernels and hipwright bench kernels, as a user runs them.
. "$(dirname "$0")/lib.sh"
needs clang++-22 python3

expect_ok hipwright kernels list
expect_output "rms_norm" "halves, interleaved"
expect_ok hipwright kernels list --json
python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["operations"]) >= 12' "$last" || fail "the list is too short"

# The page is what the tool writes.
expect_ok hipwright kernels list --write-docs "$scratch/page.md"
cmp "$scratch/page.md" "$SOURCE_DIR/docs/kernels-operations.md" || fail "docs/kernels-operations.md is not current"

expect_ok hipwright kernels build --arch gfx1100 --op add --op embedding -o "$scratch/bundles" --json
[ -s "$scratch/bundles/index.json" ] || fail "there is no index"
expect_ok hipwright inspect "$scratch/bundles/add.hipfb"
expect_output "add_bf16_8x256x1" "gfx1100"
expect_exit 2 hipwright kernels build --arch sm_90 -o "$scratch/none"
expect_exit 2 hipwright kernels build --arch gfx1100 --op ad -o "$scratch/none"

# On the software GPU, counts: every byte of an addition is moved once.
expect_ok hipwright bench kernels --device soft:gfx1100 --op add --shape 8x4096 --json
python3 - "$last" <<'END' || fail "the counts are not right"
import json, sys
counts = json.load(open(sys.argv[1]))["results"][0]
assert counts["bytes_over_ideal"] == 1 and counts["lines_over_ideal"] == 1, counts
assert counts["spills"] == 0 and counts["lds_bank_conflicts"] == 0, counts
END
# A product of one tile: a column of a is read once, as is b.
expect_ok hipwright bench kernels --device soft:gfx942 --op gemm --form nt --shape 64x64x256 --json
python3 - "$last" <<'END' || fail "the counts of a product are not right"
import json, sys
counts = json.load(open(sys.argv[1]))["results"][0]
assert counts["bytes_over_ideal"] == 1 and counts["spills"] == 0, counts
# 32x32x8 products
assert counts["matrix_instructions"] == 2 * 2 * 256 // 8, counts
END
# On the CPU, times.
expect_ok hipwright bench kernels --device cpu --op add --shape 64x4096 --rounds 3
expect_output "add bf16 64x4096" "a copy on the device moves"
expect_exit 2 hipwright bench kernels --device cpu --op ad
expect_exit 2 hipwright bench kernels --device cpu --op add --shape 0x4
expect_exit 2 hipwright bench kernels --device cpu --op add --form tanh
finish
