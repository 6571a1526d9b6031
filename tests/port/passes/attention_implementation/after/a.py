import torch
from hip_support import is_rocm
from transformers import AutoModel

model = AutoModel.from_pretrained("a", attn_implementation="sdpa" if is_rocm else "flash_attention_2")
