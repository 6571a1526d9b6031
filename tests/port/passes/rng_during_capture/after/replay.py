import torch
from hip_support import allow_rng_state_during_capture, is_rocm
if is_rocm:
    allow_rng_state_during_capture()

from compiled import step


def capture(x):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = step(x)
    return graph, y
