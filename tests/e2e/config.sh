#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright config, as a user runs it.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1
while read -r name; do unset "$name"; done < <(compgen -e HIPWRIGHT_)

expect_ok hipwright config show --arch gfx942
expect_output "memory_pool_size_gb              16     architecture gfx942"

cat >hipwright.toml <<'END'
device_id = 1
[amd]
max_memory_fraction = 0.5
enable_profiling = true
END
HIPWRIGHT_ENABLE_PROFILING=0 expect_ok hipwright config show --arch MI210 --file hipwright.toml \
  --preset inference --set hip_compiler_cache_size=7 --json
python3 - "$last" <<'END' || fail "the JSON is not what scripts rely on"
import json, sys
rows = {row["field"]: (row["value"], row["from"]) for row in json.load(open(sys.argv[1]))["settings"]}
assert len(rows) == 12, rows
assert rows["architecture"] == ("CDNA2", "architecture gfx90a"), rows
assert rows["device_id"] == (1, "hipwright.toml:1"), rows
assert rows["memory_pool_size_gb"] == (4.0, "preset inference"), rows
assert rows["max_memory_fraction"] == (0.5, "hipwright.toml:3"), rows
assert rows["hip_compiler_cache_size"] == (7, "--set"), rows
assert rows["enable_profiling"] == (False, "HIPWRIGHT_ENABLE_PROFILING"), rows
assert rows["enable_oom_protection"] == (True, "preset inference"), rows
END

# A GPU that is not what the settings name: a warning, and an error for who asked to be strict.
expect_exit 0 hipwright config show --arch gfx90a --set architecture=MI300X
expect_output "hipwright: warning: --set: architecture = CDNA3, but the device is gfx90a (CDNA2)"
expect_exit 2 hipwright config show --arch gfx90a --set architecture=MI300X --set enable_strict_validation=on
expect_output "which is gfx90a"

# Everything that is wrong, at once.
printf '{"device_id": -1,\n "enable_operator_fusion": true}\n' >bad.json
expect_exit 2 hipwright config show --file bad.json --file missing.toml --preset turbo --set fast=1
expect_output "5 problems" "bad.json:1: device_id = -1" "bad.json:2" "not supported by this version" missing.toml \
  "preset = turbo" "fast = 1"
expect_exit 2 hipwright config show --arch gfx924
expect_output gfx942

expect_ok hipwright config fields --json
python3 - "$last" <<'END' || fail "the fields are not what scripts rely on"
import json, sys
fields = {field["field"]: field for field in json.load(open(sys.argv[1]))["fields"]}
assert fields["device_id"]["environment"] == "HIPWRIGHT_DEVICE_ID" and fields["device_id"]["default"] == 0, fields
assert fields["max_memory_fraction"]["allowed"] == "a number over 0, at most 1", fields
END
expect_ok hipwright config presets
expect_output llm-training general-training inference development
finish
