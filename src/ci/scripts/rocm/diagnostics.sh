#!/usr/bin/env bash
# Collects what tells a broken runner from broken code into logs/. Each command has a limit: a hung GPU hangs its tools.
set -u
mkdir -p logs
timeout 20 dmesg 2>/dev/null | grep -iE 'amdgpu|kfd|oom|out of memory' | tail -200 >logs/kernel.txt || true
timeout 20 rocminfo >logs/rocminfo.txt 2>&1 || true
timeout 20 amd-smi metric --ecc >logs/ecc.txt 2>&1 || true
ls -l /dev/kfd /dev/dri >logs/devices.txt 2>&1 || true
{ id; ulimit -a; free -m; df -h .; } >logs/machine.txt 2>&1 || true
if command -v hipwright >/dev/null; then
  timeout 60 hipwright doctor --profile linux-runner --no-network --write-facts logs/facts.json >logs/doctor.txt 2>&1 || true
  for log in logs/*.log; do
    if [ -f "$log" ]; then timeout 60 hipwright ci explain-log "$log" || true; fi
  done
fi
