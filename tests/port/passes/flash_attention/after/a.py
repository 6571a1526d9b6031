import torch
from hip_support import is_rocm
if is_rocm:
    from attention_fallback import flash_attn_func
else:
    from flash_attn import flash_attn_func
from flash_attn.bert_padding import pad_input  # reports: HP502
