

def flash_attn_varlen_func(q, k, v, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k,
                           dropout_p=0.0, softmax_scale=None, causal=False, window_size=(-1, -1),
                           softcap=0.0, alibi_slopes=None, deterministic=False,
                           return_attn_probs=False, block_table=None):
    """q: (total_q, heads, headdim): concatenated sequences; cu_seqlens_*: their starts."""
    if _can_library(q, "flash_attn_varlen_func", softcap, return_attn_probs):
        options = {"softcap": softcap} if softcap else {}
        if return_attn_probs:
            options["return_attn_probs"] = True
        if block_table is not None:
            options["block_table"] = block_table
        result = _library.flash_attn_varlen_func(
            q, k, v, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, dropout_p=dropout_p,
            softmax_scale=softmax_scale, causal=causal, window_size=window_size,
            alibi_slopes=alibi_slopes, deterministic=deterministic, **options)
        return result if return_attn_probs else _first(result)
    # One sequence after the other. Reads the lengths on the host, which breaks a graph capture.
    begins_q, begins_k = cu_seqlens_q.tolist(), cu_seqlens_k.tolist()
    outs, sums = [], []
    for i in range(len(begins_q) - 1):
        queries = slice(begins_q[i], begins_q[i + 1])
        count = begins_k[i + 1] - begins_k[i]
        if block_table is None:
            keys, values = (x[begins_k[i]:begins_k[i] + count] for x in (k, v))
        else:  # k and v: (blocks, block size, heads_k, headdim)
            blocks = block_table[i, :(count + k.shape[1] - 1) // k.shape[1]].long()
            keys, values = (x[blocks].flatten(0, 1)[:count] for x in (k, v))
        slopes = alibi_slopes
        if slopes is not None and slopes.dim() == 2:
            slopes = slopes[i]
        out, lse = _attend(q[queries].unsqueeze(0), keys.unsqueeze(0), values.unsqueeze(0),
                           dropout_p, softmax_scale, causal, window_size, softcap, slopes,
                           with_lse=return_attn_probs)
        outs.append(out.squeeze(0))
        sums.append(lse)
    out = torch.cat(outs)
    return (out, torch.cat([each[0] for each in sums], dim=-1), None) if return_attn_probs else out
