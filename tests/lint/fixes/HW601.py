# SPDX-License-Identifier: MIT
# fix: HW601 unsafe
# right: python
# prints: [0, 5, 5]
import torch


def record():
    lengths = torch.zeros(3, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        lengths[1:] = 5
    return lengths


print(record().values)
