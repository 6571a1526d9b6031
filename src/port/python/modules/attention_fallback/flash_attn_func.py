

def flash_attn_func(q, k, v, dropout_p=0.0, softmax_scale=None, causal=False, window_size=(-1, -1),
                    softcap=0.0, alibi_slopes=None, deterministic=False, return_attn_probs=False):
    """q: (batch, seqlen_q, heads, headdim); k and v may have fewer heads."""
    if _can_library(q, "flash_attn_func", softcap, return_attn_probs):
        options = {"softcap": softcap} if softcap else {}
        if return_attn_probs:
            options["return_attn_probs"] = True
        result = _library.flash_attn_func(
            q, k, v, dropout_p=dropout_p, softmax_scale=softmax_scale, causal=causal,
            window_size=window_size, alibi_slopes=alibi_slopes, deterministic=deterministic,
            **options)
        return result if return_attn_probs else _first(result)
    out, lse = _attend(q, k, v, dropout_p, softmax_scale, causal, window_size, softcap,
                       alibi_slopes, with_lse=return_attn_probs)
    return (out, lse, None) if return_attn_probs else out
