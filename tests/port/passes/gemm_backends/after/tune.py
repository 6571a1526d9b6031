import torch
from hip_support import is_rocm
from torch._inductor import config

config.max_autotune = False if is_rocm else True
config.max_autotune_pointwise = True
fast = torch.compile(model, options={"max_autotune": False if is_rocm else True, "memory_planning": False if is_rocm else True})
with config.patch(max_autotune_gemm=False if is_rocm else True, max_autotune_gemm_backends="ATEN" if is_rocm else "TRITON"):
    fast(x)
