import torch

fast = torch.compile(model, mode="max-autotune")
