#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Results are captured by C, C++, CUDA, HIP and Python programs, kept, and compared with those of
# another run.
. "$(dirname "$0")/lib.sh"
needs gcc g++ python3
fixtures=$SOURCE_DIR/tests/fixtures/golden
include=$SOURCE_DIR/include
warnings="-O2 -Wall -Wextra -pedantic -Wshadow -Werror"
unset HIPWRIGHT_GOLDEN
cd "$scratch" || exit 1

# The header is one file that needs nothing else, and the tool has it.
expect_ok hipwright verify golden header
cmp -s "$last" "$include/hipwright/golden.h" || fail "the tool prints another header"
mkdir -p alone/hipwright && cp "$last" alone/hipwright/golden.h

for standard in c99 c11 c17; do
  expect_ok gcc -std=$standard $warnings -I alone "$fixtures/capture.c" -o c_$standard
done
for standard in c++11 c++17 c++20; do
  expect_ok g++ -std=$standard $warnings -Wold-style-cast -I alone "$fixtures/capture.cpp" "$fixtures/another_file.cpp" -o cpp_$standard
done

# Without the variable nothing happens.
expect_ok ./c_c99
[ -z "$(ls -d ./*.npy 2>/dev/null)" ] || fail "captured without being asked"
expect_ok env HIPWRIGHT_GOLDEN=run1 ./c_c99
equal "the captures" "$(cd run1 && echo *)" "brain#2@bf16.npy brain@bf16.npy eighth@f8e4m3.npy layer%2F0%20matrix.npy scalar.npy"
expect_exit 3 env HIPWRIGHT_GOLDEN=/dev/null/x ./c_c99
expect_output "hipwright/golden.h: cannot capture 'brain' in /dev/null/x: Not a directory"

# Kept, shown, compared.
expect_ok hipwright verify golden pack run1 -o g.safetensors --source "$fixtures/capture.c" --device "this CPU" --command ./c_c99
expect_ok hipwright verify golden show g.safetensors
expect_output "this CPU" "./c_c99" "layer/0 matrix  f32     [2, 3]  all" "brain#2         bf16    [1]"
python3 -c 'import hashlib,sys; print(hashlib.sha256(open(sys.argv[1],"rb").read()).hexdigest())' "$fixtures/capture.c" >hash
expect_output "$(cat hash)"
expect_ok env HIPWRIGHT_GOLDEN=run2 ./c_c17
expect_ok hipwright verify golden check g.safetensors run2 --source "$fixtures/capture.c"
expect_output "same    layer/0 matrix: All 6 elements are equal."
expect_ok env HIPWRIGHT_GOLDEN=run3 ./c_c99 wrong
expect_exit 1 hipwright verify golden check g.safetensors run3 --pictures pictures
expect_output "differs layer/0 matrix: 1 of 6 elements differs (first [1, 2]: 7, expected 6.5" "same    brain"
[ -s pictures/layer%2F0%20matrix.png ] || fail "no picture"
expect_ok hipwright verify golden check g.safetensors run3 --relative 0.1
expect_exit 1 hipwright verify golden check g.safetensors run3 --pytorch --json
python3 -c 'import json,sys; sys.exit(sum(not t["passes"] for t in json.load(open(sys.argv[1]))["tensors"]) != 1)' "$last" || fail "not one tensor that differs"

# What cannot be compared says so, and what to do.
expect_exit 2 hipwright verify golden check g.safetensors run2 --source "$fixtures/capture.cpp"
expect_output "they come from other sources"
head -c -1 g.safetensors >cut.safetensors
expect_exit 2 hipwright verify golden check cut.safetensors run2
expect_output "cut.safetensors" "hipwright verify golden pack"
rm run3/scalar.npy
cp run3/brain@bf16.npy run3/extra@bf16.npy
cp run3/brain@bf16.npy run3/eighth.npy
mv run3/eighth.npy run3/eighth@f8e4m3.npy
expect_exit 1 hipwright verify golden check g.safetensors run3
expect_output "scalar: Not compared: missing from the captures" "extra: Not compared: captured, but not in" \
  "eighth@f8e4m3: Not compared: captured"
expect_exit 2 hipwright verify golden pack nowhere -o g.safetensors
expect_output HIPWRIGHT_GOLDEN
expect_exit 2 hipwright verify golden check g.safetensors run2 --operation gemm
expect_output matrix_product

# C++: names are counted over all files of a program.
expect_ok env HIPWRIGHT_GOLDEN=cpp ./cpp_c++11
expect_ok hipwright verify golden pack cpp -o cpp.safetensors
expect_ok hipwright verify golden show cpp.safetensors
expect_output "bytes     u8      [3]" "bytes#2   u8      [1]" "halves    f16     [2]" "truths    bool    [2]" \
  "matrix    f64     [1, 2]" "eighth    f8e5m2  [3]" "integers  i64     [2]" "doubles   f64     [2]"

# What atomics fill: the same elements in another order are the same, others are not.
cat >slots.cpp <<'END'
#include <hipwright/golden.h>
#include <vector>
int main(int argc, char**) {
  std::vector<int> slots{3, 1, 2, 1};
  if (argc > 1) slots = {1, 1, 2, 3};
  if (argc > 2) slots = {1, 2, 2, 3};
  const unsigned short halves[2] = {0x3C00, 0x4000};
  return hipwright_golden_any_order("slots", slots) |
         hipwright_golden_any_order("halves", halves, HIPWRIGHT_F16, 2) | hipwright_golden_any_order("raw", slots.data(), 2);
}
END
expect_ok g++ -std=c++11 $warnings -Wold-style-cast -I alone slots.cpp -o slots
expect_ok env HIPWRIGHT_GOLDEN=slots1 ./slots
equal "the captures" "$(cd slots1 && echo *)" "halves@any_order.npy raw@any_order.npy slots@any_order.npy"
rm slots1/raw@any_order.npy
# A sample would not do: all is stored.
expect_ok hipwright verify golden pack slots1 -o slots.safetensors --sample 2
expect_ok hipwright verify golden show slots.safetensors
expect_output "slots@any_order   i32   [4]    all"
for arguments in "1" "1 2"; do
  rm -rf slots2
  expect_ok env HIPWRIGHT_GOLDEN=slots2 ./slots $arguments
  rm slots2/raw@any_order.npy
  if [ "$arguments" = 1 ]; then
    expect_ok hipwright verify golden check slots.safetensors slots2
    expect_output "same    slots@any_order"
  else
    expect_exit 1 hipwright verify golden check slots.safetensors slots2
    expect_output "differs slots@any_order"
  fi
done
expect_exit 2 hipwright verify golden check slots.safetensors slots2 --cosine 0.9
expect_output "halves@any_order" "in any order"

# Python: numpy where it is, else the format by hand.
cat >capture.py <<'END'
import os, struct, sys
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
try:
    import numpy
    numpy.save(os.path.join(folder, "x.npy"), numpy.asfortranarray(numpy.arange(6, dtype="f4").reshape(2, 3)))
    numpy.savez_compressed(os.path.join(folder, "more.npz"), y=numpy.arange(1000, dtype="i8"))
except ImportError:
    def save(name, descr, shape, data):
        header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
        header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
        with open(os.path.join(folder, name), "wb") as out:
            out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)
    save("x.npy", "<f4", (2, 3), struct.pack("<6f", *range(6)))
    save("more%2Fy.npy", "<i8", (1000,), struct.pack("<1000q", *range(1000)))
END
# The system's has numpy, if any has; the other may be one without.
system=/usr/bin/python3
[ -x $system ] || system=python3
expect_ok $system capture.py py_system
expect_ok python3 capture.py py_other
expect_ok hipwright verify golden pack py_system -o py.safetensors --sample 100
expect_ok hipwright verify golden show py.safetensors
expect_output "more/y  i64   [1000]  100 of them" "x       f32   [2, 3]  all"
expect_ok hipwright verify golden check py.safetensors py_other

# CUDA's compiler takes the header, too.
for nvcc in nvcc /usr/local/cuda/bin/nvcc; do
  command -v $nvcc >/dev/null || continue
  expect_ok $nvcc -x cu -I alone "$fixtures/capture.cpp" "$fixtures/another_file.cpp" -o with_nvcc
  expect_ok env HIPWRIGHT_GOLDEN=cuda ./with_nvcc
  expect_ok hipwright verify golden check cpp.safetensors cuda
  break
done

# HIP finds it in the SDK; results of the software GPU, wave64 and wave32.
needs clang++-22
if grep -q '^HIPWRIGHT_SANITIZE:[A-Z]*=.' "$BUILD_DIR/CMakeCache.txt"; then finish; exit 0; fi
compile --arch gfx942,gfx1100 -Wall -Wextra -Werror -O2 "$fixtures/square.hip" -o square
expect_ok env HIPWRIGHT_GOLDEN=gfx942 "$HIPWRIGHT" run --device soft:gfx942 -- ./square
expect_ok env HIPWRIGHT_GOLDEN=gfx1100 "$HIPWRIGHT" run --device soft:gfx1100 -- ./square
expect_ok hipwright verify golden pack gfx942 -o square.safetensors --device soft:gfx942
expect_ok hipwright verify golden check square.safetensors gfx1100
expect_output "squares: All 1000 elements are equal."
finish
