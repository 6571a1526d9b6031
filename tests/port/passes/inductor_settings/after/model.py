import torch
from hip_support import is_rocm, rocm_inductor_settings
if is_rocm:
    rocm_inductor_settings()


def fast(model):
    return torch.compile(model)
