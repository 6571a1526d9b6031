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
expect_output "numerical   pass" "functional  pass" "build       pass"

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
expect_ok hipwright verify merge "$kernels/scale.hip" "$parts" --seeds 2
expect_output "1 not checked"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --shard 4/4 --results "$parts"
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --shard 0/4
expect_output "--results"

# Killed in the middle, it goes on with what is left.
half=$scratch/half
"$HIPWRIGHT" verify kernel "$kernels/scale.hip" --results "$half" >"$scratch/killed" 2>&1 &
pid=$!
while kill -0 $pid 2>/dev/null && [ "$(ls "$half" 2>/dev/null | grep -c 'json$')" -lt 3 ]; do sleep 0.05; done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
touch -d '2001-01-01' "$half"/*.json
expect_ok hipwright verify kernel "$kernels/scale.hip" --results "$half"
expect_output "numerical   pass"
kept=$(find "$half" -name '*.json' ! -newermt '2002-01-01' | wc -l)
[ "$kept" -ge 3 ] || fail "only $kept results of the first run were used again"

# What is not there is an error, what has nothing in it is no pass, and headers count.
expect_exit 2 hipwright verify "$SOURCE_DIR/examples/tour" --device soft:gfx1
expect_exit 2 hipwright verify kernel "$kernels/scale.hip" --seeds 0
mkdir "$scratch/empty"
expect_ok hipwright verify "$scratch/empty"
expect_output "static      not checked" "build       not checked" "functional  not checked" "numerical   not checked"
sed 's/3.0f/factor/; 1a #include "factor.h"' "$kernels/scale.hip" >"$kernels/by_header.hip"
echo 'constexpr float factor = 3.0f;' >"$kernels/factor.h"
sed 's/scale\.hip/by_header.hip/; /reference/d' "$kernels/scale.kernel.toml" >"$kernels/by_header.kernel.toml"
expect_ok hipwright verify kernel "$kernels/by_header.hip" --device soft:gfx942 --results "$scratch/headers"
echo '#error "not this way"' >"$kernels/factor.h"
expect_exit 1 hipwright verify kernel "$kernels/by_header.hip" --device soft:gfx942 --results "$scratch/headers"
expect_output "not this way"

# The tour: ported, caught, explained, fixed, proven; NVIDIA's view stays.
tour=$scratch/tour
expect_exit 1 hipwright port "$SOURCE_DIR/examples/tour" --verify --out "$tour"
expect_output "functional  fail" "HW201"
rm -r "$tour"
expect_ok hipwright port "$SOURCE_DIR/examples/tour" --verify --fix --out "$tour" --report "$scratch/tour.html"
expect_output "fixed 2 places" "__popcll"
for part in Ported Caught Explained Fixed Proven; do
  grep -q "<h2>$part" "$scratch/tour.html" || fail "the report has no part '$part'"
done
expect_ok hipwright port --check-isolation "$SOURCE_DIR/examples/tour" "$tour"
expect_ok hipwright verify "$tour" --level functional
expect_output "functional  pass"
expect_exit 1 hipwright verify "$SOURCE_DIR/examples/tour" --level static
expect_output "is not ported"
finish
