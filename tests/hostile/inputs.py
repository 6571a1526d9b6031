# SPDX-License-Identifier: MIT
"""What each command reads: names of files, and where valid ones are that can be damaged."""

import os
import pathlib

import generate
import models

TESTS = pathlib.Path(__file__).resolve().parent.parent
SEEDS = "fuzz/corpus/"

SOURCES = [("s.cu", SEEDS + "port"), ("s.cu", SEEDS + "lint"), ("s.py", SEEDS + "port_python"),
           ("CMakeLists.txt", SEEDS + "port_build"), ("Makefile", SEEDS + "build_lists"),
           ("compile_commands.json", SEEDS + "compile_commands"), ("hipwright-port.toml", SEEDS + "config")]
WORKFLOWS = [(".github/workflows/w.yml", SEEDS + "yaml"), (".github/workflows/v.yml", SEEDS + "ci_update"),
             ("hipwright.toml", SEEDS + "config")]
FACTS = [("facts.json", "ci/facts"), ("facts.json", SEEDS + "host_facts"), ("facts.txt", "toolchain/rocminfo")]
TRACES = [("t.json", SEEDS + "trace"), ("t.json", "fixtures/trace"), ("t.csv", SEEDS + "trace"),
          ("t.sqlite", SEEDS + "trace_sqlite"), ("t.json.gz", SEEDS + "zip")]
RECORDS = [("r.json", SEEDS + "perf_record"), ("s.json", SEEDS + "perf_record"), ("list.txt", SEEDS + "perf_list"),
           ("report.json", SEEDS + "perf_report")]
OBJECTS = [("o.co", SEEDS + "code_object"), ("o.hipfb", SEEDS + "offload_bundle"), ("o.so", SEEDS + "code_object")]
MODELS = [("m.onnx", SEEDS + "onnx"), ("m.onnx", "fixtures/graph")]
NOTHING = []

# By the first words of a command; the longest that fit count.
INPUTS = {
    "api": NOTHING, "arch": NOTHING, "completion": NOTHING, "devices": NOTHING, "man": NOTHING, "sdk": NOTHING,
    "toolchain": NOTHING, "bench": NOTHING, "kernels": NOTHING,
    "sdk add": [("CMakeLists.txt", SEEDS + "build_lists"), ("include/ck/version.h.in", SEEDS + "libraries"),
                (".info/version", SEEDS + "libraries")],
    "cc": SOURCES,
    "ci": WORKFLOWS,
    "ci arches": FACTS,
    "ci explain-log": [("a.log", "ci/logs"), ("a.log", SEEDS + "ci_log")],
    "ci wheel-check": [("a-1-cp311-cp311-manylinux_2_28_x86_64.whl", SEEDS + "wheel"),
                       ("b-1-py3-none-any.whl", SEEDS + "zip")],
    "config": [("hipwright.toml", SEEDS + "config"), ("hipwright.toml", SEEDS + "merge_rules")],
    "doctor": FACTS,
    "inspect": OBJECTS,
    "lint": SOURCES + WORKFLOWS,
    "optimize": MODELS,
    "perf": RECORDS,
    "perf history": RECORDS + [("h.db", SEEDS + "perf_history")],
    "port": SOURCES,
    "pr": RECORDS[:2] + [("profiles/mine.toml", SEEDS + "github_profile"), (".github/CODEOWNERS", SEEDS + "codeowners"),
                         ("body.md", SEEDS + "github_answer")],
    "run-model": MODELS + [("t/input_0.pb", SEEDS + "onnx")],
    "trace": TRACES,
    "verify": SOURCES + [("k.kernel.toml", SEEDS + "verify_spec")],
    "verify golden": [("g.golden", SEEDS + "golden"), ("g.npz", SEEDS + "npz"), ("g.npy", SEEDS + "npy"),
                      ("g.safetensors", SEEDS + "safetensors")],
    "verify kernel": [("k.kernel.toml", SEEDS + "verify_spec"), ("results/a.json", SEEDS + "verify_results")],
}

# Steps of workflows that do no harm when they are executed, however they are cut.
STEPS = ["echo a", "true", "exit 3", "sleep 100", "echo ${{ github.ref }}", "echo x=1 >> $GITHUB_OUTPUT",
         "echo ::set-output name=a::b", "echo ${{ fromJSON('[1]')[0] }}", "echo \\u001b[2J", "kill -9 $$", "cat missing"]


def workflow(rng):
    jobs = ""
    for i in range(rng.randrange(1, 5)):
        needs = rng.choice(("", f"    needs: [j{rng.randrange(5)}]\n", "    if: ${{ always() && }}\n",
                            "    strategy:\n      matrix:\n        a: [1, 2, \"x\"]\n        include: [{a: 3, b: 4}]\n",
                            "    strategy:\n      matrix: ${{ fromJSON(needs.j0.outputs.m) }}\n"))
        steps = "".join(f"      - run: {rng.choice(STEPS)}\n" for _ in range(rng.randrange(4)))
        jobs += f"  j{i}:\n    runs-on: ubuntu-24.04\n{needs}    steps:\n{steps}"
    return f"on: push\njobs:\n{jobs}".encode()


# Weights of a model that are files, of the tree or not.
PLACES = ["m.onnx", "no/such", "/etc/passwd", "../m.onnx", "/dev/zero", "pipe", "link", ".", "", "a\0b"]
# With the inputs that they need.
OPERATORS = [("Relu", "v"), ("Identity", "v"), ("Add", "vv"), ("MatMul", "vv"), ("Transpose", "v"), ("Reshape", "vn"), ("Expand", "vn"),
             ("Concat", "vvv"), ("Softmax", "v"), ("Gather", "vn"), ("Slice", "vnn"), ("ConstantOfShape", "n"), ("ReduceMean", "v"),
             ("Split", "v"), ("Tile", "vn"), ("Range", "nnn"), ("Conv", "vv"), ("Cast", "v"), ("Nothing", "v")]


def onnx_model(rng):
    """Most of them are read; the nodes seldom fit."""
    def rarely(usual, *others):
        return usual if rng.random() < 0.95 else rng.choice(others)
    names, nodes = ["x", "w", "n"], []
    for i in range(rng.randrange(1, 6)):
        attributes = {name: rng.choice((0, 1, -1, 1 << 62, [1, 0], [-1, 0], [5, 1 << 40], []))
                      for name in rng.sample(("axis", "perm", "axes", "to", "group", "pads"), rng.choice((0, 0, 0, 1, 2)))}
        operator, used = rng.choice(OPERATORS)
        made = rarely(f"y{i}", f"y{i}", "\x1b[2J", "x", "")
        nodes.append(models.node(operator, [rarely("n", *names) if each == "n" else rng.choice(names) for each in used],
                                 [made], **attributes))
        names.append(made)
    numbers = [rng.choice((0, 1, 2, 3, -1, 1 << 40, -(1 << 63))) for _ in range(2)]
    constants = [models.tensor("n", [2], numbers), rarely(
        models.tensor("w", [2, 3], [1.0, 0.0, -1.0, 1e30, float("inf"), float("nan")]),
        *[models.external("w", [2, 3], place) for place in PLACES])]
    dims = rng.choice(([2, 3], [2, 3], ["n", 3], [], [1 << 20, 1 << 20], [0], None))
    inputs = [models.field(1, "x") if dims is None else models.value("x", dims)]
    return models.model(nodes, inputs, [models.field(1, rng.choice(names[3:]))], constants, rarely(18, 13, 23, 1, 99))


def kinds_of(words):
    """None: nobody has said what this command reads."""
    for count in range(len(words), 0, -1):
        found = INPUTS.get(" ".join(words[:count]))
        if found is not None:
            return found
    return None


def files_in(folder):
    return sorted(each for each in (TESTS / folder).rglob("*") if each.is_file())


def write_inputs(rng, words, root):
    """Writes some files of the command's kinds, damaged or not, and returns their paths."""
    kinds = kinds_of(words)
    paths = []
    for _ in range(rng.randrange(1, 4) if kinds else 0):
        name, folder = rng.choice(kinds)
        # What executes workflows gets only those.
        if words[:2] == ["ci", "run"] and name.endswith(".yml"):
            data = workflow(rng)
        elif name.endswith(".onnx") and rng.random() < 0.6:
            data = onnx_model(rng)
        else:
            data = rng.choice(files_in(folder)).read_bytes()
        if rng.random() < 0.7:
            data = generate.mutated(rng, data)
        path = os.path.join(root, name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(path):
                os.unlink(path)
            with open(path, "wb") as file:
                file.write(data)
        except OSError:  # a directory of the tree has this name
            continue
        paths.append(path)
    return paths
