# SPDX-License-Identifier: MIT
import torch
import torch._inductor.config as inductor_config
from torch import nn

from assistant.attention import Attention

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
inductor_config.triton.cudagraphs = True
inductor_config.triton.cudagraph_trees = True
inductor_config.memory_planning = True
inductor_config.max_autotune = True
inductor_config.max_autotune_gemm_backends = "ATEN,TRITON,CUTLASS"


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm = nn.RMSNorm(width)
        self.attention = Attention(width, heads)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.attention(self.norm(x))


def build(width: int = 256, heads: int = 4, layers: int = 2) -> nn.Module:
    model = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
    model = model.to(device="cuda", dtype=torch.bfloat16).eval()
    return torch.compile(model, mode="reduce-overhead")
