import torch
from transformers import AutoModel

model = AutoModel.from_pretrained("a", attn_implementation="flash_attention_2")
