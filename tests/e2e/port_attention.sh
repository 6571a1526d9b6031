#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a port puts in flash_attn's place, against attention in plain loops: with every tier that the torch of this machine has.
. "$(dirname "$0")/lib.sh"

python=""
for each in python3 /usr/bin/python3; do
  if "$each" -c 'import torch' 2>/dev/null; then python=$each; fi
done
[ -n "$python" ] || not_run "torch is not installed for python3"

mkdir "$scratch/old"
cat >"$scratch/old/use.py" <<'END_OF_FILE'
import torch
from flash_attn import flash_attn_func, flash_attn_kvpacked_func, flash_attn_varlen_func, flash_attn_with_kvcache
END_OF_FILE
expect_ok hipwright port "$scratch/old" --out "$scratch/new"
expect_ok "$python" "$(dirname "$0")/port/attention.py" "$scratch/new" eager
expect_output "ok eager"
if "$python" -c 'import torch; raise SystemExit(tuple(map(int, torch.__version__.split(".")[:2])) < (2, 1))'; then
  expect_ok "$python" "$(dirname "$0")/port/attention.py" "$scratch/new" sdpa
  expect_output "ok sdpa"
else
  echo "the sdpa tier was not run: torch is older than 2.1"
fi
finish
