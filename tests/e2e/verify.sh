#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright verify as people run it: a kernel by its spec, parts of a sweep on several processes,
# one that was killed and goes on, and the main flow from a CUDA program to a proven port.
. "$(dirname "$0")/lib.sh"
needs python3

kernels=$scratch/kernels
mkdir "$kernels"
cat >"$kernels/scale.hip" <<'END'
#include <hip/hip_runtime.h>
extern "C" __global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 3.0f * x[i];
}
END

# A first spec comes from the source, and can be run as it is.
expect_exit 2 hipwright verify kernel "$kernels/scale.hip"
expect_output "--init"
hipwright verify kernel --init "$kernels/scale.hip" >"$kernels/scale.kernel.toml" || fail "--init"
expect_ok hipwright verify kernel "$kernels/scale.hip"
expect_output "numerical   pass" "functional  pass" "build       pass" "static      not checked"

# Nothing runs where there is no such device, or with other arguments than the kernel's.
for device in banana soft:gfx1 hip:99 cpu; do
  expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --device $device
  expect_output "cannot run on" "$device"
done
sed 's/"n", type = "i32"/"n", type = "i64"/' "$kernels/scale.kernel.toml" >"$kernels/wide.kernel.toml"
expect_exit 2 hipwright verify kernel "$kernels/wide.kernel.toml"
expect_output "wide.kernel.toml:11:3" "takes int n"
expect_ok hipwright verify kernel "$kernels/scale.hip" --device soft:gfx942
expect_output "numerical   not checked" "a second device"

# Without a compiler nothing is known of a source: that is no failure of it.
expect_exit 3 env HIPWRIGHT_CLANG=/none/clang++ "$HIPWRIGHT" verify kernel "$kernels/scale.hip" --device soft:gfx942
expect_output "build       not checked 0 passed, 0 failed" "HIPWRIGHT_CLANG does not name a program"
cp -r "$SOURCE_DIR/examples/tour" "$scratch/uncompiled"
expect_exit 1 env HIPWRIGHT_CLANG=/none/clang++ "$HIPWRIGHT" verify "$scratch/uncompiled" --level build
expect_output "build       not checked 0 passed, 0 failed"

# A reference that says otherwise is a failure that says where.
printf 'void scale(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 3.0f * x[i] + (i %% 64 >= 32); }\n' >"$kernels/scale.cpp"
sed -i 's/^source = .*/&\nreference = "scale.cpp"/' "$kernels/scale.kernel.toml"
expect_exit 1 hipwright verify kernel "$kernels/scale.hip" --device soft:gfx942 --report "$scratch/report.html" --markdown "$scratch/pr.md"
expect_output "of 1000 elements differ" "lane"
grep -q 'data:image/png;base64' "$scratch/report.html" || fail "the report has no picture"
if grep -qE 'src="http|href="http|url\(' "$scratch/report.html"; then fail "the report asks others"; fi
grep -q 'Not verified on hardware' "$scratch/pr.md" || fail "the section for a pull request claims hardware"
sed -i 's/ + (i % 64 >= 32)//' "$kernels/scale.cpp"

# Golden results: kept from one device, held against others; another shape, type or a cut file is said.
hipwright verify kernel "$kernels/scale.hip" --device soft:gfx1100 --capture "$kernels/scale.safetensors" 2>"$scratch/err" || fail "--capture: $(cat "$scratch/err")"
expect_ok hipwright verify golden show "$kernels/scale.safetensors"
expect_output "gfx1100" "scale on soft:gfx1100, seed 1" "clang"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --only other
sed -i 's/^source = .*/&\ngolden = "scale.safetensors"/' "$kernels/scale.kernel.toml"
expect_ok hipwright verify kernel "$kernels/scale.hip" --device soft:gfx942
cp "$kernels/scale.hip" "$scratch/scale.hip"
echo '// changed' >>"$kernels/scale.hip"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --device soft:gfx942
expect_output "other sources"
cp "$scratch/scale.hip" "$kernels/scale.hip"
head -c 200 "$kernels/scale.safetensors" >"$kernels/cut" && mv "$kernels/cut" "$kernels/scale.safetensors"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --device soft:gfx942
expect_output "scale.safetensors"
sed -i '/^golden/d' "$kernels/scale.kernel.toml"

# Compiled before, bundled or not: what it has no code for is not checked, what it takes is reported.
for form in "" "--offload-compress"; do
  hipwright cc --arch gfx942,gfx1100 --cuda-device-only --gpu-bundle-output $form -o "$kernels/scale.hsaco" "$kernels/scale.hip" 2>"$scratch/err" || fail "bundle: $(cat "$scratch/err")"
  sed -e 's/^source.*/code = "scale.hsaco"/' -e '/^reference/d' "$kernels/scale.kernel.toml" >"$kernels/bundle.kernel.toml"
  expect_exit 3 hipwright -q verify kernel "$kernels/bundle.kernel.toml" --json
  python3 - "$last" <<'PY' || fail "the bundle $form"
import json, sys
checks = json.load(open(sys.argv[1]))["checks"]
built = {c["question"]: c for c in checks if c["level"] == "build"}
assert built["compiles for soft:gfx942"]["verdict"] == "pass", built
assert "VGPRs" in built["compiles for soft:gfx1100"]["evidence"], built
for gone in ("soft:gfx90a", "soft:gfx1201"):
    check = built["has code for " + gone]
    assert check["verdict"] == "not checked" and "only for gfx1100, gfx942" in check["evidence"], check
assert any("wave32" in c["question"] and c["verdict"] == "pass" for c in checks)
PY
done
sed 's/"n", type = "i32"/"n", type = "i64"/' "$kernels/bundle.kernel.toml" >"$kernels/wide.kernel.toml"
expect_exit 2 hipwright verify kernel "$kernels/wide.kernel.toml"
expect_output "wide.kernel.toml:" "takes 4 bytes"
sed 's/^block/limits = { vgprs = 1 }\n&/' "$kernels/bundle.kernel.toml" >"$kernels/limits.kernel.toml"
expect_exit 1 hipwright verify kernel "$kernels/limits.kernel.toml" --device soft:gfx942
expect_output "build       fail" "vgprs exceeds the spec's limit of 1"

# A kernel that does not end may only be slow: that proves nothing.
cat >"$kernels/wait.hip" <<'END'
#include <hip/hip_runtime.h>
extern "C" __global__ void wait(int* y) {
  volatile int* flag = y;
  while (*flag != 77) {
  }
  y[threadIdx.x] = 1;
}
END
hipwright verify kernel --init "$kernels/wait.hip" >"$kernels/wait.kernel.toml" || fail "--init"
expect_exit 3 hipwright verify kernel "$kernels/wait.hip" --device soft:gfx942 --schedules 0 --timeout 5
expect_output "functional  not checked" "timed out after 5 s" "raise --timeout"

# More devices than one of each wave size are compared, too; what is built from the folder above.
nested=$scratch/nested
mkdir -p "$nested/src" "$nested/include/own"
printf 'constexpr int own_size = 64;\n' >"$nested/include/own/size.h"
cat >"$nested/src/main.hip" <<'END'
#include <cstdio>
#include <hip/hip_runtime.h>
#include <own/size.h>
__global__ void fill(int* y) { y[threadIdx.x] = FACTOR * threadIdx.x; }
int main(int argc, char** argv) {
  int *y, host[own_size];
  (void)hipMalloc(&y, sizeof host);
  fill<<<1, own_size>>>(y);
  (void)hipMemcpy(host, y, sizeof host, hipMemcpyDeviceToHost);
  (void)hipFree(y);
  printf("%d with %s\n", host[own_size - 1], argc > 1 ? argv[1] : "nothing");
}
END
printf 'all:\n\thipcc -Iinclude -DFACTOR=3 -o fill src/main.hip\nrun: all\n\t./fill 4096\n' >"$nested/Makefile"
expect_ok hipwright verify "$nested" --arch gfx1100,gfx1201 --device soft:gfx1100,soft:gfx1201 --schedules 0 --markdown "$scratch/nested.md" --json
grep -q 'soft:gfx1100 and soft:gfx1201 agree' "$last" || fail "the second device was not compared"
grep -q '189 with 4096' "$last" || fail "macros and arguments of the Makefile above"

# Four processes of one sweep, and what they found put together.
export PMIX_MCA_gds=hash  # quiet about shared memory in small containers
parts=$scratch/parts
needs mpirun
mpirun --allow-run-as-root --oversubscribe -n 4 "$HIPWRIGHT" verify kernel "$kernels/scale.hip" --seeds 2 --results "$parts" >"$scratch/mpi" 2>&1 || fail "mpirun: $(cat "$scratch/mpi")"
expect_ok hipwright verify merge "$kernels/scale.hip" "$parts" --seeds 2
expect_output "0 failed, 0 not checked"
runs=$(ls "$parts"/*.json | wc -l)
[ "$runs" -ge 16 ] || fail "only $runs runs"
# A part that is missing is not a pass.
rm "$(ls "$parts"/*.json | head -1)"
expect_exit 3 hipwright verify merge "$kernels/scale.hip" "$parts" --seeds 2
expect_output "1 not checked"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --shard 4/4 --results "$parts"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --shard 0/4
expect_output "--results"

# Killed in the middle, it goes on with what is left.
half=$scratch/half
"$HIPWRIGHT" verify kernel "$kernels/scale.hip" --results "$half" >"$scratch/killed" 2>&1 &
pid=$!
while kill -0 $pid 2>/dev/null && [ "$(ls "$half" 2>/dev/null | grep -cE '^[0-9a-f]+\.json$')" -lt 6 ]; do sleep 0.05; done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
touch -d '2001-01-01' "$half"/*.json
expect_ok hipwright verify kernel "$kernels/scale.hip" --results "$half"
expect_output "numerical   pass"
kept=$(find "$half" -name '*.json' ! -newermt '2002-01-01' | wc -l)
[ "$kept" -ge 3 ] || fail "only $kept results of the first run were used again"

# What is not there is an error, what has nothing in it is no pass, and headers count.
expect_exit 2 hipwright verify "$SOURCE_DIR/examples/tour" --device soft:gfx1
expect_exit 2 hipwright verify "$scratch/nowhere"
expect_output "cannot verify" "no such file or directory"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --seeds 0
mkdir "$scratch/empty"
expect_exit 2 hipwright verify "$scratch/empty"
expect_output "no sources in"
sed 's/3.0f/factor/; 1a #include "factor.h"' "$kernels/scale.hip" >"$kernels/by_header.hip"
echo 'constexpr float factor = 3.0f;' >"$kernels/factor.h"
sed 's/scale\.hip/by_header.hip/; /reference/d' "$kernels/scale.kernel.toml" >"$kernels/by_header.kernel.toml"
expect_ok hipwright verify kernel "$kernels/by_header.hip" --device soft:gfx942 --results "$scratch/headers"
echo '#error "not this way"' >"$kernels/factor.h"
expect_exit 1 hipwright verify kernel "$kernels/by_header.hip" --device soft:gfx942 --results "$scratch/headers"
expect_output "not this way"

# Programs: in other orders of waves too, and what could not be compared is said.
order=$scratch/order
mkdir "$order"
cat >"$order/order.hip" <<'END'
#include <cstdio>
#include <vector>
#include <hip/hip_runtime.h>
#include <hipwright/golden.h>
__global__ void take(int* next, int* order) {
  if (threadIdx.x == 0) order[atomicAdd(next, 1)] = blockIdx.x;
}
int main(int argc, char**) {
  int *next, *order;
  (void)hipMalloc(&next, 4);
  (void)hipMalloc(&order, 64 * 4);
  (void)hipMemset(next, 0, 4);
  take<<<64, 64>>>(next, order);
  std::vector<int> host(64);
  (void)hipMemcpy(host.data(), order, 64 * 4, hipMemcpyDeviceToHost);
  (void)hipFree(next);
  (void)hipFree(order);
  if (argc == 2) hipwright_golden("order", host);
  if (argc == 3) hipwright_golden_any_order("order", host);
  puts("done");
}
END
expect_ok hipwright verify --arch gfx942,gfx1100 "$order"  # the list ends with its word
expect_output "wave32 (soft:gfx1100) and wave64 (soft:gfx942) agree" "nothing was captured, and no number is printed" \
  "wave order does not matter on soft:gfx942" "functional  pass"
expect_exit 1 hipwright verify "$order" --arch gfx942,gfx1100 --arguments order --schedules 1
expect_output "functional  fail" "wave order does not matter" "random:1: order: " "--schedule random:1 -- ./order order"
expect_ok hipwright verify "$order" --arch gfx942,gfx1100 --arguments "in any" --schedules 1
expect_output "functional  pass"
expect_ok hipwright verify "$order" --arch gfx942,gfx1100 --device soft:gfx942 --schedules 0
expect_output "nothing ran with 32-lane waves" "no other order was requested"
expect_ok hipwright verify "$order" --arch gfx942 --schedules 0
expect_output "it was compiled only for gfx942" "functional  not checked"

# What a program hides: a launch that failed, findings without a goodbye, a run without a kernel.
hidden=$scratch/hidden
mkdir "$hidden"
for way in refused leaves nothing; do
  cat >"$hidden/$way.hip" <<END
#include <cstdio>
#include <unistd.h>
#include <hip/hip_runtime.h>
__global__ void refused(int* y) { y[threadIdx.x] = 1; }
__global__ void leaves(int* y) {
  __shared__ int t[64];
  if (threadIdx.x < 32) t[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = t[63 - threadIdx.x];
}
__global__ void nothing(int*) {}
int main(int argc, char**) {
  int* y;
  (void)hipMalloc(&y, 8192);
  if (argc == 1 && "$way"[0] != 'n') $way<<<1, "$way"[0] == 'r' ? 2048 : 64>>>(y);
  (void)hipDeviceSynchronize();
  puts("1");
  fflush(stdout);
  if ("$way"[0] == 'l') _exit(0);
}
END
done
expect_exit 1 hipwright -q verify "$hidden" --arch gfx942 --device soft:gfx942 --schedules 0 --json
python3 - "$last" <<'PY' || fail "what programs hide"
import json, sys
checks = [c for c in json.load(open(sys.argv[1]))["checks"] if c["level"] == "functional"]
def of(program, question):
    return next(c for c in checks if c["subject"] == "program " + program and c["question"].startswith(question))
refused = of("refused", "runs without check findings")
assert refused["verdict"] == "fail" and "failed-launch" in refused["evidence"] and "2048" in refused["evidence"], refused
leaves = of("leaves", "runs without check findings")
assert leaves["verdict"] == "fail" and "uninitialised-store" in leaves["evidence"], leaves
for question in "runs and reports success", "runs without check findings":
    nothing = of("nothing", question)
    assert nothing["verdict"] == "not checked" and "no kernel ran" in nothing["evidence"], nothing
PY

# A kernel that leaves its buffers by one element is seen, whatever lies behind them.
cat >"$kernels/beyond.hip" <<'END'
#include <hip/hip_runtime.h>
extern "C" __global__ void beyond(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = x[i];
}
END
hipwright verify kernel --init "$kernels/beyond.hip" >"$kernels/beyond.kernel.toml" || fail "--init"
expect_exit 1 hipwright verify kernel "$kernels/beyond.hip" --device soft:gfx942 --schedules 0
expect_output "out-of-bounds: store of 4 bytes" "beyond.hip:4"
expect_exit 2 hipwright verify kernel "$kernels/beyond.hip" --device soft:gfx942 --capture "$kernels/beyond.safetensors"
expect_output "cannot capture" "out-of-bounds"

# Templates, namespaces, aliases, kernels of headers and structs by value: the first spec runs as it is.
cat >"$kernels/shapes.h" <<'END'
typedef float real;
struct Shape {
  int rows, columns;
  real scale;
};
namespace lib {
template <class T, int kBy = 2>
__global__ void times(const T* __restrict__ in, T* out, Shape shape) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < shape.rows * shape.columns) out[i] = in[i] * kBy * shape.scale;
}
namespace {
__global__ void pairs(const float2* in, real* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].x + in[i].y;
}
}
}
END
printf '#include <hip/hip_runtime.h>\n#include "shapes.h"\n' >"$kernels/shapes.hip"
hipwright verify kernel --init "$kernels/shapes.hip" >"$kernels/shapes.kernel.toml" || fail "--init"
grep -q 'kernel = "lib::times<float>"' "$kernels/shapes.kernel.toml" || fail "the template's name"
cat >"$kernels/shapes.cpp" <<'END'
struct Shape { int rows, columns; float scale; };
namespace lib {
template <class T> void times(const T* in, T* out, Shape shape) {
  for (int i = 0; i < shape.rows * shape.columns; ++i) out[i] = in[i] * 2 * shape.scale;
}
void pairs(const float* in, float* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) out[i] = in[2 * i] + in[2 * i + 1];
}
}
END
sed -i 's/^source.*/&\nreference = "shapes.cpp"/' "$kernels/shapes.kernel.toml"
expect_ok hipwright verify kernel "$kernels/shapes.hip" --device soft:gfx942 --schedules 0
expect_output "functional  pass        4 passed" "numerical   pass        2 passed"
sed 's/lib::pairs/lib::other/' "$kernels/shapes.kernel.toml" >"$kernels/other.kernel.toml"
expect_exit 1 hipwright verify kernel "$kernels/other.kernel.toml" --device soft:gfx942 --schedules 0 --only pairs
expect_output "no kernel lib::other; found lib::(anonymous namespace)::pairs"

# Device code of two sources, and a third that is part of one of them.
mkdir "$scratch/sources"
printf '#include <hip/hip_runtime.h>\n__device__ int twice(int x) { return 2 * x; }\n' >"$scratch/sources/device.hip"
printf '__global__ void k(int* x) { x[threadIdx.x] = twice(threadIdx.x); }\n' >"$scratch/sources/kernel.hip"
cat >"$scratch/sources/main.hip" <<'END'
#include <cstdio>
#include <hip/hip_runtime.h>
__device__ int twice(int x);
#include "kernel.hip"
int main() {
  int x[64], *d;
  (void)hipMalloc(&d, sizeof(x));
  k<<<1, 64>>>(d);
  (void)hipMemcpy(x, d, sizeof(x), hipMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    if (x[i] != 2 * i) return std::printf("FAIL: %d is %d\n", i, x[i]), 1;
  std::printf("PASS\n");
}
END
printf 'main: main.o device.o\n\thipcc -fgpu-rdc -o $@ $^\n%%.o: %%.hip\n\thipcc -fgpu-rdc -c $<\n' >"$scratch/sources/Makefile"
expect_ok hipwright verify "$scratch/sources" --level functional --device soft:gfx942
expect_output "functional  pass"

# HIP's own warpSize is nothing that a port forgot; CUDA's way with warps is.
printf '#include <hip/hip_runtime.h>\n__global__ void k(int* x) { x[threadIdx.x] = warpSize; }\n' >"$scratch/native.hip"
expect_ok hipwright verify "$scratch/native.hip" --level static
expect_output "static      pass"
printf '#include <hip/hip_runtime.h>\n__global__ void k(int* x) { x[0] = __shfl_down_sync(0xffffffff, x[1], 16) + warpSize; }\n' >"$scratch/native.hip"
expect_exit 1 hipwright verify "$scratch/native.hip" --level static
expect_output "HW203"

# The tour: ported, caught, explained, fixed, proven; NVIDIA's view stays.
tour=$scratch/tour
expect_exit 1 hipwright port "$SOURCE_DIR/examples/tour" --verify --out "$tour"
expect_output "functional  fail" "HW201"
rm -r "$tour"
expect_ok hipwright port "$SOURCE_DIR/examples/tour" --verify --fix --out "$tour" --report "$scratch/tour.html"
expect_output "fixed 2 places" "__popcll"
for part in todo caught explained fixed functional numerical phases files; do
  grep -q "<section id=\"$part\">" "$scratch/tour.html" || fail "the report has no part '$part'"
done
expect_ok hipwright port --check-isolation "$SOURCE_DIR/examples/tour" "$tour"

# One pipeline: what was compiled to check the port is what runs. Here one unit, and no fix.
mkdir -p "$scratch/once" "$scratch/bin"
cp "$SOURCE_DIR/examples/cuda/warp_reduce/"*.cu* "$scratch/once"
llvm=$(dirname "$(dirname "$(readlink -f "$(command -v clang++-22)")")")
ln -s "$llvm"/bin/* "$scratch/bin"
ln -s "$llvm/lib" "$scratch/lib"
rm "$scratch/bin/clang++"
printf '#!/bin/sh\ncase " $* " in *" -c "*) echo once >>"%s";; esac\nexec clang++-22 "$@"\n' \
  "$scratch/compiled" >"$scratch/bin/clang++"
chmod +x "$scratch/bin/clang++"
export HIPWRIGHT_CLANG=$scratch/bin/clang++
expect_ok hipwright port "$scratch/once" --verify --arch gfx1100 --device soft:gfx1100 --schedules 0
equal "compiler calls" "$(wc -l <"$scratch/compiled")" "$(ls "$scratch/once"/*.cu | wc -l)"
unset HIPWRIGHT_CLANG
expect_ok hipwright port "$scratch/once" --verify --arch gfx1100 --device soft:gfx1100 --schedules 0 \
  --mode hip --rename-hip --diff
expect_output "+++ b/" ".hip" "build       pass"
expect_exit 2 hipwright port "$scratch/once" --verify --sarif
expect_output "Use --json"
expect_exit 2 hipwright port "$scratch/once" --verify --rename-hip
expect_output "Add --mode hip"
expect_exit 2 hipwright port "$scratch/once" --verify --in-place
expect_output "Use --out DIR"
expect_exit 2 hipwright port "$scratch/once" --fix
expect_output "\`--fix\` requires \`--verify\`"
expect_exit 2 hipwright port "$scratch/once" --schedules 3
expect_output "\`--schedules\` requires \`--verify\`"
expect_ok hipwright verify "$tour" --device soft:gfx942,soft:gfx1100
expect_output "the golden results belong to the original's sources" "--original DIR"
expect_ok hipwright verify "$tour" --original "$SOURCE_DIR/examples/tour"
expect_output "numerical   pass"
expect_ok hipwright verify "$tour" --level functional
expect_output "functional  pass"
expect_exit 1 hipwright verify "$SOURCE_DIR/examples/tour" --level static
expect_output "is not ported"
finish
