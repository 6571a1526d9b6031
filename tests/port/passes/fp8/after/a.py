import torch
from hip_support import is_rocm, rocm_fp8_dtype, rocm_fp8_max

FP8_MAX = rocm_fp8_max() if is_rocm else 448.0


def quantize(x, scale):
    return (x / scale).to(rocm_fp8_dtype(torch.float8_e4m3fn) if is_rocm else torch.float8_e4m3fn)
