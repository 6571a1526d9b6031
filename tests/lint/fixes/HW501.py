# SPDX-License-Identifier: MIT
# fix: HW501 unsafe
# right: with-one-gpu
# prints: cuda:1
import torch


def buffer_of(x: torch.Tensor):
    return torch.zeros(len(x.values), device="cuda")


print(buffer_of(torch.Tensor([1, 2], "cuda:1")).device)
