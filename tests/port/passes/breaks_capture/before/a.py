import torch


def record(model, x):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = model(x)
        print(y.item())  # reports: HP702
    return graph
