#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright trace, as a user runs it: sums against an independent computation, reports, hostile input, recording.
. "$(dirname "$0")/lib.sh"
fixture=$SOURCE_DIR/tests/fixtures/trace/layer.json
shared=$SOURCE_DIR/../shared/traces

# Durations by name and busy time, by other code: sums and a union of intervals.
check_sums() {
  expect_ok hipwright trace summary --json "$1"
  python3 - "$1" "$last" <<'END' || fail "the sums of $1 differ"
import collections, gzip, json, sys
raw = open(sys.argv[1], "rb").read()
data = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
summary = json.load(open(sys.argv[2]))
events = []  # device, begin, end, name, in nanoseconds
if isinstance(data, dict) and "rocprofiler-sdk-tool" in data:
    for run in data["rocprofiler-sdk-tool"]:
        names = {kernel["kernel_id"]: kernel["formatted_kernel_name"] for kernel in run["kernel_symbols"]}
        for record in run["buffer_records"]["kernel_dispatch"]:
            info = record["dispatch_info"]
            events.append((info["agent_id"]["handle"], record["start_timestamp"], record["end_timestamp"], names[info["kernel_id"]]))
else:
    for event in data["traceEvents"]:
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            begin = round(event["ts"] * 1000)
            events.append((event["args"]["device"], begin, begin + round(event["dur"] * 1000), event["name"]))
assert len(events) == summary["events"], (len(events), summary["events"])
sums, category = collections.Counter(), {}
for _, begin, end, name in events:
    sums[name] += end - begin
told = collections.Counter()
for kernel in summary["kernels"]:
    told[kernel["name"]] += round(kernel["sum_us"] * 1000)
    category[kernel["name"]] = kernel["category"]
assert sums == told, "durations by name"
by_category = collections.Counter()
for name, time in sums.items():
    by_category[category[name]] += time
assert dict(by_category) == {key: round(value["sum_us"] * 1000) for key, value in summary["categories"].items()}, "durations by category"
# Every moment belongs to one event: computation, then communication, then copies; else to the one that began first.
rank = {"communication": 1, "copy": 2}
exclusive, busy = collections.Counter(), 0
for device in {event[0] for event in events}:
    own = sorted((event for event in events if event[0] == device), key=lambda event: event[1])
    points = sorted({time for _, begin, end, _ in own for time in (begin, end)})
    active, at = [], 0
    for low, high in zip(points, points[1:]):
        while at < len(own) and own[at][1] <= low:
            active.append((rank.get(category[own[at][3]], 0), own[at][1], at, own[at][2], category[own[at][3]]))
            at += 1
        active = [each for each in active if each[3] > low]
        if active:
            exclusive[min(active)[4]] += high - low
            busy += high - low
assert busy == round(summary["busy_us"] * 1000), (busy, summary["busy_us"])
for key, value in summary["categories"].items():
    assert exclusive[key] == round(value["exclusive_us"] * 1000), (key, exclusive[key], value)
assert sum(exclusive.values()) == busy
idle = summary["idle"]
assert abs(idle["launch_overhead_us"] + idle["host_us"] + idle["unknown_us"] - idle["total_us"]) < 0.01
assert abs(summary["span_us"] - summary["busy_us"] - idle["total_us"]) < 0.01
assert summary["uncategorised_share"] < 0.01, summary["uncategorised_share"]
END
}
check_sums "$fixture"
grep -q '"code": "graph-capture"' "$last" || fail "an eager decode step should be captured"

expect_ok hipwright trace summary --html "$scratch/report.html" --csv "$scratch/kernels.csv" "$fixture"
expect_output "GPU time by category" "What to do" "launch overhead"
python3 - "$scratch/report.html" "$scratch/kernels.csv" <<'END' || fail "the report is not what it should be"
import csv, json, re, sys
page = open(sys.argv[1]).read()
assert not re.search(r"(?:src|href)\s*=\s*[\"']?(?:https?:)?//", page), "it loads something"
data = json.loads(re.search(r'id="timeline-data">(.*?)</script>', page, re.S)[1])
assert data["rows"] and all(len(row["events"]) % 5 == 0 for row in data["rows"])
assert sum(int(row["count"]) for row in csv.DictReader(open(sys.argv[2]))) == 34
END

# A name that would end the script, and one that would be markup.
python3 - "$scratch/hostile.json" <<'END'
import json, sys
names = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\u202e\ud83d\ude00 \x07"]
json.dump({"traceEvents": [{"ph": "X", "cat": "kernel", "name": name, "ts": i * 9, "dur": 5, "pid": 0, "tid": 0, "args": {"stream": 0, "device": 0}} for i, name in enumerate(names)]}, open(sys.argv[1], "w"))
END
expect_ok hipwright trace summary --html "$scratch/hostile.html" "$scratch/hostile.json"
grep -q '<script>alert' "$scratch/hostile.html" && fail "a kernel's name ran as a script"
grep -q '<img src=x' "$scratch/hostile.html" && fail "a kernel's name became markup"

expect_ok hipwright trace summary --from 0.0005 "$fixture"
expect_output "only a window of the trace"
expect_exit 2 hipwright trace summary --from 9 "$fixture"
expect_output "no GPU event begins in the window"
expect_exit 2 hipwright trace summary --from 2 --to 1 "$fixture"

head -c 3000 "$fixture" >"$scratch/cut.json"
expect_exit 3 hipwright trace summary "$scratch/cut.json"
expect_output "ends in the middle"
head -c 600 "$fixture" >"$scratch/cut_early.json"
expect_exit 3 hipwright trace summary "$scratch/cut_early.json"
expect_output "ends in the middle" "no GPU events in the part that was read"
: >"$scratch/empty.json"
expect_exit 2 hipwright trace summary "$scratch/empty.json"
expect_output "the file is empty"
printf '{"traceEvents":%s' "$(printf '[%.0s' $(seq 20000))" >"$scratch/deep.json"
expect_exit 2 hipwright trace summary "$scratch/deep.json"
expect_exit 2 hipwright trace summary "$scratch/missing.json"

expect_ok hipwright trace compare --html "$scratch/compare.html" "$fixture" "$fixture"
expect_output "Where the difference comes from" "aten::mm"
expect_ok hipwright trace export --perfetto "$scratch/all.json" --shapes "$scratch/gemms.csv" "$fixture"
grep -q "^8,4096,4096,False,torch.bfloat16,torch.bfloat16,False,False$" "$scratch/gemms.csv" || fail "no shape of the fixture"
expect_ok hipwright trace summary --json "$scratch/all.json"

# Two ranks, one of which is late and has another clock.
python3 - "$scratch" <<'END'
import json, sys
for rank, (clock, late) in enumerate([(0, 0), (5000, 300)]):
    events = []
    for i in range(4):
        end = 1000 * i + 400
        begin = end - 390 + (late if rank else 0)
        events.append({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 1, "ts": begin + clock, "dur": end - begin, "args": {"device": 0, "stream": 1}})
    json.dump({"distributedInfo": {"rank": rank, "world_size": 2}, "traceEvents": events}, open(f"{sys.argv[1]}/rank{rank}.json", "w"))
END
expect_ok hipwright trace export --perfetto "$scratch/merged.json" "$scratch/rank0.json" "$scratch/rank1.json"
expect_output "straggler: rank 1 came last to 4 collectives and held up the others by 1.200 ms" "5.000"

# The same where the ranks communicate on the host, on a thread that changes.
python3 - "$scratch" <<'END'
import json, sys
for rank, (clock, late) in enumerate([(0, 0), (5000, 300)]):
    events = [{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 1, "ts": clock, "dur": 9, "args": {"device": 0, "stream": 1}}]
    for i in range(4):
        end = 1000 * i + 400
        begin = end - 390 + (late if rank else 0)
        events.append({"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 9, "tid": 9 - i % 2, "ts": begin + clock, "dur": end - begin})
    json.dump({"traceEvents": events}, open(f"{sys.argv[1]}/host{rank}.json", "w"))
END
expect_ok hipwright trace export --perfetto "$scratch/merged.json" "$scratch/host0.json" "$scratch/host1.json"
expect_output "straggler: rank 1 came last to 4 collectives and held up the others by 1.200 ms" "5.000"

# Recording: a stand-in for torch shows that the hook starts at the import and writes at the end.
mkdir -p "$scratch/site/torch"
cat >"$scratch/site/torch/__init__.py" <<'END'
import json
class _Cuda:
    def is_available(self): return False
    def is_initialized(self): return False
cuda = _Cuda()
class _Profile:
    def __init__(self, **options): self.options = options
    def start(self): self.running = True
    def stop(self): self.running = False
    def export_chrome_trace(self, path):
        assert not self.running
        json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]}, open(path, "w"))
class profiler:
    class ProfilerActivity: CPU, CUDA = "cpu", "cuda"
    profile = _Profile
END
printf 'import sys, torch\nprint("ran", sys.argv[1])\nsys.exit(5)\n' >"$scratch/program.py"
expect_exit 5 env PYTHONPATH="$scratch/site" "$HIPWRIGHT" trace record -o "$scratch/recorded.json" -- python3 "$scratch/program.py" --fast
expect_output "ran --fast" "wrote $scratch/recorded.json with torch.profiler"
expect_exit 0 env PYTHONPATH="$scratch/site" RANK=3 "$HIPWRIGHT" trace record -o "$scratch/recorded.json" -- python3 -c "import torch"
expect_output "recorded.rank3.json"
expect_exit 2 hipwright trace record -o "$scratch/none.json" -- python3 -c "pass"
expect_output "wrote no trace"

if [ -d "$shared" ]; then
  for trace in "$shared"/*.json.gz; do check_sums "$trace"; done
  expect_ok hipwright trace compare "$shared"/h100-gaun*.gz "$shared"/mi300-gaun*.gz
  expect_output "aten::addmm" "launch overhead"
else
  echo "not run: no real traces in $shared"
fi
finish
