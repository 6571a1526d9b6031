

def flash_attn_kvpacked_func(q, kv, *args, **kwargs):
    """kv: (batch, seqlen_k, 2, heads_k, headdim)."""
    return flash_attn_func(q, *kv.unbind(2), *args, **kwargs)
