import torch


def record(model, x):
    fast = torch.compile(model)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = fast(x)
    return graph, y
