#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: drift.sh BASE, in a git checkout of a CUDA project whose history has BASE.
# Ports the checkout to HIP, compiles it, runs it on a software GPU with 64 and 32 lanes, and writes a comment. What already fails
# at BASE is not blamed on the change. Exit code: 0 ok, 1 broken, 3 not checked.
set -u
base=$1
scratch=$(mktemp -d "${RUNNER_TEMP:-/tmp}/drift.XXXXXX")
comment=$scratch/comment.md

# verify DIRECTORY NAME: ports and proves it; the report goes to NAME.log, the exit code to $?
verify() { hipwright -q port "$1" --verify --out "$scratch/$2" >"$scratch/$2.log" 2>&1; }

git rev-parse --quiet --verify "$base^{commit}" >/dev/null || {
  echo "drift.sh: unknown commit '$base': fetch it (fetch-depth: 0)" >&2
  exit 2
}
mkdir "$scratch/head.tree" "$scratch/base.tree"
git archive HEAD | tar -x -C "$scratch/head.tree"
git archive "$base" | tar -x -C "$scratch/base.tree"

verify "$scratch/head.tree" head
code=$?
verdict=ok
case $code in
  0) ;;
  3) grep -q ' fail ' "$scratch/head.log" && verdict=broken ;;
  1) verdict=broken ;;
  *) verdict=not-checked ;;
esac
if [ $verdict = broken ]; then
  verify "$scratch/base.tree" base
  [ $? = 1 ] && verdict=broken-before
fi

# Findings on the changed lines only.
git diff --unified=0 "$base" HEAD -- >"$scratch/change.diff"
hipwright -q lint "$scratch/head.tree" --format json >"$scratch/lint.json" 2>/dev/null
python3 "$(dirname "$0")/findings.py" "$scratch" "$verdict" >"$scratch/findings.md"

case $verdict in
  ok) echo "**HIP: ok.** The port compiles and its results are the same with 64 and 32 lanes." ;;
  broken) echo "**This breaks HIP.**" ;;
  broken-before) echo "**HIP was broken before this change**, and still is." ;;
  not-checked) echo "**HIP: not checked.** The port did not complete." ;;
esac >"$comment"
if [ -s "$scratch/findings.md" ]; then
  { echo; echo "On the changed lines:"; echo; cat "$scratch/findings.md"; } >>"$comment"
fi
if [ $verdict != ok ]; then
  { echo; echo '```'; grep -vE '^(compiling|running):' "$scratch/head.log" | tail -40; echo '```'; } >>"$comment"
fi
cat "$comment"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$comment" >>"$GITHUB_STEP_SUMMARY"
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'verdict=%s\ncomment=%s\ndata=%s\n' "${verdict%-before}" "$comment" "$scratch/drift.json" >>"$GITHUB_OUTPUT"
case $verdict in
  ok) exit 0 ;;
  not-checked) exit 3 ;;
  *) exit 1 ;;
esac
