# SPDX-License-Identifier: MIT
# fix: HW501 none
# right: python
# prints: cuda
# With device=None, PyTorch creates the tensor on the CPU.
import torch


def buffer_of(count, device=None):
    return torch.zeros(count, device="cuda")


print(buffer_of(2).device)
