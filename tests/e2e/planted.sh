#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every planted bug is found where its source says "// planted: KIND…", on all targets, and nothing
# else is found. The exit status tells; the JSON report says what and where.
. "$(dirname "$0")/lib.sh"
needs clang++-22 python3
targets="gfx942 gfx90a gfx908 gfx950 gfx1030 gfx1100 gfx1201"
planted=$SOURCE_DIR/tests/soft/planted
programs=$(basename -s .hip "$planted"/*.hip)

# One program of them all: compiling each for five targets would take most of the time.
{
  grep -h '^#include <' "$planted"/*.hip | sort -u
  echo "#include \"$SOURCE_DIR/examples/common/check.h\""
  for program in $programs; do
    printf 'namespace %s {\n#define main run\n#include "%s"\n#undef main\n}\n' "$program" "$planted/$program.hip"
  done
  printf '#include <string_view>\nint main(int, char** words) {\n  const std::string_view name = words[1];\n'
  for program in $programs; do printf '  if (name == "%s") return %s::run();\n' "$program" "$program"; done
  printf '  return 2;\n}\n'
} >"$scratch/all.hip"
# At one place: the program contains the path.
mv "$scratch/all.hip" "$XDG_CACHE_HOME/planted.hip"
compile --arch "${targets// /,}" -g -O3 -Wall -Werror -o "$scratch/all" "$XDG_CACHE_HOME/planted.hip"
all=$scratch/all
reports=$scratch/reports
mkdir "$reports"

on_target() {
  local program code
  for program in $programs; do
    code=0
    hipwright run --check --device "soft:$1" --report "$reports/$program.$1.json" -- "$all" "$program" \
      >"$reports/$program.$1.out" 2>"$reports/$program.$1.err" || code=$?
    echo $code >"$reports/$program.$1.code"
  done
}
# shellcheck disable=SC2086
two_at_once on_target $targets

python3 - "$planted" "$reports" $targets <<'END' || fail "planted bugs were not found as they should be"
import json, pathlib, re, sys
planted, reports = map(pathlib.Path, sys.argv[1:3])
wrong = 0
for source in sorted(planted.glob("*.hip")):
    marked = [(number, *re.search(r"// planted( on \S+)?: (.*)$", line).groups())
              for number, line in enumerate(source.read_text().splitlines(), 1) if "// planted" in line]
    for target in sys.argv[3:]:
        expected = {(kind, f"{source}:{number}") for number, only, kinds in marked
                    for kind in kinds.split() if not only or target in only}
        stem = f"{source.stem}.{target}"
        found = json.loads((reports / f"{stem}.json").read_text())["findings"]
        found = {(each["kind"], each["place"]["source"]) for each in found}
        code = int((reports / f"{stem}.code").read_text())
        if found != expected or code != (99 if expected else 0):
            wrong += 1
            print(f"{stem}: status {code}; missing: {expected - found}; not planted: {found - expected}", file=sys.stderr)
            print((reports / f"{stem}.err").read_text()[:2000], file=sys.stderr)
sys.exit(wrong != 0)
END

# A port must give the same answer on 32-lane and 64-lane waves; this one does not.
for target in $targets; do
  case $target in gfx9*) sum=14400 ;; *) sum=32896 ;; esac
  equal "wave_of_32 on $target" "$(cat "$reports/wave_of_32.$target.out")" "sum $sum"
done
finish
