# SPDX-License-Identifier: MIT
"""Makes up trees: valid and broken sources, settings and binary files, links, pipes, sockets and
devices, names and permissions that nobody expects."""

import os
import pathlib
import socket

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "corpus"
SECRET = "planted-secret-5d1f"

NAMES = ["a.cu", "b.cuh", "c.cpp", "d.py", "e.hip", "CMakeLists.txt", "Makefile", "setup.py",
         "requirements.txt", "hipwright.toml", "hipwright-port.toml", ".gitignore",
         "compile_commands.json", "k.kernel.toml", "g.npz", "g.npy", "o.co", "o.so", "x.cmake",
         "pyproject.toml", "Dockerfile", "run.sh", "baseline.json", "p.patch"]
ODD = ["new\nline.cu", "tab\t.py", "quote\".cu", "back\\slash.cu", "esc\x1b[2J.cu", "-rf.cu",
       "--out", " .cu", "a b.cu", "ü€.cu", "$(touch x).cu", "`x`.py", "%s%n.cu", "*.cu", "'.cu",
       "n" * 200 + ".cu", "..cu", ".hidden.cu", "[x](y)|z.cu", b"\xff\xfe.cu", b"\xc2\x9b.py"]

CUDA = ["#include <cuda_runtime.h>\n", "__global__ void k(float* p, int n) {\n",
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n", "  p[i] = __shfl_sync(0xffffffff, ",
        "cudaMalloc(&p, 4);\n", "k<<<1, 32>>>(p);\n", "}\n", "#if defined(__CUDACC__)\n",
        "#elif X\n", "#else\n", "#endif\n", "warpSize", "atomicAdd(p, 1);\n", "asm(\"mov.u32 %0;\" : );",
        "/*", "*/", "R\"x(", ")x\"", "\"", "'", "\\\n", "<", ">", "(", ")", "{", "template <class T> ",
        "// hipwright: ignore HW101\n", "__ballot_sync(", "0xffffffffu", "1ull << ", "#define A(x) x##x\n"]
PYTHON = ["import torch\n", "import torch.cuda as c\n", "def f(x):\n", "    return x.cuda()\n", "x",
          ".cuda()", "(", ")", "[", "]", "'''", "f\"{", "}\"", "\t", "    ", "lambda: ", "if ", ":\n",
          "torch.cuda.get_device_capability()", " >= (8, 0)", "\\\n", "# noqa\n", "async ", "@"]
SETTINGS = ["[lint]\n", "select = [\"HW1\"]\n", "ignore = [\"a/\"]\n", "[names]\n", "a = \"b\"\n", "a.b.c = 1\n",
            "[[verify.programs]]\n", "sources = [\"a.cu\"]\n", "= ", "\"\"\"", "[", "]", "{", "}", "\n",
            "keep = [\"x\"]\n", "x = 1e999\n", "t = 2020-01-01\n", "**/*\n", "!x\n", "\\"]


def words_for(name):
    if name.endswith((".py",)):
        return PYTHON
    if name.endswith((".toml", ".gitignore", ".json", ".txt")):
        return SETTINGS
    return CUDA


def text(random, name):
    words = words_for(name)
    kind = random.randrange(8)
    if kind == 0:  # deep
        return random.choice(words) * random.choice((10, 300, 3000))
    if kind == 1:  # one long line
        return "".join(random.choices(words, k=400)).replace("\n", " ")
    return "".join(random.choices(words, k=random.randrange(60)))


def mutated(random, data):
    data = bytearray(data[:100000])
    for _ in range(random.randrange(6)):
        if not data:
            break
        at = random.randrange(len(data))
        kind = random.randrange(4)
        if kind == 0:
            data[at] = random.randrange(256)
        elif kind == 1:
            del data[at:at + random.randrange(1, 64)]
        elif kind == 2:
            data[at:at] = data[at:at + random.randrange(1, 64)] * random.randrange(1, 20)
        else:
            data[at:at + 8] = random.choice((b"\xff" * 8, b"\0" * 8, b"\x7f\xff\xff\xff", b""))
    return bytes(data)


def content(random, name, seeds):
    kind = random.randrange(10)
    if kind < 3:
        return mutated(random, random.choice(seeds).read_bytes())
    data = text(random, name)
    if kind == 3:
        return ("\ufeff" + data).encode(random.choice(("utf-8", "utf-16-le", "utf-16-be")))
    if kind == 4:
        return mutated(random, data.encode())
    if kind == 5:
        return data.replace("\n", "\r\n").encode()
    return data.encode()


def special(random, path, root):
    """An entry that is no plain file."""
    kind = random.randrange(9)
    if kind == 0:
        os.mkfifo(path)
    elif kind == 1:
        with socket.socket(socket.AF_UNIX) as each:
            try:
                each.bind(path)
            except (OSError, ValueError):
                os.mkfifo(path)  # the name is too long for a socket
    elif kind == 2:
        with open(path, "wb") as file:
            file.truncate(random.choice((1 << 28, 1 << 31, 1 << 40)))
    else:
        os.symlink(random.choice(("/dev/zero", "/dev/full", "/dev/stdin", os.path.join(root, "../secret.cu"),
                                  "..", ".", "nowhere", os.fsdecode(os.path.basename(path)), "a.cu")), path)


def tree(random, root):
    """Fills `root`, which is in an own directory, and returns the paths in it."""
    seeds = sorted(each for each in CORPUS.rglob("*") if each.is_file())
    with open(os.path.join(root, "..", "secret.cu"), "w", encoding="ascii") as file:
        file.write(f"// {SECRET}\n__global__ void {SECRET.replace('-', '_')}() {{ __shfl(1, 2); }}\n")
    folders, paths, closed = [root], [root], []
    for _ in range(random.randrange(1, 14)):
        name = random.choice(ODD if random.random() < 0.2 else NAMES)
        folder = random.choice(folders)
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        if os.path.lexists(path):
            continue
        if random.random() < 0.15:
            os.mkdir(path)
            folders.append(os.fsdecode(path))
        elif random.random() < 0.15:
            special(random, path, root)
        else:
            with open(path, "wb") as file:
                file.write(content(random, os.fsdecode(name), seeds))
        paths.append(os.fsdecode(path))
        if random.random() < 0.05 and not os.path.islink(path):
            closed.append(path)
    for path in closed:
        os.chmod(path, 0)
    return paths
