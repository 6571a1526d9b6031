# SPDX-License-Identifier: MIT
# fix: HW612 unsafe
# right: python
# prints: True
import torch


def configure():
    torch._inductor.config.triton.cudagraphs = True


configure()
print(torch._inductor.config.triton.cudagraphs)
