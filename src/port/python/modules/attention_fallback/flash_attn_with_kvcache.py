

def flash_attn_with_kvcache(q, k_cache, v_cache, k=None, v=None, rotary_cos=None, rotary_sin=None,
                            cache_seqlens=None, cache_batch_idx=None, cache_leftpad=None,
                            block_table=None, softmax_scale=None, causal=False,
                            window_size=(-1, -1), softcap=0.0, rotary_interleaved=True,
                            alibi_slopes=None, num_splits=0, return_softmax_lse=False):
    """Attention over a cache, after appending k and v (if given) to it."""
    if tier == "flash_attn" and _can_library(q, "flash_attn_with_kvcache", softcap):
        return _library.flash_attn_with_kvcache(
            q, k_cache, v_cache, k, v, rotary_cos=rotary_cos, rotary_sin=rotary_sin,
            cache_seqlens=cache_seqlens, cache_batch_idx=cache_batch_idx,
            cache_leftpad=cache_leftpad, block_table=block_table, softmax_scale=softmax_scale,
            causal=causal, window_size=window_size, softcap=softcap,
            rotary_interleaved=rotary_interleaved, alibi_slopes=alibi_slopes,
            num_splits=num_splits, return_softmax_lse=return_softmax_lse)
    if rotary_cos is not None:
        raise NotImplementedError("rotary_cos needs ROCm's flash_attn; rotate q and k first")
    batch, device = q.shape[0], q.device
    rows = torch.arange(batch, device=device) if cache_batch_idx is None else cache_batch_idx.long()
    if cache_seqlens is None:
        held = k_cache.shape[1] if block_table is None else block_table.shape[1] * k_cache.shape[1]
        cache_seqlens = held - (0 if k is None else k.shape[1])
    if isinstance(cache_seqlens, int):
        cache_seqlens = torch.full((batch,), cache_seqlens, device=device)
    lengths = cache_seqlens.long()
    if k is not None:
        places = lengths.view(-1, 1) + torch.arange(k.shape[1], device=device)
        if block_table is None:
            where = (rows.view(-1, 1), places)
        else:  # caches: (blocks, block size, heads_k, headdim)
            size = k_cache.shape[1]
            where = (block_table.long().gather(1, places // size), places % size)
        k_cache[where], v_cache[where] = k, v
        lengths = lengths + k.shape[1]
    if block_table is None:
        keys, values = k_cache[rows], v_cache[rows]
    else:
        blocks = block_table.long().clamp(min=0)
        keys, values = (x[blocks].flatten(1, 2) for x in (k_cache, v_cache))
    out, lse = _attend(q, keys, values, 0.0, softmax_scale, causal, window_size, softcap,
                       alibi_slopes, lengths, cache_leftpad, with_lse=return_softmax_lse)
    return (out, lse) if return_softmax_lse else out
