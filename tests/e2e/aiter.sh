#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# AITER's prebuilt kernels for gfx942 and gfx950, launched as its host code does, give what a plain
# computation on the host gives. HIPWRIGHT_AITER names a checkout of AITER.
. "$(dirname "$0")/lib.sh"
needs clang++-22
[ -n "${HIPWRIGHT_AITER:-}" ] || not_run "HIPWRIGHT_AITER does not name a checkout of AITER"
[ -d "$HIPWRIGHT_AITER/hsa" ] || fail "no directory hsa in $HIPWRIGHT_AITER"
compile --arch gfx942,gfx950 -O2 -o "$scratch/aiter" "$SOURCE_DIR/tests/fixtures/run/aiter.hip"

launched=0 right=0
# kernel TARGET FAMILY FILE ARGUMENT…
kernel() {
  local target=$1 family=$2 file=$HIPWRIGHT_AITER/hsa/$1/$2/$3
  shift 3
  launched=$((launched + 1))
  if hipwright run --device "soft:$target" -- "$scratch/aiter" "$family" "$file" "$@" >"$scratch/out" 2>&1; then
    right=$((right + 1))
  else
    printf '%s %s: %s\n' "$target" "$file" "$(tail -n 4 "$scratch/out" | tr '\n' ' ')"
  fi
}

for target in gfx942 gfx950; do
  # Few rows, then some that do not fill a block.
  while IFS=, read -r name file rows experts topk type; do
    [ "$name" != knl_name ] || continue
    for tokens in 1 37; do kernel $target topksoftmax "$file" "$name" $tokens "$experts" "$topk" "$rows" "$type"; done
  done <"$HIPWRIGHT_AITER/hsa/$target/topksoftmax/topksoftmax.csv"
  while IFS=, read -r tile_m tile_n _ _ name file; do
    [ "$tile_m" != tile_m ] || continue
    kernel $target i8gemm "$file" "$name" $((tile_m + 3)) $((tile_n * 2)) 512 "$tile_m" "$tile_n"
  done < <(tr -d '\r' <"$HIPWRIGHT_AITER/hsa/$target/i8gemm/i8gemm_bf16_perTokenI8.csv")
done
echo "$right of $launched are right"
[ $right = $launched ] || fail "$((launched - right)) of $launched kernels are wrong"
finish
