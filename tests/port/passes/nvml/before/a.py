import torch
import pynvml

pynvml.nvmlInit()
link = pynvml.nvmlDeviceGetNvLinkState(handle, 0)  # reports: HP504
