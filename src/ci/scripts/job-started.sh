#!/usr/bin/env bash
# Runs before each job of a self-hosted runner (ACTIONS_RUNNER_HOOK_JOB_STARTED).
# A job on a GPU that is broken or in use fails here, with the reason, and not as the code's fault.
set -u
if ! command -v hipwright >/dev/null; then
  echo "::warning::hipwright is not in the runner's PATH: the GPU was not checked before this job"
  exit 0
fi
hipwright doctor --profile linux-runner --no-network
code=$?
if [ "$code" = 1 ] || [ "$code" = 2 ]; then
  echo "::error::this runner failed its checks (above): the job did not start, the code is not at fault"
  exit 1
fi
exit 0
