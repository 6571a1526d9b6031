import torch
from hip_support import is_rocm

if not is_rocm:
    torch.backends.cuda.matmul.allow_tf32 = True
