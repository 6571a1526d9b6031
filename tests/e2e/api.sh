#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright api, as a user runs it; and every HIP name of the tables is one that the SDK declares.
. "$(dirname "$0")/lib.sh"

expect_ok hipwright api cudaMemcpyAsync cublas_v2.h
expect_output hipMemcpyAsync hipblas/hipblas.h

expect_ok hipwright api cudaHostAlloc --json
python3 - "$last" <<'END' || fail "the JSON is not what scripts rely on"
import json, sys
[answer] = json.load(open(sys.argv[1]))
[entry] = answer["entries"]
assert answer["known"] and entry["hip"] == "hipHostMalloc" and entry["library"] == "runtime", entry
END

expect_exit 1 hipwright api cudaMemcpyAsnyc
expect_output cudaMemcpyAsync
expect_ok hipwright api hipHostMalloc
expect_output cudaMallocHost cudaHostAlloc
expect_exit 1 hipwright api cublasCgemm_64 --hip 6.2
expect_output "not yet in HIP 6.2"
expect_ok hipwright api __syncwarp --hip 6.2
expect_output compat.h
expect_exit 2 hipwright api cudaMalloc --hip six
expect_exit 2 hipwright api --list --library cooking
expect_ok hipwright api --list --library rtc --missing
expect_output nvrtcGetLTOIR

# One using-declaration per name: the compiler says whether the SDK of that release declares it.
needs clang++-22
for release in 6.4 7.2; do
expect_ok hipwright api --list --hip $release --json
python3 - "$last" "$scratch" "$SOURCE_DIR" <<'END' || fail "cannot write the probe"
import json, pathlib, re, sys
libraries = {"runtime", "driver", "rtc", "complex", "half", "groups", "device", "texture", "profiler"}
headers = ["hip_runtime", "hip_fp16", "hip_bf16", "hip_fp8", "hip_complex", "hip_cooperative_groups",
           "hip_math_constants", "hiprtc", "hip_gl_interop", "library_types"]
scratch = pathlib.Path(sys.argv[2])
for compat in (False, True):
    lines = [f'#include "{sys.argv[3]}/sdk/compat/compat.h"'] if compat else []
    lines += [f"#include <hip/{header}.h>" for header in headers]
    # Macros that the user or the compiler defines.
    seen = {"__HIPCC_RTC__", "HIP_API_PER_THREAD_DEFAULT_STREAM"}
    # Of headers that the SDK does not have (docs/sdk-headers.md).
    absent = re.compile(r"_fp[46]|_E2M1|_E2M3|_E3M2")
    for entry in json.load(open(sys.argv[1])):
        name = (entry["hip"] or "").rstrip("*")
        wanted = entry["compat"] and not entry["declared"] if compat else entry["declared"]
        if entry["library"] not in libraries or not wanted or name in seen or entry["kind"] == "header" or absent.search(name):
            continue
        seen.add(name)
        if entry["kind"] == "namespace":
            lines.append(f"namespace tried_{len(seen)} {{ using namespace ::{name}; }}")
        elif "(" in name:  # a number that HIP's type can hold
            lines.append(f"namespace tried_{len(seen)} {{ constexpr auto value = {name}; }}")
        else:
            lines += [f"#ifndef {name}" if "::" not in name else "#if 1",
                      f"namespace tried_{len(seen)} {{ using ::{name}; }}", "#endif"]
    (scratch / f"probe_{int(compat)}.hip").write_text("\n".join(lines) + "\n")
    assert len(seen) > (80 if compat else 2000), len(seen)
END
for probe in 0 1; do
  expect_ok hipwright cc --sdk own --arch gfx942 --cuda-device-only -DHIP_ENABLE_WARP_SYNC_BUILTINS=1 \
    --rocm $release -fsyntax-only -ferror-limit=0 "$scratch/probe_$probe.hip"
done
done
# Programs are built as C++11, too: what a port adds to them goes along.
cp "$SOURCE_DIR/sdk/compat/compat.h" "$scratch/hip_compat.h"
cp -r "$SOURCE_DIR/sdk/compat/parts" "$scratch"
cp "$SOURCE_DIR/sdk/compat/ptx.h" "$scratch/hip_ptx.h"
printf '#include "hip_ptx.h"\n__device__ float f(float* p) { __stcg(p, __ldcs(p)); return hip_ptx::load_volatile<float>(p); }\n' \
  > "$scratch/eleven.hip"
for standard in c++11 c++20; do
  expect_ok hipwright cc --sdk own --arch gfx942 -std=$standard -w -fsyntax-only "$scratch/eleven.hip"
done
finish
