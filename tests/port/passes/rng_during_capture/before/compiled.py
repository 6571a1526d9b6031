import torch


@torch.compile(backend="eager")
def step(x):
    return x.relu()
