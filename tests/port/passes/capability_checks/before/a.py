import torch

HIP = torch.version.hip
FAST = torch.cuda.get_device_capability() >= (9, 0)  # reports: HP104
