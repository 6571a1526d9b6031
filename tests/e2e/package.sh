#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tarball's tree: nothing in it needs a library that is neither in it nor glibc's, or a glibc newer than 2.35; moved
# elsewhere it still works, also where there is nothing but glibc.
. "$(dirname "$0")/lib.sh"
needs patchelf objdump readelf python3 ninja
ninja -C "$BUILD_DIR" -t query hipwright_portable >/dev/null 2>&1 || not_run "this build has no portable targets"

expect_ok env BUILD_DIR="$BUILD_DIR" "$SOURCE_DIR/tools/package" --stage-only "$scratch/made"
mkdir "$scratch/elsewhere" && mv "$(tail -n 1 "$last")" "$scratch/elsewhere/hipwright" || exit 1
tree=$scratch/elsewhere/hipwright
grep -q "^ADD hipwright-.*-linux-x86_64.tar.gz /opt/" "$scratch/made/Containerfile" || fail "no recipe for a container"

# Ubuntu 22.04's glibc.
expect_ok python3 "$SOURCE_DIR/tools/portable.py" "$tree"
[ "$(cat "$last")" = 2.35 ] || fail "the tarball needs glibc $(cat "$last")"

# Its own compiler and device libraries, not those of this machine.
expect_ok env PATH=/nowhere "$tree/bin/hipwright" toolchain
expect_output "$tree/llvm/bin/clang++" "$tree/amdgcn/bitcode" "22."
export XDG_CACHE_HOME=$scratch/cache
expect_ok "$tree/bin/hipwright" -q cc --arch gfx942,gfx1100 -O2 -o "$scratch/add" "$SOURCE_DIR/examples/vector_add/vector_add.hip"
for target in gfx942 gfx1100; do
  expect_ok "$tree/bin/hipwright" run --check --device soft:$target -- "$scratch/add"
  expect_output PASS
done
printf '#include <hip/hip_runtime.h>\n__global__ void k(int* p) { __threadfence(); atomicAdd(p, 1); }\nint main() {}\n' >"$scratch/fence.hip"
expect_ok "$tree/bin/hipwright" -q cc --arch gfx942 -o "$scratch/fence" "$scratch/fence.hip"
grep -qa "hipwright\.fence\." "$scratch/fence" || fail "cc keeps no notes of fences"
# The commands that need no compiler.
cd "$scratch" || exit 1
expect_ok "$tree/bin/hipwright" optimize "$SOURCE_DIR/tests/fixtures/graph/decoder.onnx" --level aggressive -o "$scratch/decoder.onnx"
expect_output "accuracy:      pass"
expect_ok "$tree/bin/hipwright" run-model "$scratch/decoder.onnx"
expect_ok "$tree/bin/hipwright" sdk list
expect_output hipblas
expect_ok "$tree/bin/hipwright" kernels build --arch gfx942 --op add -o "$scratch/bundles"
expect_ok "$tree/bin/hipwright" inspect "$scratch/bundles/add.hipfb"
expect_output gfx942
expect_ok ldd "$tree/lib/hipwright/libhipwright_soft.so"
grep -qE 'stdc\+\+|LLVM|not found' "$last" && fail "the software GPU brings other libraries into a program"

# A root with nothing but glibc.
[ "$(id -u)" = 0 ] || { echo "not run: chroot needs root"; finish; }
bare=$scratch/bare
mkdir -p "$bare"/{lib64,lib/x86_64-linux-gnu,opt,tmp,proc,dev}
cp /lib64/ld-linux-x86-64.so.2 "$bare/lib64/"
cp -L /lib/x86_64-linux-gnu/{libc.so.6,libm.so.6,libdl.so.2,libpthread.so.0,librt.so.1,libresolv.so.2} "$bare/lib/x86_64-linux-gnu/"
mv "$tree" "$bare/opt/hipwright"
cp -r "$SOURCE_DIR/tests/fixtures/inspect/axpy.hipfb" "$SOURCE_DIR/examples/tour" "$bare/tmp/"
mount --bind /proc "$bare/proc" 2>/dev/null || { echo "not run: /proc cannot be mounted in the chroot"; finish; }
trap 'umount "$bare/proc"; rm -rf "$scratch"' EXIT
# inside WORDS…: the tool in there
inside() { chroot "$bare" /opt/hipwright/bin/hipwright "$@"; }
expect_ok inside arch MI300X
expect_output gfx942
expect_ok inside inspect /tmp/axpy.hipfb
expect_output reverse
expect_exit 1 inside lint /tmp/tour
expect_output HW201
expect_ok inside port /tmp/tour --out /tmp/ported
[ -f "$bare/tmp/ported/positive.cu" ] || fail "nothing was ported"
expect_exit 2 inside cc -c /tmp/tour/positive.cu
expect_output "this machine lacks: C library headers, C++ standard library headers, libgcc" "apt-get install g++"
expect_ok chroot "$bare" /opt/hipwright/llvm/bin/clang++ --version
expect_output "clang version 22"
finish
