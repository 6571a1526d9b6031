import torch
import torch._inductor.config as config

config.max_autotune_gemm_backends = "CUTLASS,TRITON"
