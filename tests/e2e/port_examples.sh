#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# examples/cuda, ported by the tool alone: every file compiles for all targets, the ported build
# files build the programs, the programs pass their own checks on the software GPU, and what
# NVIDIA's tools see is what they saw. What needs a ROCm library that is not installed is named, and
# counted as not checked.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22 git make cmake ninja
targets=gfx942,gfx90a,gfx1100,gfx1201
examples=$SOURCE_DIR/examples/cuda
prefix=$(hipwright sdk path) || fail "no SDK"
export PATH=$prefix/bin:$PATH HCC_AMDGPU_TARGET=gfx942,gfx1100

# What the build files of a program build without further libraries, and with what.
programs_of() {
  case $1 in
    driver_nvrtc | graph | streams) echo "make $1" ;;
    ptx) echo "make ptx tensor" ;;
    precision) echo "make precision" ;;
    groups | image_filter | warp_reduce) echo "cmake $1" ;;
  esac
}

# Three: not everything was checked, for want of a library.
compile_exit_of() {
  case $1 in
    groups | libraries | linear_algebra | torch_extension | training) echo 3 ;;
    *) echo 0 ;;
  esac
}

# Files for which some of the targets lack the hardware: from MI200 on, CDNA has no texture
# instructions; HIP has no device code for the numbers of fp8.cu on gfx942, whose fp8 is of another
# kind. FILE TARGETS
special="image_filter/texture.cu gfx1100,gfx1201
precision/fp8.cu gfx90a,gfx1100,gfx1201"

# build MODE PROGRAM FOLDER: through the ported build files; the programs' paths in $built
build() {
  local mode=$1 folder=$3 switch= with name
  set -- $(programs_of "$2")
  built=
  [ $# != 0 ] || return 0
  with=$1
  shift
  if [ "$with" = make ]; then
    [ "$mode" = hip ] || switch=USE_ROCM=1
    expect_ok make -C "$folder" $switch "$@"
    for name in "$@"; do built="$built $folder/$name"; done
  else
    [ "$mode" = hip ] || switch=-DUSE_ROCM=ON
    expect_ok cmake -S "$folder" -B "$folder/build" -G Ninja $switch -DCMAKE_HIP_ARCHITECTURES="gfx942;gfx1100"
    expect_ok cmake --build "$folder/build" --target "$@"
    for name in "$@"; do built="$built $folder/build/$name"; done
  fi
}

# check MODE/PROGRAM
check() {
  local mode=${1%/*} program=${1#*/} ported program_file target file only
  ported=$scratch/ported

  # Those with targets of their own are compiled apart.
  local ignored=()
  while read -r file only; do
    [ "${file%%/*}" = "$program" ] || continue
    ignored+=(--ignore "${file#*/}")
    mkdir -p "$scratch/apart"
    cp "$examples/$file" "$scratch/apart"
    expect_exit 0 hipwright port "$scratch/apart" --mode "$mode" --compile --arch "$only" --out "$scratch/apart.ported"
    expect_output "1 of 1 files compile"
    echo "compiled: $mode $file for $only" >>"$results"
  done <<<"$special"
  expect_exit "$(compile_exit_of "$program")" hipwright port "$examples/$program" --mode "$mode" --compile --arch $targets \
    "${ignored[@]}" --out "$scratch/compiled"
  sed -n "s|^\([0-9]*\) of \([0-9]*\) files compile.*|compiled: $mode $program: \1 of \2 for $targets|p; s|^not checked:|not checked: $mode $program:|p" \
    "$last" >>"$results"

  expect_ok hipwright -q port "$examples/$program" --mode "$mode" --out "$ported"
  # Once more: nothing is left to do.
  expect_ok hipwright -q port "$ported" --mode "$mode"
  equal "the diff of a second port of $1" "$(cat "$last")" ""
  if [ "$mode" = dual ]; then
    expect_ok hipwright port --check-isolation "$examples/$program" "$ported"
    expect_output " 0 changed for NVIDIA"
  fi

  build "$mode" "$program" "$ported"
  for program_file in $built; do
    for target in gfx942 gfx1100; do
      expect_ok hipwright run --device "soft:$target" -- "$program_file"
      expect_output PASS
      echo "passed: $mode $program/$(basename "$program_file") on $target" >>"$results"
    done
  done
}

# planted FILE OLD NEW: a change of what NVIDIA sees in a ported file is found
planted() {
  local tree=${1%%/*} before
  cp -r "$scratch/dual/$tree" "$scratch/planted"
  before=$(cksum <"$scratch/planted/${1#*/}")
  sed -i "s|$2|$3|" "$scratch/planted/${1#*/}"
  [ "$before" != "$(cksum <"$scratch/planted/${1#*/}")" ] || fail "$1 has no $2"
  expect_exit 1 hipwright port --check-isolation "$examples/$tree" "$scratch/planted"
  expect_output " 1 changed for NVIDIA" "$3"
  rm -rf "$scratch/planted"
}

# Quick, and most likely to break: what keeps NVIDIA's path.
for tree in torch_extension torch_python groups streams; do
  expect_ok hipwright -q port "$examples/$tree" --mode dual --out "$scratch/dual/$tree"
  expect_ok hipwright port --check-isolation "$examples/$tree" "$scratch/dual/$tree"
  expect_output " 0 changed for NVIDIA"
done
planted torch_extension/rowwise/csrc/rms_norm.cu "value \* value" "value + value"
planted torch_extension/setup.py compute_80 compute_90
planted torch_python/assistant/model.py "allow_tf32 = True" "allow_tf32 = False"
planted groups/CMakeLists.txt 'CUDA_ARCHITECTURES "80;90"' 'CUDA_ARCHITECTURES "70"'
planted streams/Makefile "-arch=sm_80" "-arch=sm_70"
grep -q "for_hipcc(nvcc_flags) if IS_HIP_EXTENSION" "$scratch/dual/torch_extension/setup.py" || fail "hipcc gets nvcc's options"

results=$scratch/results
touch "$results"
jobs=()
for folder in "$examples"/*/; do
  for mode in hip dual; do jobs+=("$mode/$(basename "$folder")"); done
done
two_at_once check "${jobs[@]}"
sort "$results"
# Nine programs that need no further library, on two GPUs, in two modes.
equal "programs that passed" "$(grep -c ^passed "$results")" $((9 * 2 * 2))
grep -q "not checked: dual torch_extension: the headers of PyTorch for ROCm .*binding.cpp" "$results" || fail "the binding was not reported"
finish
