#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the kernel library with PyTorch eager and torch.compile on the GPU of this machine.

usage: kernels_torch.py LIBRARY[,LIBRARY…] [--device cuda|hip] [--rounds N] [--op NAME]… [--json FILE]

LIBRARY is libhipwright_kernels.so (ninja hipwright_kernels_shared); further ones are measured beside it. Every side is captured in a
graph of several calls, and the graphs of all sides are replayed in turn, round by round: medians of one round each are compared.
Results are checked against float64 first. The share of the limit is ideal bytes per second over those of a device-to-device copy.
"""
import argparse
import ctypes
import json
import statistics
import sys

import torch
import torch.nn.functional as F

SHAPES = [(1, 4096), (128, 4096), (4096, 4096), (8192, 8192), (16384, 8192)]
ELEMENTS = {torch.float32: 0, torch.float16: 1, torch.bfloat16: 2, torch.float8_e4m3fn: 3, torch.int64: 5}


class Matrix(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("data", ctypes.c_void_p), ("rows", ctypes.c_int64),
                ("columns", ctypes.c_int64), ("stride", ctypes.c_int64)]


def matrix(tensor):
    if tensor.dim() == 1:
        tensor = tensor.unsqueeze(0)
    return Matrix(ELEMENTS[tensor.dtype], tensor.data_ptr(), tensor.shape[0], tensor.shape[1], tensor.stride(0))


class Library:
    def __init__(self, path, device):
        self.c = ctypes.CDLL(path)
        self.c.hipwright_kernels_open.restype = ctypes.c_void_p
        self.c.hipwright_kernels_error.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p(self.c.hipwright_kernels_open(device.encode(), None))
        if not self.handle:
            sys.exit(self.c.hipwright_kernels_error().decode())

    def call(self, name, *arguments):
        values = [matrix(a) if isinstance(a, torch.Tensor) else ctypes.c_float(a) if isinstance(a, float)
                  else ctypes.c_int64(a) if name == "rope" and i == 5 else ctypes.c_int(a)
                  for i, a in enumerate(arguments)]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        if getattr(self.c, "hipwright_" + name)(self.handle, *values, stream) != 0:
            sys.exit(self.c.hipwright_kernels_error().decode())


def rope_torch(x, cosines, sines, positions, heads):
    rows, columns = x.shape
    a, b = x.view(rows, heads, 2, -1).unbind(2)
    c, s = cosines[positions].unsqueeze(1), sines[positions].unsqueeze(1)
    return torch.stack((a * c - b * s, b * c + a * s), 2).view(rows, columns).to(x.dtype)


def quantize_rows_torch(x):
    wide = x.to(torch.float64 if x.dtype == torch.float64 else torch.float32)
    scales = wide.abs().amax(1, keepdim=True) / 448
    return (wide / scales).clamp(-448, 448).to(torch.float8_e4m3fn), scales


# name: what makes (inputs, outputs), the call, the same in PyTorch, bytes moved per element of x. PyTorch's functions return the
# outputs in the same order.
def cases(rows, columns):
    def new(*shape):
        return torch.randn(*shape, device="cuda").to(torch.bfloat16)

    def out(dtype=torch.bfloat16, width=columns):
        return torch.full((rows, width), float("nan"), device="cuda").to(dtype)

    x, r, w, b = new(rows, columns), new(rows, columns), new(columns), new(columns)
    size = rows * columns * 2
    y, z = out(), out()
    heads = columns // 128
    angles = torch.rand(8192, 64, device="cuda") * 6
    cosines, sines = angles.cos(), angles.sin()
    positions = torch.randint(0, 8192, (rows,), device="cuda")
    one = torch.full((1, 1), 0.01, device="cuda")
    narrow, scales = out(torch.float8_e4m3fn), out(torch.float32, 1)

    def add_rms(x, r, w):
        total = x + r
        return F.rms_norm(total, (columns,), w, 1e-6), total

    def add_layer(x, r, w, b):
        total = x + r
        return F.layer_norm(total, (columns,), w, b, 1e-5), total

    return [
        ("rms_norm", lambda l: l.call("rms_norm", y, x, w, 1e-6),
         lambda x, w: (F.rms_norm(x, (columns,), w, 1e-6),), (x, w), (y,), 2 * size),
        ("add_rms_norm", lambda l: l.call("add_rms_norm", y, z, x, r, w, 1e-6), add_rms, (x, r, w), (y, z), 4 * size),
        ("layer_norm", lambda l: l.call("layer_norm", y, x, w, b, 1e-5),
         lambda x, w, b: (F.layer_norm(x, (columns,), w, b, 1e-5),), (x, w, b), (y,), 2 * size),
        ("add_layer_norm", lambda l: l.call("add_layer_norm", y, z, x, r, w, b, 1e-5), add_layer, (x, r, w, b), (y, z),
         4 * size),
        ("silu_mul", lambda l: l.call("silu_mul", y, x, r), lambda x, r: (F.silu(x) * r,), (x, r), (y,), 3 * size),
        ("gelu_mul erf", lambda l: l.call("gelu_mul", y, x, r, 0), lambda x, r: (F.gelu(x) * r,), (x, r), (y,), 3 * size),
        ("gelu_mul tanh", lambda l: l.call("gelu_mul", y, x, r, 1),
         lambda x, r: (F.gelu(x, approximate="tanh") * r,), (x, r), (y,), 3 * size),
        ("add", lambda l: l.call("add", y, x, r), lambda x, r: (x + r,), (x, r), (y,), 3 * size),
        ("softmax", lambda l: l.call("softmax", y, x, 1.0), lambda x: (torch.softmax(x, 1),), (x,), (y,), 2 * size),
        ("rope", lambda l: l.call("rope", y, x, positions, cosines, sines, heads, 0),
         lambda x, c, s, p: (rope_torch(x, c, s, p, heads),), (x, cosines, sines, positions), (y,),
         2 * size + rows * 128 * 4),
        ("quantize_fp8", lambda l: l.call("quantize_fp8", narrow, x, one, 0),
         lambda x, one: ((x.float() / one).clamp(-448, 448).to(torch.float8_e4m3fn),), (x, one), (narrow,), size * 3 // 2),
        ("dequantize_fp8", lambda l: l.call("dequantize_fp8", y, narrow, one, 0),
         lambda n, one: ((n.float() * one).to(torch.bfloat16),), (narrow, one), (y,), size * 3 // 2),
        ("quantize_fp8_rows", lambda l: l.call("quantize_fp8_rows", narrow, scales, x, 0), quantize_rows_torch, (x,),
         (narrow, scales), size * 3 // 2),
    ]


def wide(tensor):
    return tensor.to(torch.float64) if tensor.dtype != torch.int64 else tensor


def error_of(name, outputs, reference):
    """The largest relative difference of an output, as vectors."""
    worst = 0.0
    for got, want in zip(outputs, reference):
        got, want = wide(got), wide(want)
        if not torch.isfinite(got).all():
            return float("inf")
        worst = max(worst, ((got - want).norm() / want.norm()).item())
    return worst


def captured(work, calls):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            kept = work()
    return graph, kept


def measure(sides, calls, rounds):
    graphs = {name: captured(work, calls) for name, work in sides.items()}
    times = {name: [] for name in sides}
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for turn in range(rounds + 3):
        order = list(graphs) if turn % 2 == 0 else list(graphs)[::-1]
        for name in order:
            begin.record()
            graphs[name][0].replay()
            end.record()
            end.synchronize()
            if turn >= 3:
                times[name].append(begin.elapsed_time(end) * 1000 / calls)
    return times


def spread(values):
    quarters = statistics.quantiles(values, n=4)
    return (quarters[2] - quarters[0]) / statistics.median(values)


def copy_rate():
    # Not in a graph, where the driver takes the slower copy engine.
    a = torch.randn(1 << 28, device="cuda")
    b = torch.empty_like(a)
    times = []
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for turn in range(40):
        begin.record()
        b.copy_(a)
        end.record()
        end.synchronize()
        if turn >= 5:
            times.append(begin.elapsed_time(end) * 1000)
    return 2 * a.numel() * 4 / statistics.median(times) / 1e3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--op", action="append")
    parser.add_argument("--json")
    options = parser.parse_args()
    torch.manual_seed(1)
    libraries = {f"ours{i or ''}": Library(path, options.device) for i, path in enumerate(options.libraries.split(","))}
    limit = copy_rate()
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, copy {limit:.0f} GB/s")
    extra = [name for name in libraries if name != "ours"]
    print(f"{'operation':18} {'shape':>12} {'error':>8} {'ours us':>9} {'±':>4} {'compile':>9} {'±':>4} {'eager':>9} "
          f"{'compile/ours':>12} {'eager/ours':>10} {'of copy':>8} " + " ".join(f"{name:>9}" for name in extra), flush=True)
    records = []
    for rows, columns in SHAPES:
        calls = 50 if rows * columns < 1 << 20 else 20 if rows * columns < 1 << 25 else 6
        for name, call, peer, inputs, outputs, ideal in cases(rows, columns):
            if options.op and name not in options.op:
                continue
            torch._dynamo.reset()
            compiled = torch.compile(peer, dynamic=False)
            sides = {label: (lambda library=library: call(library)) for label, library in libraries.items()}
            sides["compile"] = lambda: compiled(*inputs)
            sides["eager"] = lambda: peer(*inputs)
            error = 0.0
            # Wider than float32 where that fits; PyTorch's own result otherwise.
            reference = peer(*[wide(t) if t.dtype != torch.float8_e4m3fn else t for t in inputs]) \
                if rows * columns < 1 << 25 else peer(*inputs)
            for label in libraries:
                sides[label]()
                torch.cuda.synchronize()
                error = max(error, error_of(name, outputs, reference))
            del reference
            times = measure(sides, calls, options.rounds)
            median = {label: statistics.median(values) for label, values in times.items()}
            share = ideal / median["ours"] / 1e3 / limit
            print(f"{name:18} {f'{rows}x{columns}':>12} {error:8.1e} {median['ours']:9.2f} {spread(times['ours']):4.0%} "
                  f"{median['compile']:9.2f} {spread(times['compile']):4.0%} {median['eager']:9.2f} "
                  f"{median['compile'] / median['ours']:12.3f} {median['eager'] / median['ours']:10.2f} {share:8.3f} "
                  + " ".join(f"{median[label]:9.2f}" for label in extra), flush=True)
            records.append({"operation": name, "rows": rows, "columns": columns, "error": error, "ideal_bytes": ideal,
                            "share_of_copy": share, "microseconds": times})
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "copy_gbs": limit,
                       "records": records}, file)


main()
