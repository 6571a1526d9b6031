import torch
from flash_attn import flash_attn_func
from flash_attn.bert_padding import pad_input  # reports: HP502
