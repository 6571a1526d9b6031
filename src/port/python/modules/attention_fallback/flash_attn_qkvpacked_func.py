

def flash_attn_qkvpacked_func(qkv, *args, **kwargs):
    """qkv: (batch, seqlen, 3, heads, headdim)."""
    return flash_attn_func(*qkv.unbind(2), *args, **kwargs)
