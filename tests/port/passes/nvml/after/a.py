import torch
from hip_support import is_rocm
if is_rocm:
    import nvml_fallback as pynvml
else:
    import pynvml

pynvml.nvmlInit()
link = pynvml.nvmlDeviceGetNvLinkState(handle, 0)  # reports: HP504
