#!/usr/bin/env bash
# Runs after each job of a self-hosted runner (ACTIONS_RUNNER_HOOK_JOB_COMPLETED).
# Ends the GPU processes that the job left behind: those of this account, and no others.
set -u
account=$(id -u)
left=()
for entry in /sys/class/kfd/kfd/proc/*; do
  pid=${entry##*/}
  [ -d "/proc/$pid" ] || continue
  [ "$(stat -c %u "/proc/$pid" 2>/dev/null)" = "$account" ] || continue
  left+=("$pid")
done
if [ ${#left[@]} -gt 0 ]; then
  echo "::warning::the job left ${#left[@]} GPU processes: ${left[*]}"
  kill "${left[@]}" 2>/dev/null || true
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "${left[@]}" 2>/dev/null || break
    sleep 1
  done
  kill -KILL "${left[@]}" 2>/dev/null || true
fi
exit 0
