import torch
from torch._inductor import config

config.max_autotune = True
config.max_autotune_pointwise = True
fast = torch.compile(model, options={"max_autotune": True, "memory_planning": True})
with config.patch(max_autotune_gemm=True, max_autotune_gemm_backends="TRITON"):
    fast(x)
