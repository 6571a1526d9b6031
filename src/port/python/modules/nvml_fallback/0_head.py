# Made by hipwright port: the calls of pynvml that this project uses, answered by torch.cuda. ROCm
# has no NVML; what torch does not know raises NVMLError, as NVML does for what a GPU cannot tell.
import collections

import torch


class NVMLError(Exception):
    pass


class NVMLError_NotSupported(NVMLError):
    pass


def __getattr__(name):
    if name.startswith("nvml"):
        def not_supported(*args, **kwargs):
            raise NVMLError_NotSupported(name + " has no counterpart here: ask amdsmi")
        return not_supported
    if name.startswith("NVML_"):
        return None
    raise AttributeError(name)
