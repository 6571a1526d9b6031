import torch
from hip_support import allow_rng_state_during_capture, is_rocm, rocm_inductor_settings
if is_rocm:
    rocm_inductor_settings()
    allow_rng_state_during_capture()


def record(model, x):
    fast = torch.compile(model)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = fast(x)
    return graph, y
