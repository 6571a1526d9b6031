#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# examples/cuda, ported by the tool alone: every file compiles for all targets, every program passes
# its own check on the software GPU, and what NVIDIA's compiler sees is what it saw. What needs a
# ROCm library that is not installed is named, and counted as not checked.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22 git
targets=gfx942,gfx90a,gfx1100,gfx1201
examples=$SOURCE_DIR/examples/cuda

# Headers of libraries that ROCm has and Debian 12 has not, and PyTorch's.
is_of_library() {
  case $1 in
    hipblas/* | hipblaslt/* | hipfft/* | hiprand/* | hipsolver/* | hipsparse/* | hipcub/* | thrust/* | \
      miopen/* | rccl/* | amd_smi/* | roctracer/* | rocprofiler-sdk-roctx/* | cuda/* | ATen/* | torch/*) return 0 ;;
  esac
  return 1
}

# compile NAME SOURCE OUTPUT WORD…: what is missing, or nothing; anything but a library is a failure
compile() {
  local name=$1 source=$2 output=$3 header
  shift 3
  missing=
  hipwright -q cc "$@" -std=c++17 -O2 -o "$output" "$source" >"$scratch/log" 2>&1 && return
  header=$(sed -n "s/.*fatal error: '\(.*\)' file not found/\1/p" "$scratch/log" | head -1)
  if [ -n "$header" ] && is_of_library "$header"; then
    missing=$header
    return
  fi
  last=$scratch/log
  fail "$name does not compile after porting"
}

# The targets that a program can be for. From MI200 on, CDNA has no texture instructions; HIP has no
# device code for the numbers of fp8.cu on gfx942, whose fp8 is of another kind.
targets_of() {
  case $1 in
    image_filter.cu) echo gfx1100,gfx1201 ;;
    fp8.cu) echo gfx90a,gfx1100,gfx1201 ;;
    *) echo $targets ;;
  esac
}

# check MODE/PROGRAM: ports and compiles it, runs it on one target with each width of a wave
check() {
  local mode=${1%/*} program=${1#*/} ported source name target
  ported=$scratch/ported
  expect_ok hipwright -q port "$examples/$program" --mode "$mode" --out "$ported"
  for source in $(cd "$ported" && find . -name '*.cu' -o -name '*.cpp' | sort); do
    name=$(basename "$source")
    if grep -q 'int main' "$ported/$source"; then
      compile "$1/$name" "$ported/$source" "$scratch/$name.out" --arch "$(targets_of "$name")" -lhiprtc
    else
      compile "$1/$name" "$ported/$source" "$scratch/$name.o" --arch "$(targets_of "$name")" -c
    fi
    if [ -n "$missing" ]; then
      echo "not checked: $mode $program/$name needs <$missing>" >>"$results"
      continue
    fi
    echo "compiled: $mode $program/$name for $(targets_of "$name")" >>"$results"
    [ -e "$scratch/$name.out" ] || continue
    for target in gfx942 gfx1100; do
      case ,$(targets_of "$name"), in *,$target,*) ;; *) continue ;; esac
      expect_ok hipwright run --device "soft:$target" -- "$scratch/$name.out"
      expect_output PASS
      echo "passed: $mode $program/$name on $target" >>"$results"
    done
  done

  # Once more: nothing is left to do.
  expect_ok hipwright -q port "$ported" --mode "$mode"
  equal "the diff of a second port of $1" "$(cat "$last")" ""

  [ "$mode" = dual ] || return 0
  expect_ok hipwright port --check-isolation "$examples/$program" "$ported"
  expect_output " 0 leak"
}

results=$scratch/results
touch "$results"
jobs=()
for folder in "$examples"/*/; do
  for mode in hip dual; do jobs+=("$mode/$(basename "$folder")"); done
done
two_at_once check "${jobs[@]}"
sort "$results"
# What can be compiled here is: nine programs and the extension's kernel, in both modes.
[ "$(grep -c ^compiled "$results")" -ge 18 ] || fail "only $(grep -c ^compiled "$results") files were compiled"
grep -q "not checked: dual torch_extension/binding.cpp" "$results" || fail "the binding was not reported"
finish
