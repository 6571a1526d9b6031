import torch
from hip_support import is_rocm, rocm_fp8_max

FP8_MAX = rocm_fp8_max() if is_rocm else 448.0
