#!/usr/bin/env bash
# usage: perf-gate.sh NAME RECORD [OPTIONS OF perf compare]
# Compares a record of `hipwright perf run` with the repository's baseline .github/rocm/baselines/NAME.json. What regressed,
# is missing, or cannot be compared (another machine, another compiler, too few samples) fails.
set -euo pipefail
name=$1 record=$2
baseline=$GITHUB_WORKSPACE/.github/rocm/baselines/$name.json
if [ ! -f "$baseline" ]; then
  echo "::warning::nothing was compared, there is no baseline yet: commit $record of this job's logs as .github/rocm/baselines/$name.json"
  exit 0
fi
code=0
hipwright perf compare "$baseline" "$record" "${@:3}" --markdown perf.md || code=$?
cat perf.md >>"$GITHUB_STEP_SUMMARY"
if [ $code = 3 ]; then echo "::error::not everything could be compared: see above, and record a new baseline if the machine or compiler changed"; fi
exit $code
