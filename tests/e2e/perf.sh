#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# perf: records, lists, verdicts and exit codes; counts of kernels as a gate without a GPU; history
# and bisection of a git repository made here.
. "$(dirname "$0")/lib.sh"
needs git python3
cd "$scratch" || exit 1

# A command: every sample is kept, and the record compares with itself.
expect_ok hipwright -q perf run --runs 10 --max-runs 10 --warmup 0 -o base.json --label base -- sh -c 'exit 0'
expect_output "duration_s" "peak_host_memory_mb"
[ "$(python3 -c 'import json; print(len(json.load(open("base.json"))["benchmarks"][0]["measurements"][0]["values"]))')" = 10 ] ||
  fail "the record does not have ten samples"

# Memory on NVIDIA GPUs, as a management library of our own reports it: 2 and 4 MiB on two GPUs.
cat >nvml.c <<'C'
#include <stdio.h>
struct info { unsigned process; unsigned long long used; unsigned gpu, compute; };
static long gpus[2] = {2, 4};
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) { *count = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void** device) { *device = &gpus[i]; return 0; }
static unsigned program(void) {
  unsigned process = 0;
  FILE* file = fopen("program", "r");
  if (file) { fscanf(file, "%u", &process); fclose(file); }
  return process;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, struct info* infos) {
  infos[0] = (struct info){program(), (unsigned long long)*(long*)device << 20, 0, 0};
  infos[1] = (struct info){1, 1ull << 40, 0, 0};    // another's
  infos[2] = (struct info){program(), ~0ull, 0, 0};  // not available
  *count = 3;
  return 0;
}
C
cc -shared -fPIC -o nvml.so nvml.c || fail "the stand-in for NVML does not compile"
HIPWRIGHT_NVML=./nvml.so expect_ok hipwright -q perf run --runs 1 --max-runs 1 --warmup 0 -o nvidia.json -- sh -c 'echo $$ >program; sleep 0.2'
[ "$(python3 -c 'import json; print([m["values"] for m in json.load(open("nvidia.json"))["benchmarks"][0]["measurements"] if m["name"] == "peak_device_memory_mb"])')" = "[[6.0]]" ] ||
  fail "memory on NVIDIA GPUs is wrong: $(cat nvidia.json)"

# Lists, skipped and failing examples, and the profile that others read.
mkdir -p examples lists
echo 'pass' >examples/good.py
echo 'raise SystemExit("no weights")' >examples/bad.py
printf '@../lists/more.txt\nexamples/good.py\n' >lists/all.txt
printf '# more\nexamples/bad.py\nskipped one = sh -c "exit 77"\ngone = ./gone\n' >lists/more.txt
expect_exit 1 hipwright -q perf run --runs 1 --max-runs 1 --warmup 0 --profile profile.json @lists/all.txt
expect_output "error: exit code 1: no weights" "skipped" "missing"
python3 - <<'P' || fail "the profile is wrong"
import json
profile = json.load(open("profile.json"))
assert profile["examples/good.py"]["status"] == "success", profile
assert profile["examples/good.py"]["duration_s"] > 0
assert set(profile["examples/good.py"]["rocm_info"]) >= {"torch_available", "hip_version", "device_name"}
assert profile["examples/bad.py"] == profile["examples/bad.py"] | {"status": "error", "exit_code": 1}
assert profile["skipped one"]["status"] == "skipped" and profile["gone"]["status"] == "missing"
P
expect_exit 1 hipwright -q perf run --runs 1 --max-runs 1 --warmup 0 --timeout 1 -- sleep 60
expect_output "timed out after 1 s"
expect_exit 3 hipwright -q perf run --runs 1 --max-runs 1 -- sh -c 'exit 77'
expect_exit 2 hipwright perf run @lists/none.txt
expect_exit 1 hipwright -q perf run @lists/more.txt --runs 1 --max-runs 1 --warmup 0
expect_output "skipped one"
expect_exit 2 hipwright perf run -- @lists/all.txt -x
expect_output "unexpected option"
expect_exit 2 hipwright perf run --base . -- true
expect_exit 2 hipwright perf run --device hip:0 -- true

# Base and head in turns; a metric of the program's own has no noise here.
mkdir base head
for side in base head; do
  printf '#!/bin/sh\necho "{\\"metric\\": \\"work\\", \\"value\\": $(cat work)}" >>"$HIPWRIGHT_PERF_METRICS"\n' >$side/bench.sh
  chmod +x $side/bench.sh
done
echo 100 >base/work
echo 112 >head/work
expect_ok hipwright -q perf run --base base --head head --runs 10 --max-runs 10 --warmup 0 --base-output b.json -o h.json -- ./bench.sh
expect_exit 1 hipwright perf compare --metric work b.json h.json
expect_output "work" "+12.0%" "regressed"
expect_ok hipwright perf compare h.json b.json --metric work
expect_output "improved"
expect_ok hipwright perf compare b.json b.json --metric work --markdown pr.md
grep -qF '| ./bench.sh | work | 100 | 100 |' pr.md || grep -qF '| bench.sh | work | 100 | 100 |' pr.md || fail "the table is wrong: $(cat pr.md)"
expect_exit 1 hipwright perf compare b.json h.json --metric work --json
expect_output '"verdict": "regressed"'

# Another machine never gates, unless the fact may differ.
sed 's/"os_kernel": "[^"]*"/"os_kernel": "another"/' h.json >other.json
expect_exit 3 hipwright perf compare b.json other.json --metric work
expect_output "incomparable" "different machines: os_kernel"
expect_exit 1 hipwright perf compare b.json other.json --metric work --ignore os_kernel
expect_ok hipwright perf compare b.json other.json h.json --across-devices
expect_output "(1.12x)"

# A baseline is accepted with a view of what changes; a failed record is not.
expect_ok hipwright perf baseline accept b.json baseline.json
expect_ok hipwright perf baseline accept h.json baseline.json --metric work
expect_output "+12.0%"
cmp -s baseline.json h.json || hipwright perf compare h.json baseline.json --metric work >/dev/null || fail "the baseline is not the head"
hipwright -q perf run --runs 1 --max-runs 1 -o failed.json -- false >/dev/null
expect_exit 2 hipwright perf baseline accept failed.json baseline.json
expect_exit 2 hipwright perf compare b.json /dev/zero
expect_exit 2 hipwright perf compare b.json
head -c 100 b.json >cut.json
expect_exit 2 hipwright perf compare cut.json b.json
expect_output "cut.json"

# Kernels: one more spill, or one more instruction, fails with the kernel's name.
cat >work.hip <<'H'
#include <hip/hip_runtime.h>
#ifndef MORE
#define MORE 0
#endif
__global__ void scale(float* data, int n) {
  __shared__ float tile[64 + MORE];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  if (i < n) data[i] = 2 * tile[threadIdx.x];
  for (int k = 0; k < MORE; ++k) if (i < n) atomicAdd(&data[i], 1.0f);
}
int main() {
  float* data;
  if (hipMalloc(&data, 4096) != hipSuccess) return 1;
  scale<<<16, 64>>>(data, 1024);
  return hipDeviceSynchronize() != hipSuccess;
}
H
mkdir kb kh
expect_ok hipwright cc --arch gfx942 work.hip -o kb/work
expect_ok hipwright cc --arch gfx942 -DMORE=1 work.hip -o kh/work
expect_ok hipwright -q perf run --base kb --head kh --device soft:gfx942 --base-output kb.json -o kh.json -- ./work
expect_ok hipwright perf compare kb.json kb.json
expect_exit 1 hipwright perf compare kb.json kh.json
expect_output "scale(float*, int) (gfx942)" "instructions" "code_bytes" "lds_bytes" "regressed"
expect_ok hipwright -q perf run --head kb --device soft:gfx942 -o again.json -- ./work
expect_ok hipwright perf compare kb.json again.json
# The compiler's own spill, from the reader of code objects.
python3 - <<'P'
import json
record = json.load(open("kb.json"))
for kernel in record["benchmarks"][0]["kernels"]:
    if "vgpr_spills" in kernel["counts"]:
        kernel["counts"]["vgpr_spills"] += 1
json.dump(record, open("spill.json", "w"))
P
expect_exit 1 hipwright perf compare kb.json spill.json
expect_output "scale(float*, int) (gfx942)  vgpr_spills"

# A repository of eight commits; the sixth does more work, the fourth does not build.
git init -q repo
cd repo || exit 1
git config user.name A
git config user.email a@example.org
git config commit.gpgsign false
cp ../base/bench.sh .
for number in 1 2 3 4 5 6 7 8; do
  if [ $number -lt 6 ]; then echo 100; else echo 115; fi >work
  if [ $number = 4 ]; then echo 'exit 1'; else echo 'exit 0'; fi >build.sh
  echo $number >number
  git add . && GIT_COMMITTER_DATE="2026-01-0${number}T00:00:00Z" git commit -qm "Commit $number"
  hipwright -q perf run --runs 10 --max-runs 10 --warmup 0 -o ../record.json -- ./bench.sh >/dev/null || fail "perf run"
  hipwright perf history --add ../record.json ../history.db --commit HEAD --metric work >/dev/null || fail "perf history"
done
expect_ok hipwright perf history ../history.db --metric work --html ../history.html
expect_output "Commit 6" "worse" "+15.0%"
grep -q '<svg' ../history.html || fail "no chart"
expect_ok hipwright perf history ../history.db --metric work --json
expect_output '"subject": "Commit 6"'
expect_ok hipwright -q perf bisect HEAD~7 HEAD --metric work --runs 10 --max-runs 10 --warmup 0 --build 'sh build.sh' -- ./bench.sh
expect_output "first bad commit" "Commit 6" "work +15.0%"
expect_exit 1 hipwright -q perf bisect HEAD~7 HEAD~5 --metric work --runs 10 --max-runs 10 --warmup 0 -- ./bench.sh
expect_output "no regression"
expect_exit 2 hipwright -q perf bisect HEAD HEAD~7 -- ./bench.sh
expect_output "not an ancestor"
[ "$(git worktree list | wc -l)" = 1 ] || fail "working trees are left"
[ -z "$(git status --porcelain)" ] || fail "the repository has changed"
# The commit that breaks the build hides where the work began.
git checkout -q -b hidden HEAD~4
echo 130 >work && echo 'exit 1' >build.sh && git commit -qam "Broken and slow"
echo 'exit 0' >build.sh && git commit -qam "Builds again"
expect_exit 3 hipwright -q perf bisect HEAD~3 HEAD --metric work --runs 10 --max-runs 10 --warmup 0 --build 'sh build.sh' -- ./bench.sh
expect_output "Broken and slow" "Builds again" "one of"
cd ..
expect_exit 2 hipwright perf history none.db
head -c 3000 history.db >cut.db
expect_exit 2 hipwright perf history cut.db
finish
