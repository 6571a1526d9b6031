#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The README's first command, with nothing but what ./hipwright builds: what only a full build makes
# must not be needed.
. "$(dirname "$0")/lib.sh"
needs ninja

targets=$(sed -n 's/^ *build release \(.*\)$/\1/p' "$SOURCE_DIR/hipwright")
[ -n "$targets" ] || fail "./hipwright names no targets"
made=$(ninja -C "$BUILD_DIR" -t commands $targets | grep -oE ' -o (bin|lib)/[^ ]+' | sed 's/^ -o //' | sort -u)
case $made in *bin/hipwright*) ;; *) fail "./hipwright does not build the tool: $made" ;; esac
for file in $made; do
  case $file in *.a) continue ;; esac # for users of the library
  mkdir -p "$scratch/build/$(dirname "$file")"
  ln "$BUILD_DIR/$file" "$scratch/build/$file" 2>/dev/null || cp "$BUILD_DIR/$file" "$scratch/build/$file" || fail "$file was not built"
done
unset HIPWRIGHT_SOFT_LIBRARY

# As the README has it, but for the folders and random orders of waves, which are other tests'.
grep -q './hipwright port examples/tour --verify --fix --out tour --report tour.html' "$SOURCE_DIR/README.md" || fail "the README begins otherwise"
HIPWRIGHT=$scratch/build/bin/hipwright
expect_ok hipwright port "$SOURCE_DIR/examples/tour" --verify --fix --out "$scratch/tour" --report "$scratch/tour.html" \
  --arch gfx942,gfx1100 --schedules 0
expect_output "functional  fail" "fixed 2 places" "numerical   pass"
grep -q 'matches NVIDIA H200' "$scratch/tour.html" || fail "the report does not compare with the original"

# It is the launcher's list that is tested: without the software GPU nothing runs.
rm -r "$scratch/build/lib"
expect_exit 1 hipwright port "$SOURCE_DIR/examples/tour" --verify --arch gfx942 --schedules 0
expect_output "cannot open a software GPU" "functional  not checked"
finish
