import torch
from hip_support import is_rocm
if is_rocm:
    tensorrt = None
else:
    import tensorrt  # reports: HP507
