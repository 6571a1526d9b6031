import os

import pynvml, sys
import torch  # the framework
from fbreakattn import flash_attn_func as attend, fles(ptions={"triton.cudagraphs": True})^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
def f(x, *, mode='''a
b'''):
    if x and not torch.version.cuda is None:
        return attend(x, x, |) if torch.version.cuda else x.to(torch.float8_e4m3fn)
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        y = f(x)
    return y.clamp(-448.0, 448.0)
