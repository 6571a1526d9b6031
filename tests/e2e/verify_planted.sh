#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Twelve bugs of ports, each beside its mended twin: every one is found, at the level that the
# spec's first line names, and every twin passes at all levels.
. "$(dirname "$0")/lib.sh"
needs python3
planted=$SOURCE_DIR/tests/fixtures/verify/planted
count=0
for spec in "$planted"/*.kernel.toml; do
  name=$(basename "$spec" .kernel.toml)
  level=$(sed -n '1s/^# level: //p' "$spec")
  code=0
  hipwright verify kernel "$spec" --json >"$scratch/$name.json" 2>"$scratch/err" || code=$?
  equal "exit code of $name ($(cat "$scratch/err"))" "$code" 1
  python3 - "$scratch/$name.json" "$name" "$level" <<'PY' || fail "$name"
import json, sys
path, name, level = sys.argv[1:]
checks = json.load(open(path))["checks"]
levels = ["static", "build", "functional", "numerical"]
bug = [c for c in checks if c["subject"].startswith(f"kernel {name}_bug")]
fixed = [c for c in checks if c["subject"].startswith(f"kernel {name}_fixed")]
failed = sorted({c["level"] for c in bug if c["verdict"] == "fail"}, key=levels.index)
if not failed or failed[0] != level:
    sys.exit(f"{name}: the bug failed at {failed}, not first at {level}")
if not any(c["level"] == "numerical" for c in fixed):
    sys.exit(f"{name}: the mended twin was not compared")
for c in fixed:
    if c["verdict"] != "pass":
        sys.exit(f"{name}: mended, {c['question']}: {c['verdict']}: {c['evidence']}")
PY
  count=$((count + 1))
done
equal "planted bugs" "$count" 12
finish
