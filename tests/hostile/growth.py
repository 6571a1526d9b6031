#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Doubles inputs of many shapes and counts the instructions that the tool executes: they must not
grow faster than n log n. Valgrind counts, so that the result does not depend on the machine or its
load. The memory of a port grows by a bounded number of bytes for each byte of a source.

    growth.py            the shapes that grew too fast once
    growth.py --long     all shapes
    growth.py NAME…      these, with figures
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

import models
from sandbox import TOOL, Sandbox

# Steps for n, 2n and 4n items: of n log n, the second difference is at most 2.3 times the first one,
# of n², 4 times. Below so many steps, other things weigh more.
FIRST = 400
MOST = 2.6
NOISE = 4_000_000
# Of memory, for each byte of a source; measured with sources of so many megabytes and twice as many.
MOST_BYTES = 30
MEGABYTES = 8
INSTRUCTIONS = re.compile(r"I\s+refs:\s+([\d,]+)")

CUDA = "#include <cuda_runtime.h>\n"
KERNEL = CUDA + "__global__ void k(float* p, int n) {\n"
LINT, PORT = ["lint", "."], ["port", "."]
WORKFLOW = ".github/workflows/w.yml"


def lines(count, text):
    """`text` for each number from 0 on, which stands for @ in it."""
    return "".join(text.replace("@", str(i)) for i in range(count))


def job(count, text):
    return "on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n" + lines(count, text)


def chain(count):
    return "on: push\njobs:\n" + "".join(
        f"  j{i}:\n    runs-on: ubuntu-24.04\n    needs: [j{(i + 1) % count}]\n"
        "    steps:\n      - run: make\n" for i in range(count))


def events(count, text):
    return '{"traceEvents":[' + lines(count, text + ",").rstrip(",") + "]}"


def layers(count, make):
    """A model of so many layers: the nodes that make(i) returns lead from xi to the next one."""
    nodes = [node for i in range(count) for node in make(i, f"x{i}", f"x{i + 1}")]
    return models.model(nodes, [models.value("x0", [2, 8]), models.value("w", [8])], [models.value(f"x{count}", [2, 8])],
                        [models.tensor("two", [1], [2.0]), models.tensor("e", [1], [1e-5])])


def norm(i, x, y):
    return [models.node("Add", [x, "x0"], [f"a{i}"]), models.node("Pow", [f"a{i}", "two"], [f"p{i}"]),
            models.node("ReduceMean", [f"p{i}"], [f"m{i}"], axes=[-1]), models.node("Add", [f"m{i}", "e"], [f"s{i}"]),
            models.node("Sqrt", [f"s{i}"], [f"r{i}"]), models.node("Div", [f"a{i}", f"r{i}"], [f"d{i}"]),
            models.node("Mul", [f"d{i}", "w"], [y])]


def products(count):
    weights = [models.tensor(f"w{i}", [8, 8], [1.0] * 64) for i in range(count)]
    biases = [models.tensor(f"b{i}", [8], [1.0] * 8) for i in range(count)]
    nodes = [node for i in range(count) for node in (models.node("MatMul", ["x0", f"w{i}"], [f"m{i}"]),
                                                     models.node("Add", [f"m{i}", f"b{i}"], [f"y{i}"]))]
    return models.model(nodes, [models.value("x0", [2, 8])], [models.value(f"y{i}", [2, 8]) for i in range(count)], weights + biases)


OPTIMIZE = ["optimize", "--level", "aggressive", "--check", "0", "m.onnx"]
RUN_MODEL = ["run-model", "m.onnx"]

# name: (file, its text for n items, commands)
SHAPES = {
    "nested shuffles": ("a.cu", lambda n: KERNEL + "p[0] = " + "__shfl_sync(0xffffffff, " * n + "p[1]" +
                        ", 0)" * n + ";\n}\n", [LINT, PORT]),
    "counters": ("a.cu", lambda n: KERNEL + "p[0] = " + "__popc(" * n + "p[1]" + ")" * n + ";\n}\n", [LINT, PORT]),
    "less": ("a.cu", lambda n: CUDA + "int x = a " + "<" * n + ";\n", [LINT, PORT]),
    "warp sizes": ("a.cu", lambda n: CUDA + lines(
        n, "constexpr int kWarpSize = 32;\n__device__ int f@(int x) { return __any(x) + kWarpSize; }\n"
        "__device__ int g@(int x) { return f@(x) / kWarpSize; }\n"), [LINT, PORT]),
    # Changes of many passes, between those of others. So many that the search for the shortest patch gives up.
    "changes": ("a.cu", lambda n: CUDA + lines(
        2 * n, "__global__ void k@(float* p) { p[@] = __shfl_sync(0xffffffff, p[0], 1) + warpSize; atomicAdd(p, 1.f); }\n"
        "void f@(float* p) { cudaMalloc(&p, 4); k@<<<1, 32>>>(p); cudaFuncSetAttribute(k@, cudaFuncAttributeMaxDynamicSharedMemorySize, 1); }\n"),
                [LINT, PORT, ["port", "--mode", "hip", "."]]),
    "reductions": ("a.cu", lambda n: CUDA + lines(
        n, "__global__ void k@(float* p) {\n  float s = p[0];\n"
        "  for (int i = 16; i > 0; i /= 2) s += __shfl_down_sync(0xffffffff, s, i);\n}\n"), [LINT]),
    "method calls": ("a.py", lambda n: "import torch\nx = y" + ".cuda()" * n + "\n", [LINT, PORT]),
    "imports": ("a.py", lambda n: "import a as p" + lines(n, ", a as p@") + "\n", [LINT, PORT]),
    "findings": ("a.cu", lambda n: CUDA + lines(
        5 * n, "__global__ void k@(int* p) { *p = __ballot(1) & 0xffffffff; }\n"), [LINT, PORT]),
    "cycle of jobs": (WORKFLOW, chain, [["ci", "check", "--no-others"]]),
    "members": ("t.json", lambda n: "{" + lines(50 * n, '"a@":1,') + '"z":1}', [["trace", "summary", "t.json"]]),
    "nested events": ("t.json", lambda n: events(n, '{"ph":"X","cat":"cpu_op","name":"o@","ts":@,"dur":9e6,"tid":7},'
                                                 '{"ph":"X","cat":"kernel","name":"k@","ts":@,"dur":9,"tid":1}'),
                      [["trace", "summary", "t.json"]]),
    "norms": ("m.onnx", lambda n: layers(n, norm), [OPTIMIZE]),
    "transposes": ("m.onnx", lambda n: layers(2 * n, lambda i, x, y: [models.node("Transpose", [x], [y], perm=[1, 0])]), [OPTIMIZE]),
    "products": ("m.onnx", products, [OPTIMIZE]),
    # All but these were never too slow.
    "copies": ("m.onnx", lambda n: layers(4 * n, lambda i, x, y: [models.node("Identity", [x], [y])]), [OPTIMIZE, RUN_MODEL]),
    "gates": ("m.onnx", lambda n: layers(n, lambda i, x, y: [models.node("Sigmoid", [x], [f"s{i}"]), models.node(
        "Mul", [x, f"s{i}"], [f"g{i}"]), models.node("Mul", [f"g{i}", "x0"], [y])]), [OPTIMIZE, RUN_MODEL]),
    "equal nodes": ("m.onnx", lambda n: models.model(
        [models.node("Relu", ["x"], [f"y{i}"]) for i in range(n)] + [models.node("Add", [f"y{i}", "x"], [f"z{i}"]) for i in range(n)],
        [models.value("x", [2])], [models.value(f"z{i}", [2]) for i in range(n)]), [OPTIMIZE, RUN_MODEL]),
    "shuffles": ("a.cu", lambda n: KERNEL + lines(n, "p[@] = __shfl_sync(0xffffffff, p[0], 1);\n") + "}\n",
                 [LINT, PORT]),
    "parentheses": ("a.cu", lambda n: CUDA + "int x = " + "(" * n + "1" + ")" * n + ";\n", [LINT, PORT]),
    "braces": ("a.cu", lambda n: CUDA + "void f() " + "{" * n + "}" * n + "\n", [LINT, PORT]),
    "conditions": ("a.cu", lambda n: CUDA + "#if A\n" * n + "#endif\n" * n, [LINT, PORT]),
    "elif": ("a.cu", lambda n: CUDA + "#if A\n" + lines(n, "#elif B@\n") + "#endif\n", [LINT, PORT]),
    "includes": ("a.cu", lambda n: CUDA + '#include "x.h"\n' * n, [LINT, PORT]),
    "launches": ("a.cu", lambda n: CUDA + "void f() {\n" + "k<<<1, 32>>>(p);\n" * n + "}\n", [LINT, PORT]),
    "calls": ("a.cu", lambda n: CUDA + "void f() {\n" + "cudaMalloc(&p, 4);\n" * n + "}\n", [LINT, PORT]),
    "macros": ("a.cu", lambda n: CUDA + "".join(f"#define A{i} A{i + 1}\n" for i in range(n)), [LINT, PORT]),
    "templates": ("a.cu", lambda n: CUDA + "template <class T> " * n + "void f();\n", [LINT, PORT]),
    "operators": ("a.cu", lambda n: CUDA + "int x = " + "a + " * n + "a;\n", [LINT, PORT]),
    "suppressions": ("a.cu", lambda n: CUDA + "int x;  // hipwright: ignore[HW101] why\n" * n, [LINT]),
    "assembly": ("a.cu", lambda n: KERNEL + 'asm("mov.u32 %0, %1;" : "=r"(a) : "r"(b));\n' * n + "}\n", [LINT]),
    "ifs": ("a.py", lambda n: "import torch\n" + "if torch.cuda.is_available():\n    x = 1\n" * n, [LINT, PORT]),
    "brackets": ("a.py", lambda n: "x = " + "(" * n + "1" + ")" * n + "\n", [LINT, PORT]),
    "functions": ("a.py", lambda n: "import torch\n" + lines(n, "def f@(x):\n    return x.cuda()\n"), [LINT, PORT]),
    "format strings": ("a.py", lambda n: 'x = f"' + "{a}" * n + '"\n', [LINT, PORT]),
    "capabilities": ("a.py", lambda n: "import torch\n" +
                     "x = torch.cuda.get_device_capability() >= (8, 0)\n" * n, [LINT, PORT]),
    "libraries": ("CMakeLists.txt", lambda n: "project(x CUDA)\n" + lines(n, "add_library(l@ a@.cu)\n"), [LINT, PORT]),
    "make variables": ("Makefile", lambda n: "".join(f"A{i} = $(A{i + 1})\n" for i in range(n)) +
                       "a.o: a.cu\n\tnvcc -c a.cu $(A0)\n", [LINT, PORT]),
    "make rules": ("Makefile", lambda n: lines(n, "a@.o: a@.cu\n\tnvcc -c a@.cu\n"), [LINT, PORT]),
    "extensions": ("setup.py", lambda n: "from torch.utils.cpp_extension import CUDAExtension\n" +
                   lines(n, 'CUDAExtension("a@", ["a@.cu"])\n'), [LINT, PORT]),
    "locks": ("a.cu", lambda n: CUDA + lines(
        n, "__global__ void k@(int* l, int* p) {\n  bool done = false;\n  while (!done) {\n    if (atomicCAS(&l[@], 0, 1) == 0) {\n"
        "      p[0]++;\n      atomicExch(&l[@], 0);\n      done = true;\n    }\n  }\n}\n"), [LINT, PORT]),
    "locks of a kernel": ("a.cu", lambda n: KERNEL + lines(
        n, "while (!done) { if (atomicCAS(&l[@], 0, 1) == 0) { p[0]++; atomicExch(&l[@], 0); done = true; } }\n") + "}\n", [LINT, PORT]),
    "nested ifs": ("a.cu", lambda n: KERNEL + "while (atomicCAS(l, 0, 1) != 0) " + "if (p[0] > 1) " * n + ";\n}\n", [LINT, PORT]),
    "else ifs": ("a.cu", lambda n: KERNEL + "while (atomicCAS(l, 0, 1) != 0) " + "if (p[0] > 1) ; else " * n + ";\n}\n", [LINT, PORT]),
    "emptied functions": ("a.cu", lambda n: CUDA + lines(
        n, "__device__ void f@(float* p) {\n#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800\n  *p = @;\n#endif\n}\n"), [LINT, PORT]),
    "joined paths": ("setup.py", lambda n: "import os\nfrom torch.utils.cpp_extension import CUDAExtension\nd0 = \"csrc\"\n" + "".join(
        f'd{i + 1} = os.path.join(d{i}, "x")\n' for i in range(n)) + lines(n, 'CUDAExtension("a@", [os.path.join(d@, "a.cu"), d@ + "/b.cu"])\n'),
                     [LINT, PORT]),
    "steps": (WORKFLOW, lambda n: job(n, "      - run: echo ${{ github.ref }} @\n"), [["ci", "check", "--no-others"]]),
    "ignore file": (".gitignore", lambda n: lines(n, "a@/**/b\n"), [LINT]),
    "requirements": ("requirements.txt", lambda n: lines(n, "nvidia-a@-cu12==1\n"), [LINT, PORT]),
    "compilations": ("compile_commands.json", lambda n: "[" + lines(
        n, '{"directory":"/x","file":"a@.cu","command":"nvcc -c a@.cu"},').rstrip(",") + "]", [LINT]),
    "events": ("t.json", lambda n: events(n, '{"ph":"X","cat":"kernel","name":"k@","ts":@,"dur":1,"tid":1}'),
               [["trace", "summary", "t.json"]]),
    "rows": ("t.csv", lambda n: '"Kernel_Name","Start_Timestamp","End_Timestamp"\n' + lines(n, '"k@",@,@9\n'),
             [["trace", "summary", "t.csv"]]),
    "log lines": ("a.log", lambda n: "error: undefined symbol: f\n" * n, [["ci", "explain-log", "a.log"]]),
}
ONCE_TOO_SLOW = 15


def steps(box, name, count, words):
    """Instructions of all processes of one run, and its exit code."""
    file, text, _ = SHAPES[name]
    shutil.rmtree(box.at("t"), ignore_errors=True)
    box.write("t/" + file, text(count))
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         "--log-file=" + box.at("steps.%p"), TOOL, *words],
        cwd=box.at("t"), env=box.environment, capture_output=True, check=False)
    total = 0
    for each in os.listdir(box.path):
        if each.startswith("steps."):
            with open(box.at(each), encoding="utf-8", errors="replace") as log:
                total += sum(int(found.replace(",", "")) for found in INSTRUCTIONS.findall(log.read()))
            os.remove(box.at(each))
    return total, done.returncode


def grows_too_fast(box, name, words, shows):
    box.run(*words)  # what is made once, such as the SDK's directory, is made
    counts = [steps(box, name, FIRST * factor, words) for factor in (1, 2, 4)]
    if any(code < 0 or code > 3 for _, code in counts) or not all(total for total, _ in counts):
        return f"exit codes and steps: {counts}"
    first, second = counts[1][0] - counts[0][0], counts[2][0] - counts[1][0]
    if shows:
        print(f"{second / max(first, 1):5.2f} {second / 1e6:8.1f} million steps more: {name}, {' '.join(words)}")
    if second < NOISE or second < MOST * max(first, 0):
        return ""
    return f"{second / max(first, 1):.2f} times the steps for twice the input"


def peak(box, text, words):
    """Bytes of memory that one run needs."""
    box.write("t/a.cu", text)
    process = box.start(*words, cwd=box.at("t"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_maxrss * 1024 if process.returncode in (0, 1) else None


def needs_too_much(box, words, shows):
    text = CUDA + "void f(float* p) {\n" + "  cudaMalloc(&p, 4);\n" * (MEGABYTES * 50000) + "}\n"
    shutil.rmtree(box.at("t"), ignore_errors=True)
    box.write("t/a.cu", "")
    small, large = peak(box, text, words), peak(box, text + text.replace("f(", "g(", 1), words)
    if small is None or large is None:
        return "it failed"
    factor = (large - small) / len(text)
    if shows:
        print(f"{factor:5.1f} bytes for each byte: hipwright {' '.join(words)}")
    return f"{factor:.1f} bytes for each byte of the source" if factor > MOST_BYTES else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("not run: valgrind is not installed")
        return 77
    names = options.names or list(SHAPES)[:None if options.long else ONCE_TOO_SLOW]
    tried = bad = 0
    with Sandbox() as box:
        for name in names:
            for words in SHAPES[name][2]:
                tried += 1
                if why := grows_too_fast(box, name, words, options.long or options.names):
                    bad += 1
                    print(f"{name}, hipwright {' '.join(words)}: {why}", flush=True)
        for words in [] if options.names else [PORT, ["port", "--mode", "hip", "."]]:
            tried += 1
            if why := needs_too_much(box, words, options.long):
                bad += 1
                print(f"memory, hipwright {' '.join(words)}: {why}", flush=True)
    print(f"{tried} commands over shapes, {bad} grow too fast")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
