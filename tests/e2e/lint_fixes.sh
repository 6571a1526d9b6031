#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every fix of hipwright lint, applied to a program (tests/lint/fixes) that prints what it computes: the fixed program is right
# on wave32 and wave64, and where the original was right, it still is. "right" names the platforms where the original is.
. "$(dirname "$0")/lib.sh"
needs clang++-22 python3
programs=$SOURCE_DIR/tests/lint/fixes
header() { sed -n "s|^[/#]* *$1: ||p" "$2" | head -1; }

# compile FOLDER SOURCE: one program for both targets
compile() {
  case $2 in
    *.cu) "$HIPWRIGHT" -q cc --arch gfx942,gfx1100 -O1 -o "$1/program" "$1/$2" ;;
  esac
}

# run_on TARGET FOLDER SOURCE: prints what the program prints
run_on() {
  case $3 in
    *.cu)
      if [ "$1" = cuda ]; then
        nvcc -x cu -o "$2/program.cuda" "$2/$3" && "$2/program.cuda"
      else
        "$HIPWRIGHT" run --device "soft:$1" -- "$2/program"
      fi ;;
    *.py) PYTHONPATH=$programs/stand_in python3 "$2/$3" ;;
    *.toml) sed -n 's/^requires-python = "\(.*\)"/\1/p' "$2/$3" ;;
  esac | sed 's/ *$//'
}

check() {
  local source=$1 name rule kind wanted right before after target targets
  name=$(basename "$source")
  read -r rule kind < <(header fix "$source")
  wanted=$(header prints "$source") right=$(header right "$source")
  local folder=$scratch/${name%.*}
  mkdir -p "$folder/original" "$folder/fixed"
  cp "$programs/run.h" "$folder/original/"
  cp "$source" "$folder/original/"
  [ "${name##*.}" != toml ] || { mv "$folder/original/$name" "$folder/original/pyproject.toml"; name=pyproject.toml; }
  cp "$folder/original/"* "$folder/fixed/"
  (cd "$folder/fixed" && "$HIPWRIGHT" -q lint --no-config --select "$rule" --fix "$name" >"$folder/log" 2>&1)
  if [ "$kind" = safe ]; then
    cmp -s "$folder/original/$name" "$folder/fixed/$name" && fail "$name: no safe fix of $rule"
  else
    cmp -s "$folder/original/$name" "$folder/fixed/$name" || fail "$name: $rule changes it although its fix is not safe"
  fi
  (cd "$folder/fixed" && "$HIPWRIGHT" -q lint --no-config --select "$rule" --fix=unsafe "$name" >"$folder/log" 2>&1)
  if [ "$kind" = none ]; then
    cmp -s "$folder/original/$name" "$folder/fixed/$name" || fail "$name: $rule has a fix that would be wrong"
  else
    cmp -s "$folder/original/$name" "$folder/fixed/$name" && { cat "$folder/log" >&2; fail "$name: no fix of $rule"; }
  fi
  targets=python
  [ "${name##*.}" != cu ] || targets="gfx942 gfx1100"
  [ "${name##*.}" != cu ] || ! command -v nvcc >/dev/null || targets+=" cuda"
  compile "$folder/fixed" "$name" 2>"$folder/log" || { cat "$folder/log" >&2; fail "$name: the fixed program does not compile"; }
  compile "$folder/original" "$name" 2>"$folder/log"  # HW203 does not compile for AMD as written
  for target in $targets; do
    after=$(run_on "$target" "$folder/fixed" "$name" 2>"$folder/log") || { cat "$folder/log" >&2; fail "$name: the fixed program fails on $target"; }
    equal "$name after its fix on $target" "$after" "$wanted"
    before=$(run_on "$target" "$folder/original" "$name" 2>/dev/null)
    case " $right " in
      *" $target "*) equal "$name as written on $target" "$before" "$wanted" ;;
      *) [ "$before" != "$wanted" ] || fail "$name: already right on $target: nothing is shown" ;;
    esac
  done
}
two_at_once check "$programs"/HW*

# Every fix that a rule offers has such a program.
for rule in $(grep -l '\.description = \|Fix fix{' "$SOURCE_DIR"/src/lint/rules/*/*.cpp | xargs sed -n 's/.*\.code = "\(HW[0-9]*\)".*/\1/p'); do
  [ "$rule" = HW002 ] || compgen -G "$programs/$rule*" >/dev/null || fail "no program shows the fix of $rule"
done
expect_ok python3 "$programs/table.py" "$HIPWRIGHT" --check "$SOURCE_DIR/docs/lint-fixes.md"
finish
