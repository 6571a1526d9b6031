import os

import pynvml, sys
import torch  # the framework
from flash_attn import flash_attn_func as attend, flash_attn_varlen_func

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True,max_split_size_mb:128"
if True: torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.set_float32_matmul_precision(
    "high",  # enough
)
torch._inductor.config.triton.cudagraphs = True; x = 1
FP8_MAX = 448.0


@torch.compile(mode="max-autotune", options={"triton.cudagraphs": True})
def f(x, *, mode='''a
b'''):
    if x and not torch.version.cuda is None:   with torch.cuda.graph(graph):
        y = f(x)
    return y.clamp(-448.0, 448.0)
