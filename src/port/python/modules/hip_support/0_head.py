# Made by hipwright port: what this project asks about AMD GPUs, in one place.
import torch

# ROCm's PyTorch has a HIP version where others have None. Everything that was changed for ROCm asks
# this; where it is False the code runs as it did before.
is_rocm = getattr(torch.version, "hip", None) is not None
