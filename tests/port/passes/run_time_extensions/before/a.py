import torch
from torch.utils.cpp_extension import load

sums = load("sums", ["sum.cu"], extra_cuda_cflags=["-O3", "--use_fast_math"])
more = load("more", ["more.cu"], extra_cuda_cflags=["-lineinfo", f"-DN={size}", *extra, f"-gencode=arch=compute_{sm},code=sm_{sm}"])  # reports: HP406
rest = load("rest", ["rest.cu"], extra_cuda_cflags=options)  # reports: HP406
host = load("host", ["host.cu"], extra_cuda_cflags=["-lineinfo", f"-Xcompiler={flags}", "-O3"] + extra)
