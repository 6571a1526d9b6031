import torch
from hip_support import is_rocm
from torch.utils.cpp_extension import load

sums = load("sums", ["sum.cu"], extra_cuda_cflags=["-O3", "-ffast-math"] if is_rocm else ["-O3", "--use_fast_math"])
