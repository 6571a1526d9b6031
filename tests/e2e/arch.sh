#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright arch, as a user runs it.
. "$(dirname "$0")/lib.sh"

expect_ok hipwright arch
expect_output gfx942 MI300X gfx1201

expect_ok hipwright arch gfx942 --json
python3 - "$last" <<'END' || fail "the JSON is not what scripts rely on"
import json, sys
data = json.load(open(sys.argv[1]))
text = json.dumps(data)
assert "gfx942" in text and "MI300X" in text and "source" in text, text
END

expect_ok hipwright arch RX 7900 XTX
expect_output gfx1100
expect_ok hipwright arch MI300X
expect_output gfx942 MI300X
expect_ok hipwright arch show gfx942
expect_output gfx942

expect_exit 2 hipwright arch gfx924
expect_output gfx942
finish
