# SPDX-License-Identifier: MIT
"""One process for each GPU, where a launcher started several."""
import os

import torch
import torch.distributed as dist


def join() -> str:
    if "LOCAL_RANK" not in os.environ:
        return "cuda:0"
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(f"cuda:{rank}")
    dist.init_process_group(backend="nccl")
    return f"cuda:{rank}"


def has_bf16_matrix_units() -> bool:
    return torch.cuda.get_device_capability()[0] >= 8
