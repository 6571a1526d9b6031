def load(m, is_rocm=False):
	import torch
	import flash_attn
	m = torch.compile(m, mode="reduce-overhead")
	return flash_attn.flash_attn_func(m)
def nvml():
  from pynvml import *
  nvmlInit()
try:
    import xformers
except ImportError: pass
import flashinfer.norm as norm, tensorrt
