#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the software GPU lacks is not checked, what a kernel does wrong is a failure, and neither
# depends on a sentence that somebody prints.
. "$(dirname "$0")/lib.sh"
needs python3

# program NAME: main() from standard input, behind two kernels
program() {
  mkdir "$scratch/$1"
  {
    cat <<'END'
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
__global__ void fill(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x); }
// Returns from a trap handler: no program that the software GPU runs has one.
__global__ void beyond(int* out) {
  out[threadIdx.x] = 1;
  asm volatile("s_rfe_b64 s[0:1]");
}
END
    cat
  } >"$scratch/$1/$1.hip"
}

# verdicts NAME EXIT: "question: verdict: evidence" of each functional check, in $scratch/verdicts
verdicts() {
  expect_exit "$2" hipwright verify "$scratch/$1" --level functional --arch gfx942 --device soft:gfx942 --schedules 1 --format json --quiet
  python3 - "$last" >"$scratch/verdicts" <<'PY'
import json, sys
for check in json.load(open(sys.argv[1]))["checks"]:
    if check["level"] == "functional":
        print(f'{check["question"]}: {check["verdict"]}: {check["evidence"]}'.replace("\n", " "))
PY
}
has() { grep -qE -- "$1" "$scratch/verdicts" || fail "no verdict '$1' in: $(cat "$scratch/verdicts")"; }
lacks() { if grep -qE -- "$1" "$scratch/verdicts"; then fail "verdict '$1' in: $(cat "$scratch/verdicts")"; fi; }

# An instruction that the software GPU lacks, in a program that ignores errors and in one that does not.
program instruction <<'END'
int main() {
  int* out = nullptr;
  (void)hipMalloc(&out, 256);
  beyond<<<1, 64>>>(out);
  (void)hipDeviceSynchronize();
  std::printf("sum 64\n");
}
END
verdicts instruction 3
has "^runs and reports success: not checked: .*s_rfe_b64"
has "^runs without check findings: not checked: .*s_rfe_b64"
lacks ": (pass|fail):"
program complaint <<'END'
int main() {
  int* out = nullptr;
  (void)hipMalloc(&out, 256);
  beyond<<<1, 64>>>(out);
  if (hipDeviceSynchronize() == hipSuccess) return 0;
  std::printf("test FAILED\n");
  return 1;
}
END
verdicts complaint 3
lacks ": (pass|fail):"

# A function that it lacks, in a program that does without.
program function <<'END'
int main() {
  int* out = nullptr;
  (void)hipMalloc(&out, 256);
  hipExternalSemaphore_t semaphore;
  hipExternalSemaphoreHandleDesc description = {};
  if (hipImportExternalSemaphore(&semaphore, &description) != hipSuccess) fill<<<1, 64>>>(out);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
END
verdicts function 3
has "^runs and reports success: not checked: .*hipImportExternalSemaphore"
lacks ": (pass|fail):"

# A fault of a child process, which its parent does not look at.
program child <<'END'
int main() {
  if (const pid_t child = fork(); child != 0) {
    waitpid(child, nullptr, 0);
    int* out = nullptr;
    (void)hipMalloc(&out, 256);
    fill<<<1, 64>>>(out);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
  }
  fill<<<1, 64>>>(nullptr);
  (void)hipDeviceSynchronize();
  _exit(0);
}
END
verdicts child 1
has "^runs and reports success: fail: .*fill\\(int"

# A program that imitates the software GPU's messages, and is as good as it says.
program imitator <<'END'
int main() {
  int* out = nullptr;
  (void)hipMalloc(&out, 256);
  fill<<<1, 64>>>(out);
  std::fprintf(stderr, "hipwright: error: hipMalloc is not implemented by the software GPU\n");
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
END
verdicts imitator 0
has "^runs and reports success: pass"
has "^runs without check findings: pass"

# A kernel that gets no memory because of the software GPU's own limit, and copes with it.
allocating() {
  program "$1" <<END
__global__ void ask(int* out) {
  void* memory = malloc(1ull << $3);
  out[0] = memory != nullptr;
  free(memory);
}
int main() {
  int* out = nullptr;
  $2
  (void)hipMalloc(&out, 256);
  ask<<<1, 1>>>(out);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
END
}
allocating modest '' 20
verdicts modest 0
allocating greedy '' 33
verdicts greedy 3
has "^runs and reports success: not checked: .*malloc in a kernel returned null: 85899"
allocating frugal '(void)hipDeviceSetLimit(hipLimitMallocHeapSize, 4 << 20);' 33
verdicts frugal 0

# Records that are cut, forged or removed are never a pass.
hostile=0
for damage in 'truncate(file, 5)' 'truncate(file, 0)' 'unlink(file)' 'append("{\"kind\":\"fa")' 'append("{\"kind\":\"triumph\"}\n")' 'unlink(file), mkdir(file, 0700)'; do
  hostile=$((hostile + 1))
  program hostile$hostile <<END
#include <sys/stat.h>
const char* file = std::getenv("HIPWRIGHT_SOFT_EVENTS");
void append(const char* text) {
  if (std::FILE* out = std::fopen(file, "a")) std::fputs(text, out), std::fclose(out);
}
int main() {
  int* out = nullptr;
  (void)hipMalloc(&out, 256);
  fill<<<1, 64>>>(out);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  (void)($damage);
}
END
  verdicts hostile$hostile 3
  has "^runs and reports success: not checked"
  lacks ": pass:"
done

# A kernel by its spec.
cat >"$scratch/beyond.hip" <<'END'
#include <hip/hip_runtime.h>
extern "C" __global__ void beyond(int* out, int n) {
  if (static_cast<int>(threadIdx.x) < n) out[threadIdx.x] = 1;
  asm volatile("s_rfe_b64 s[0:1]");
}
END
hipwright verify kernel --init "$scratch/beyond.hip" >"$scratch/beyond.kernel.toml" || fail "--init"
expect_exit 3 hipwright verify kernel "$scratch/beyond.hip" --device soft:gfx942,soft:gfx1100
expect_output "functional  not checked 0 passed, 0 failed" "s_rfe_b64" "build       pass"

# Without the variable, people read it on standard error as ever.
hipwright cc --arch gfx942 -o "$scratch/app" "$scratch/function/function.hip" 2>"$scratch/err" || fail "$(cat "$scratch/err")"
expect_ok hipwright run "$scratch/app"
grep -q "hipwright: hipImportExternalSemaphore is not implemented" "$last.err" || fail "no message: $(cat "$last.err")"
expect_ok env HIPWRIGHT_SOFT_EVENTS="$scratch/events" "$HIPWRIGHT" run "$scratch/app"
[ ! -s "$last.err" ] || fail "the message is on standard error, too: $(cat "$last.err")"
equal "the first record" "$(head -n 1 "$scratch/events")" '{"kind":"start"}'
equal "records" "$(grep -c '"kind":"unsupported-api".*"api":"hipImportExternalSemaphore"' "$scratch/events")" 1

# A record that cannot be written ends the program: without it, a failure would look like a success.
printf '#include <hip/hip_runtime.h>\n#include <hip/hip_gl_interop.h>\nint main() { return hipGLGetDevices(nullptr, nullptr, 0, hipGLDeviceListAll) == hipSuccess; }\n' >"$scratch/early.hip"
hipwright cc --arch gfx942 -o "$scratch/early" "$scratch/early.hip" 2>"$scratch/err" || fail "$(cat "$scratch/err")"
rm "$scratch/events"
expect_ok env HIPWRIGHT_SOFT_EVENTS="$scratch/events" "$HIPWRIGHT" run "$scratch/early"
equal "records before the runtime starts" "$(cut -d, -f1 "$scratch/events" | tr -d '\n')" '{"kind":"start"}{"kind":"unsupported-api"'
expect_exit 134 env HIPWRIGHT_SOFT_EVENTS="$scratch/no/such/folder" "$HIPWRIGHT" run "$scratch/early"
expect_output "cannot write to" "HIPWRIGHT_SOFT_EVENTS"
finish
