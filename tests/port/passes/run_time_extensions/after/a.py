import torch
from hip_support import is_rocm
from torch.utils.cpp_extension import load

sums = load("sums", ["sum.cu"], extra_cuda_cflags=["-O3", "-fgpu-flush-denormals-to-zero", "-fno-hip-fp32-correctly-rounded-divide-sqrt", "-fgpu-approx-transcendentals"] if is_rocm else ["-O3", "--use_fast_math"])
