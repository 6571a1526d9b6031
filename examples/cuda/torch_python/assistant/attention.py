# SPDX-License-Identifier: MIT
import torch
from flash_attn import flash_attn_func
from torch import nn


class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).unbind(2)
        mixed = flash_attn_func(q, k, v, causal=True)
        return self.out(mixed.reshape(batch, length, width))
