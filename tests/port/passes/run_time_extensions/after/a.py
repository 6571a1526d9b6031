import torch
from hip_support import is_rocm
from torch.utils.cpp_extension import load

sums = load("sums", ["sum.cu"], extra_cuda_cflags=["-O3", "-fgpu-flush-denormals-to-zero", "-fno-hip-fp32-correctly-rounded-divide-sqrt", "-fgpu-approx-transcendentals"] if is_rocm else ["-O3", "--use_fast_math"])
more = load("more", ["more.cu"], extra_cuda_cflags=["-gline-tables-only", f"-DN={size}", *extra] if is_rocm else ["-lineinfo", f"-DN={size}", *extra, f"-gencode=arch=compute_{sm},code=sm_{sm}"])  # reports: HP406
rest = load("rest", ["rest.cu"], extra_cuda_cflags=options)  # reports: HP406
host = load("host", ["host.cu"], extra_cuda_cflags=["-gline-tables-only", f"{flags}", "-O3"] + extra if is_rocm else ["-lineinfo", f"-Xcompiler={flags}", "-O3"] + extra)
