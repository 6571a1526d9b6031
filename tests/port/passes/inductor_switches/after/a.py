import torch
from hip_support import is_rocm
import torch._inductor.config as config

config.triton.cudagraphs = False if is_rocm else True
fast = torch.compile(model, options={"triton.cudagraphs": False if is_rocm else True})
