#!/usr/bin/env bash
# usage: kernel-gate.sh NAME FILE…
# Compares the kernels in FILEs (registers, spills, LDS, scratch, code size) with the repository's baseline NAME. Counts have no
# noise, so there is no tolerance. The new record is logs/NAME.json.
set -euo pipefail
name=$1
shift
if [ $# = 0 ]; then
  echo "::error::there are no files with kernels to compare"
  exit 1
fi
mkdir -p logs
code=()
for file in "$@"; do code+=(--code "$file"); done
hipwright perf run --runs 1 --label "$name" --output "logs/$name.json" "${code[@]}" -- true
# Only the kernels count, not how long `true` takes.
bash "$(dirname "$0")/perf-gate.sh" "$name" "logs/$name.json" --ignore tool,os_kernel,host_clocks \
  --metric vgprs,agprs,sgprs,vgpr_spills,sgpr_spills,lds_bytes,scratch_bytes,code_bytes,occupancy
