# Made by hipwright port: the pynvml calls that this project uses, implemented with torch.cuda. ROCm
# has no NVML; queries that torch cannot answer raise NVMLError, as NVML does for unsupported ones.
import collections

import torch


class NVMLError(Exception):
    pass


class NVMLError_NotSupported(NVMLError):
    pass


def __getattr__(name):
    if name.startswith("nvml"):
        def not_supported(*args, **kwargs):
            raise NVMLError_NotSupported(name + " has no counterpart in torch; use amdsmi")
        return not_supported
    if name.startswith("NVML_"):
        return None
    raise AttributeError(name)
