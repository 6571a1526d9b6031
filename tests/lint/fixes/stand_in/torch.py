# SPDX-License-Identifier: MIT
"""As much of PyTorch as the programs here use; it records where tensors are created."""


class Tensor:
    def __init__(self, values, device="cpu"):
        self.values, self.device = values, device

    def __getitem__(self, index):
        return View(self, index)

    def __setitem__(self, index, value):
        View(self, index).fill_(value)


class View:
    def __init__(self, tensor, index):
        self.tensor, self.index = tensor, index

    def fill_(self, value):
        places = range(len(self.tensor.values))[self.index]
        for place in places if isinstance(self.index, slice) else [places]:
            self.tensor.values[place] = value
        return self


class device(str):
    pass


def zeros(count, device="cpu"):
    return Tensor([0] * count, device)


def empty(count, device="cpu"):
    return zeros(count, device)


class CUDAGraph:
    pass


class cuda:
    CUDAGraph = CUDAGraph

    class graph:
        def __init__(self, graph):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *arguments):
            return False


class version:
    hip = None


class _inductor:
    class config:
        class triton:
            cudagraphs = False
