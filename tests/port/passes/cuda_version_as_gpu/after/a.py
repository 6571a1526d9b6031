import torch
from hip_support import is_rocm

if is_rocm or torch.version.cuda is not None:
    print("a GPU")
