import torch
if d xan not torch.version.cuda is None:
    x = 1
