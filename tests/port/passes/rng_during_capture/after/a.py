import torch
from hip_support import allow_rng_state_during_capture, is_rocm
if is_rocm:
    allow_rng_state_during_capture()


def record(model, x):
    fast = torch.compile(model)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = fast(x)
    return graph, y
