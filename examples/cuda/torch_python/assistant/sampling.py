# SPDX-License-Identifier: MIT
"""Draws tokens; the step is compiled, and recorded with its random numbers."""
import torch


@torch.compile
def draw(logits: torch.Tensor) -> torch.Tensor:
    noise = torch.rand_like(logits).log().neg()
    return (logits.softmax(-1) / noise).argmax(-1)


class RecordedSampler:
    def __init__(self, logits: torch.Tensor):
        self.logits = logits.clone()
        for _ in range(3):
            draw(self.logits)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.tokens = draw(self.logits)

    def __call__(self, logits: torch.Tensor) -> torch.Tensor:
        self.logits.copy_(logits)
        self.graph.replay()
        return self.tokens
