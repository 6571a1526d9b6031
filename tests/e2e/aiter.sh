#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# AITER's prebuilt kernels for gfx942 and gfx950, launched as its host code does, give what a plain
# computation on the host gives. HIPWRIGHT_AITER names a checkout of AITER.
. "$(dirname "$0")/lib.sh"
needs clang++-22
[ -n "${HIPWRIGHT_AITER:-}" ] || not_run "HIPWRIGHT_AITER does not name a checkout of AITER"
[ -d "$HIPWRIGHT_AITER/hsa" ] || fail "no directory hsa in $HIPWRIGHT_AITER"
compile --arch gfx942,gfx950 -O2 -o "$scratch/aiter" "$SOURCE_DIR/tests/fixtures/run/aiter.hip"

# These lose their results: the loop that reads them back from shared memory never stores them
# there, unlike that of their siblings.
is_broken() {
  case $1/$2 in
    gfx9*/*_fp16_pertokenFp8_g1u1_vs_[sg]*lu_1tg_32x128.co) true ;;
    gfx950/*_bf16_pertokenFp8_g1u1_vs_[sg]*lu_1tg_32x128.co) true ;;
    *) false ;;
  esac
}
launched=0 right=0 broken=0
# rows FILE…: the tables, whether or not their last lines end
rows() { local file; for file in "$@"; do sed '$a\' "$file" | tr -d '\r'; done; }
# kernel TARGET FAMILY FILE ARGUMENT…
kernel() {
  local target=$1 family=$2 folder=$2 file
  [ "$family" != fp8gemm ] || folder=fp8gemm_blockscale
  [ "$family" != attention ] || folder=fmha_v3_fwd
  [ "$family" != paged ] || folder=pa
  [ "$family" != experts ] || folder=fmoe
  file=$HIPWRIGHT_AITER/hsa/$1/$folder/$3
  if is_broken "$1" "$3"; then
    broken=$((broken + 1))
    return
  fi
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
  done < <(rows "$HIPWRIGHT_AITER/hsa/$target/topksoftmax/topksoftmax.csv")
  while IFS=, read -r tile_m tile_n _ _ name file; do
    [ "$tile_m" != tile_m ] || continue
    kernel $target i8gemm "$file" "$name" $((tile_m + 3)) $((tile_n * 2)) 512 "$tile_m" "$tile_n"
  done < <(rows "$HIPWRIGHT_AITER/hsa/$target/i8gemm/i8gemm_bf16_perTokenI8.csv")
  while IFS=, read -r name file _ tile_m tile_n _ shuffled split _; do
    [ "$name" != knl_name ] || continue
    kernel $target bf16gemm "$file" "$name" $((tile_m + 3)) $((tile_n * 2)) 256 "$tile_m" "$tile_n" "$shuffled" $((split + 1))
  done < <(rows "$HIPWRIGHT_AITER/hsa/$target/bf16gemm/bf16gemm_fp32bf16.csv")
  format=ocp
  [ $target != gfx942 ] || format=fnuz
  while IFS=, read -r tile_m tile_n _ _ name file; do
    [ "$tile_m" != tile_m ] || continue
    for splits in 1 2; do
      kernel $target fp8gemm "$file" "$name" $((tile_m + 3)) $((tile_n * 2)) 512 "$tile_m" "$tile_n" $splits $format
    done
  done < <(rows "$HIPWRIGHT_AITER/hsa/$target/fp8gemm_blockscale/fp8gemm_bf16_blockscale.csv")
  # One token per sequence, blocks of 16; the others have several.
  while IFS=, read -r type kv_type gqa tokens _ _ block name file one_launch _; do
    [ "$tokens,$block,$one_launch" = 0,16,0 ] || continue
    kernel $target paged "$file" "$name" "$type" "$kv_type" "$gqa" $format
  done < <(rows "$HIPWRIGHT_AITER/hsa/$target/pa/"*.csv)
  # Those of one stage that quantise between the products themselves (smf 0). 304 compute units.
  for act in silu gelu; do
    for type in bf16 fp16; do
      for levels in Int8 Fp8; do
        while IFS=, read -r name file _ _ smf per_unit persistent tile_m tile_n _; do
          [ "$smf" = 0 ] || continue
          kernel $target experts "$act/$file" "$name" $type ${levels,,} $act $format "$tile_m" "$tile_n" \
            $((persistent * per_unit * 304))
        done < <(rows "$HIPWRIGHT_AITER/hsa/$target/fmoe/$act/fmoe_${type}_pertoken${levels}_g1u1_$act.csv")
      done
    done
  done
  # gfx942 has them for two products; the code of both is launched.
  folders=.
  [ $target != gfx942 ] || folders="MI300 MI308"
  while IFS=, read -r type size value_size mask group _ tile _ name file; do
    [ "$type" = bf16 ] || continue
    for folder in $folders; do
      kernel $target attention "$folder/$file" "$name" $target "$size" "$value_size" "$mask" "$group" "$tile"
    done
  done < <(rows "$HIPWRIGHT_AITER/hsa/$target/fmha_v3_fwd/fmha_fwd.csv")
done
while IFS=, read -r tile_m tile_n split shuffled name file; do
  [ "$tile_m" != tile_M ] || continue
  # Without shuffling, the kernel stores whole tiles.
  rows=$((shuffled ? tile_m + 3 : 2 * tile_m))
  kernel gfx950 f4gemm "$file" "$name" $rows "$tile_n" 512 "$tile_m" "$tile_n" "$shuffled" 0
  [ "$split" = 0 ] || kernel gfx950 f4gemm "$file" "$name" "$tile_m" "$tile_n" 512 "$tile_m" "$tile_n" "$shuffled" 1
done < <(rows "$HIPWRIGHT_AITER/hsa/gfx950/f4gemm/f4gemm_bf16_per1x32Fp4.csv")
echo "$right of $launched are right; $broken lose their results as shipped and were not launched"
[ $right = $launched ] || fail "$((launched - right)) of $launched kernels are wrong"
finish
