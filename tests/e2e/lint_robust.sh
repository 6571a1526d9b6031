#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright lint on files that cannot be read or written, as an ordinary user.
. "$(dirname "$0")/lib.sh"
project=$scratch/project
mkdir -p "$project/closed" && cd "$project" || exit 1
bad='#define WARP_SIZE 32\n__device__ bool any_of(int n) { return __any(n < WARP_SIZE); }\n'
# shellcheck disable=SC2059
printf "$bad" >good.cu
cp good.cu secret.cu
cp good.cu closed/inside.cu
printf 'int x;  // hipwright: ignore[HW101] old\n' >fixed.cu

# Permissions mean nothing to root: an ordinary user runs the tool.
as_user() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  needs setpriv
  cp "$HIPWRIGHT" "$scratch/hipwright" && HIPWRIGHT=$scratch/hipwright
  chmod 755 "$scratch" && chown -R 65534:65534 "$project"
  as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
fi
lint() { as_user "$HIPWRIGHT" lint "$@"; }

chmod 000 secret.cu closed
expect_exit 1 lint
expect_output "good.cu:1:9: error: " "secret.cu: not read: Permission denied" \
  "closed/: cannot be opened: Permission denied"
expect_exit 2 lint secret.cu
expect_output "cannot read 'secret.cu': Permission denied"
chmod 755 closed

# Read-only files, and files in read-only folders, stay as they are, and so do the others.
before=$(cat fixed.cu)
as_user cp fixed.cu also.cu
chmod 444 fixed.cu
expect_exit 2 lint --fix fixed.cu also.cu
expect_output "fixed.cu" "read-only" "Nothing was changed"
equal "the file" "$(cat fixed.cu)" "$before"
equal "the other file" "$(cat also.cu)" "$before"
chmod 644 fixed.cu
chmod 555 .
expect_exit 2 lint --fix fixed.cu
expect_output "fixed.cu" "Permission denied"
equal "the file" "$(cat fixed.cu)" "$before"
chmod 755 .
expect_exit 0 lint --fix fixed.cu
equal "the fixed file" "$(cat fixed.cu)" "int x;"

# What goes away while we look is a note or an error, never a crash.
mkdir busy
(
  while [ -d busy ]; do
    for i in 1 2 3 4 5; do cp good.cu busy/$i.cu; cp good.cu busy/$i.py; done 2>/dev/null
    rm -f busy/*.cu busy/*.py
  done
) &
busy=$!
for _ in $(seq 20); do
  code=0
  lint busy >"$scratch/last" 2>&1 || code=$?
  [ $code -le 1 ] || { rmdir busy 2>/dev/null; fail "exit code $code while files come and go"; }
done
rm -rf busy
wait $busy 2>/dev/null
rm -rf busy
finish
