# SPDX-License-Identifier: MIT
import torch

FP8_MAX = 448.0


def to_fp8(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """One scale for the whole tensor."""
    scale = x.abs().max().float().clamp(min=1e-12) / FP8_MAX
    values = (x / scale).clamp(-FP8_MAX, FP8_MAX).to(torch.float8_e4m3fn)
    return values, scale
