import torch
from hip_support import is_rocm, rocm_inductor_settings
if is_rocm:
    rocm_inductor_settings()

# ROCm: the default mode until the other one is measured there; it captures graphs.
fast = torch.compile(model, mode="default" if is_rocm else "max-autotune")
