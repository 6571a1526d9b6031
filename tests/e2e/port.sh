#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright port, as a user runs it: shown, written elsewhere, merged, written in place, reported. port_in_place.sh has what can go wrong there.
. "$(dirname "$0")/lib.sh"
needs git patch python3
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
commit() { git -C "$1" init -q && git -C "$1" add -A && git -C "$1" -c user.name=t -c user.email=t@t.invalid commit -qm all; }
# Contents, modes and times of all but git's folder.
state() { (cd "$1" && find . -name .git -prune -o -printf '%p %m %T@ %l\n' -type f -exec md5sum {} + | sort); }

tree=$scratch/tree
mkdir -p "$tree/sub"
for i in $(seq 40); do
  printf '#include <cuda_runtime.h>\nvoid f%d(float** p) { cudaMalloc(p, %d); }\n' "$i" "$i" >"$tree/sub/f$i.cu"
done
printf '#include <cuda_runtime.h>\nvoid g(cudaGraphConditionalHandle h);\n' >"$tree/left.cu"
chmod 755 "$tree/sub/f1.cu"
ln -s sub/f1.cu "$tree/link.cu"
touch -d '2001-02-03 04:05:06.789' "$tree"/sub/*.cu "$tree/sub" "$tree"
commit "$tree"

# Shown: a patch that makes what --out writes. What HIP lacks is said, with exit code 1.
for mode in hip dual; do
  code=0
  hipwright port "$tree" --mode $mode >"$scratch/$mode.patch" 2>"$scratch/err" || code=$?
  equal "exit code" "$code" 1
  grep -q 'left.cu:2:.*HP202' "$scratch/err" || fail "the terminal lacks what is left to do"
  grep -q '2 source translation' "$scratch/err" || fail "the terminal lacks the phases"
  expect_exit 1 hipwright port "$tree" --mode $mode --out "$scratch/out_$mode"
  cp -r "$tree" "$scratch/patched"
  patch -d "$scratch/patched" -p1 -s <"$scratch/$mode.patch" || fail "the diff is not a patch"
  diff -r -x .git -x .hipwright "$scratch/patched" "$scratch/out_$mode" >&2 || fail "--diff and --out differ"
  rm -r "$scratch/patched"
done
equal "mode" "$(stat -c %a "$scratch/out_hip/sub/f1.cu")" 755
equal "link" "$(readlink "$scratch/out_hip/link.cu")" sub/f1.cu
expect_exit 2 hipwright port "$tree" --out "$tree/inside"
expect_exit 2 hipwright port "$tree" --out "$scratch"

# Again into the same folder, with somebody's work in it.
echo '// by hand' >>"$scratch/out_hip/sub/f2.cu"
sed -i '1i // upstream' "$tree/sub/f2.cu"
expect_exit 1 hipwright port "$tree" --mode hip --out "$scratch/out_hip"
expect_output "merged 1 with your changes"
equal "merge" "$(grep -c -e '// by hand' -e '// upstream' -e hipMalloc "$scratch/out_hip/sub/f2.cu")" 3

# Where both changed the same line, both are there and the file is named; a state that cannot be read stops it.
echo '// mine' >"$scratch/out_hip/sub/f3.cu"
sed -i 's/void f3/void f33/' "$tree/sub/f3.cu"
expect_exit 2 hipwright port "$tree" --mode hip --out "$scratch/out_hip"
expect_output sub/f3.cu "1 file changed by you and by the port"
grep -q '^<<<<<<< yours' "$scratch/out_hip/sub/f3.cu" && grep -q f33 "$scratch/out_hip/sub/f3.cu" || fail "the conflict is not marked"
git -C "$tree" checkout -q sub/f3.cu
echo '{' >"$scratch/out_hip/.hipwright/port/state.json"
before=$(md5sum <"$scratch/out_hip/sub/f2.cu")
expect_exit 2 hipwright port "$tree" --mode hip --out "$scratch/out_hip"
expect_output state.json
equal "a file" "$(md5sum <"$scratch/out_hip/sub/f2.cu")" "$before"

# In place: only where git could bring it back.
expect_exit 2 hipwright port "$tree" --mode hip --in-place
expect_output "uncommitted changes" sub/f2.cu
git -C "$tree" checkout -q sub/f2.cu
touch -d '2001-02-03 04:05:06.789' "$tree"/sub/*.cu "$tree/sub" "$tree"
state "$tree" >"$scratch/before"
expect_exit 1 hipwright port "$tree" --mode hip --in-place
expect_output "--undo"
grep -q hipMalloc "$tree/sub/f40.cu" || fail "nothing was changed"
equal "what git sees" "$(git -C "$tree" status --porcelain | grep -vc '^ M sub/\|^ M left')" 0
expect_ok hipwright port "$tree" --undo
state "$tree" | diff "$scratch/before" - >&2 || fail "undo did not bring everything back"

# For programs.
code=0; hipwright port "$tree" --json >"$scratch/json" 2>/dev/null || code=$?
equal "exit code" "$code" 1
hipwright port "$tree" --sarif >"$scratch/sarif" 2>/dev/null || true
hipwright port "$tree" --plan --json >"$scratch/plan" || fail "no plan"
python3 - "$scratch" <<'END' || fail "the JSON is not what scripts rely on"
import json, sys
report, sarif, plan = (json.load(open(f"{sys.argv[1]}/{name}")) for name in ("json", "sarif", "plan"))
assert report["summary"]["changed"] == 41 and report["summary"]["errors"] == 1, report["summary"]
assert report["left_to_do"][0]["path"] == "left.cu"
changes = [c for f in report["files"] for c in f["changes"] if c["code"] == "HP201"]
assert sum(c["after"] == "hipMalloc" and c["line"] == 2 and c["phase"] == 2 for c in changes) == 40
[run] = sarif["runs"]
[result] = run["results"]
assert sarif["version"] == "2.1.0" and result["ruleId"] == "HP202" and result["level"] == "error"
assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "HP202"
[place] = result["locations"]
assert place["physicalLocation"]["artifactLocation"]["uri"] == "left.cu"
region = place["physicalLocation"]["region"]
assert region["startLine"] == 2 and 1 <= region["startColumn"] < region["endColumn"], region
[phase] = report["summary"]["phases"]
assert phase["phase"] == 2 and phase["to_do"] == 1 and phase["codes"]["HP202"]["to_do"] == 1
assert [p["phase"] for p in plan["phases"] if p["applies"]] == [2, 8], plan["phases"]
END
state "$tree" | diff "$scratch/before" - >&2 || fail "a report changed the tree"

# Pages.
expect_ok hipwright port explain HP202
expect_output "# HP202"
expect_ok hipwright port codes
expect_output HP201 no-counterpart
expect_exit 2 hipwright port explain HP999

# The report in a browser, if there is one.
hipwright port "$tree" --mode hip --report "$scratch/report.html" >/dev/null 2>&1 || true
grep -q '<section id="files">' "$scratch/report.html" || fail "no report"
grep -q -i -e 'https\?://' -e 'src=' -e '@import' "$scratch/report.html" && fail "the report loads something"
for browser in chromium chromium-browser google-chrome; do
  command -v $browser >/dev/null || continue
  $browser --headless --no-sandbox --disable-gpu --dump-dom "file://$scratch/report.html#HP202" \
    >"$scratch/dom" 2>/dev/null || fail "$browser cannot open the report"
  grep -q '<details id="HP202" open' "$scratch/dom" || fail "a link to a code does not open its page"
  equal "files in the report" "$(grep -o '<details id="file-' "$scratch/dom" | wc -l)" 41
  break
done

# Compiled: what the compiler says is in all reports.
if command -v clang++-22 >/dev/null; then
  printf '__global__ void k(int* p) { *p = not_there; }\n' >"$scratch/bad.cu"
  for format in json sarif text; do
    code=0
    hipwright port "$scratch/bad.cu" --mode hip --compile --arch gfx942 --format $format --report "$scratch/bad.html" >"$scratch/bad.$format" 2>"$scratch/bad.err" || code=$?
    equal "exit code" "$code" 1
  done
  grep -q "not_there" "$scratch/bad.err" || fail "the terminal lacks the compiler's words"
  grep -q "not_there" "$scratch/bad.html" || fail "the report lacks what was compiled"
  python3 - "$scratch" <<'END' || fail "the JSON lacks what was compiled"
import json, sys
report, sarif = (json.load(open(f"{sys.argv[1]}/bad.{name}")) for name in ("json", "sarif"))
assert report["compiled"]["failing"] == 1 and report["compiled"]["compiling"] == 0
[unit] = report["compiled"]["units"]
assert unit["result"] == "fails" and "not_there" in unit["errors"][0]["text"]
assert any(r["ruleId"] == "HP890" and "not_there" in r["message"]["text"] for r in sarif["runs"][0]["results"])
END
fi
finish
