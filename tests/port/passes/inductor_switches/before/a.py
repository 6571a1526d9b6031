import torch
import torch._inductor.config as config

config.triton.cudagraphs = True
fast = torch.compile(model, options={"triton.cudagraphs": True})
