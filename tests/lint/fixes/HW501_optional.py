# SPDX-License-Identifier: MIT
# fix: HW501 none
# right: python
# prints: cuda
# x may be None: x.device would raise.
from typing import Optional

import torch


def buffer_of(count: int, x: Optional[torch.Tensor] = None):
    return torch.zeros(count, device="cuda")


print(buffer_of(2).device)
