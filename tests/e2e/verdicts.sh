#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The verdicts of the checks on tests/soft/verdicts: no error in a right program, and every planted
# bug found by the kinds that its table names, but for those in missed.txt. All kernels of a file run
# in one process; a finding names its kernel, which has the name of its case.
. "$(dirname "$0")/lib.sh"
needs clang++-22 python3
targets="gfx942 gfx1100"
[ -z "${HIPWRIGHT_TEST_FULL:-}" ] || targets="gfx942 gfx90a gfx908 gfx950 gfx1030 gfx1100 gfx1201"
verdicts=$SOURCE_DIR/tests/soft/verdicts
work=$scratch
programs="right_flags right_programs right_more planted_flags planted_programs planted_more"

program() { compile --arch "${targets// /,}" -std=c++20 -g -O2 -Wall -Werror -o "$work/$1" "$verdicts/$1.hip"; }
on_target() {
  local program code
  for program in $programs; do
    code=0
    timeout 300 "$HIPWRIGHT" run --check --device "soft:$1" --report "$work/$program.$1.json" -- "$work/$program" \
      >"$work/$program.$1.out" 2>"$work/$program.$1.err" || code=$?
    echo $code >"$work/$program.$1.code"
  done
}
# shellcheck disable=SC2086
two_at_once program $programs
for program in $programs; do
  hipwright run --device soft:gfx942 -- "$work/$program" list >"$work/$program.table"
done
# shellcheck disable=SC2086
two_at_once on_target $targets

python3 - "$verdicts/missed.txt" "$work" "$programs" $targets <<'END' || fail "verdicts are not as the tables say"
import collections, json, pathlib, sys
missed_file, scratch = map(pathlib.Path, sys.argv[1:3])
missed = {line.split()[0]: set(line.split()[1:]) for line in missed_file.read_text().splitlines()
          if line and not line.startswith("#")}
wrong = 0
def complain(text):
    global wrong
    wrong += 1
    print(text, file=sys.stderr)
programs = sys.argv[3].split()
for target in sys.argv[4:]:
    planted = found_planted = right = 0
    for program in programs:
        stem = scratch / f"{program}.{target}"
        code = int(stem.with_name(stem.name + ".code").read_text())
        report = json.loads(stem.with_name(stem.name + ".json").read_text())
        if not report["finished"]: complain(f"{target} {program}: ended with {code}")
        errors = collections.defaultdict(set)
        for finding in report["findings"]:
            name = finding["kernel"].removeprefix("void ").replace("(anonymous namespace)::", "").split("(")[0]
            if finding["severity"] == "error": errors[name].add(finding["kind"])
        for line in (scratch / f"{program}.table").read_text().splitlines():
            name, verdict = line.split("\t")
            verdict, _, only = verdict.partition(" on ")
            if only and not target.startswith(only): continue
            if verdict == "right":
                right += 1
                if errors[name]: complain(f"{target} {name} is right; found {errors[name]}")
                continue
            planted += 1
            is_found = bool(errors[name] & set(verdict.split()))
            found_planted += is_found
            is_listed = name in missed and (not missed[name] or any(target.startswith(each) for each in missed[name]))
            if not is_found and not is_listed: complain(f"{target} {name}: no {verdict}; found {errors[name]}")
            if is_found and is_listed: complain(f"{target} {name} is found: take it out of {missed_file.name}")
    print(f"{target}: {right} right programs, {found_planted} of {planted} planted bugs found")
sys.exit(wrong != 0)
END
finish
