import torch
from torch.utils.cpp_extension import load

sums = load("sums", ["sum.cu"], extra_cuda_cflags=["-O3", "--use_fast_math"])
