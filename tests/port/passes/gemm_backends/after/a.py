import torch
from hip_support import is_rocm
import torch._inductor.config as config

config.max_autotune_gemm_backends = "ATEN" if is_rocm else "CUTLASS,TRITON"
