import torch
from hip_support import is_rocm


def record(model, x):
    model(x)
    if is_rocm:
        torch.cuda.current_stream().synchronize()
    else:
        torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = model(x)
    return graph, y
