import torch


def debug(model):
    return torch.compile(model, backend="aot_eager")
