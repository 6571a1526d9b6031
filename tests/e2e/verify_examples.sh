#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The own CUDA programs: ported by the tool alone, run on 64-lane and 32-lane waves, and held
# against what the originals gave on an NVIDIA GPU (golden/ of each). Nothing is not checked but what
# needs a library or an instruction that the targets lack.
. "$(dirname "$0")/lib.sh"
examples=$SOURCE_DIR/examples/cuda

whole() {
  expect_ok hipwright port "$examples/$1" --verify --arch gfx942,gfx1100
  expect_output "static      pass" "build       pass" "functional  pass" "numerical   pass"
  equal "devices of $1" "$(grep -c 'not checked [^0-9]' "$last")" 0
}
two_at_once whole driver_nvrtc graph precision ptx streams warp_reduce

# libcu++ is not everywhere; textures are not on CDNA.
expect_exit 3 hipwright port "$examples/groups" --verify --arch gfx942,gfx1100
expect_output "libhipcxx is not installed" "numerical   not checked 3 passed, 0 failed, 1"
expect_exit 1 hipwright port "$examples/image_filter" --verify --arch gfx942,gfx1100
expect_output "has no texture or surface instructions" "numerical   not checked 3 passed, 0 failed, 1"
expect_ok hipwright port "$examples/image_filter" --verify --arch gfx90a,gfx1100 --device soft:gfx90a,soft:gfx1100
expect_output "functional  pass" "numerical   pass        6 passed"

# Golden results of other sources, and damaged ones, are no proof.
cp -r "$examples/streams" "$scratch/streams"
echo '// changed' >>"$scratch/streams/streams.cu"
expect_exit 1 hipwright port "$scratch/streams" --verify --arch gfx942,gfx1100
expect_output "other sources"
head -c 100 "$examples/streams/golden/streams.safetensors" >"$scratch/streams/golden/streams.safetensors"
expect_exit 1 hipwright port "$scratch/streams" --verify --arch gfx942,gfx1100
expect_output "cannot read the golden results" "streams.safetensors" "functional  pass"
finish
