# SPDX-License-Identifier: MIT
"""A step that is recorded once and replayed."""
import torch


class RecordedStep:
    def __init__(self, step, example: torch.Tensor):
        self.input = example.clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step(self.input)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.output = step(self.input)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        self.input.copy_(x)
        self.graph.replay()
        return self.output
