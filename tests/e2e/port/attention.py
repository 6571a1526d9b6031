# SPDX-License-Identifier: MIT
# The generated attention_fallback module against attention written as loops over queries and keys.
# usage: attention.py FOLDER-OF-THE-MODULE TIER
import math
import os
import sys

import torch

os.environ["HIP_ATTENTION"] = sys.argv[2]
sys.path.insert(0, sys.argv[1])
import attention_fallback as fallback  # noqa: E402

assert fallback.tier == sys.argv[2]
torch.manual_seed(7)


def reference(q, k, v, scale=None, causal=False, window=(-1, -1), softcap=0.0, slopes=None):
    """One sequence: (seqlen, heads, headdim)."""
    count_q, heads, size = q.shape
    count_k = k.shape[0]
    scale = 1 / math.sqrt(size) if scale is None else scale
    out = torch.zeros_like(q)
    for head in range(heads):
        other = head // (heads // k.shape[1])
        for i in range(count_q):
            place = i + count_k - count_q
            scores, keys = [], []
            for j in range(count_k):
                if causal and j > place:
                    continue
                if window[0] >= 0 and j < place - window[0]:
                    continue
                if not causal and window[1] >= 0 and j > place + window[1]:
                    continue
                score = float(q[i, head] @ k[j, other]) * scale
                if softcap:
                    score = softcap * math.tanh(score / softcap)
                if slopes is not None:
                    score -= float(slopes[head]) * abs(place - j)
                scores.append(score)
                keys.append(j)
            if not keys:
                continue
            most = max(scores)
            weights = [math.exp(score - most) for score in scores]
            for weight, j in zip(weights, keys):
                out[i, head] += weight / sum(weights) * v[j, other]
    return out


def near(a, b):
    assert a.shape == b.shape, (a.shape, b.shape)
    assert torch.allclose(a, b, atol=1e-5), (a - b).abs().max()


cases = [
    {}, {"causal": True}, {"scale": 0.3}, {"window": (2, 1)}, {"window": (1, -1), "causal": True},
    {"softcap": 5.0, "causal": True}, {"slopes": torch.tensor([0.5, 0.25, 0.1, 0.7]), "causal": True},
]
for count_q, count_k in [(5, 5), (3, 6), (6, 3), (1, 7)]:
    q = torch.randn(2, count_q, 4, 8)
    k, v = torch.randn(2, count_k, 2, 8), torch.randn(2, count_k, 2, 8)
    for case in cases:
        options = {"softmax_scale": case.get("scale"), "causal": case.get("causal", False),
                   "window_size": case.get("window", (-1, -1)),
                   "softcap": case.get("softcap", 0.0), "alibi_slopes": case.get("slopes")}
        wanted = torch.stack([reference(q[b], k[b], v[b], **case) for b in range(2)])
        near(fallback.flash_attn_func(q, k, v, **options), wanted)
        near(fallback.flash_attn_kvpacked_func(q, torch.stack([k, v], 2), **options), wanted)
        out, lse, _ = fallback.flash_attn_func(q, k, v, return_attn_probs=True, **options)
        near(out, wanted)
        assert lse.shape == (2, 4, count_q)
        # The same two sequences, and a shorter one, without padding.
        packed_q = torch.cat([q[0], q[1], q[0, :1]])
        packed_k, packed_v = torch.cat([k[0], k[1, :2]]), torch.cat([v[0], v[1, :2]])
        packed_k, packed_v = torch.cat([packed_k, k[0]]), torch.cat([packed_v, v[0]])
        begins_q = torch.tensor([0, count_q, 2 * count_q, 2 * count_q + 1], dtype=torch.int32)
        begins_k = torch.tensor([0, count_k, count_k + 2, 2 * count_k + 2], dtype=torch.int32)
        wanted = torch.cat([reference(q[0], k[0], v[0], **case),
                            reference(q[1], k[1, :2], v[1, :2], **case),
                            reference(q[0, :1], k[0], v[0], **case)])
        near(fallback.flash_attn_varlen_func(packed_q, packed_k, packed_v, begins_q, begins_k,
                                             count_q, count_k, **options), wanted)
        # A cache with room behind what it holds, where anything may stand.
        cache_k, cache_v = torch.full((3, 9, 2, 8), math.nan), torch.full((3, 9, 2, 8), math.nan)
        held = torch.tensor([count_k, 2])
        cache_k[2, :count_k], cache_v[2, :count_k] = k[0], v[0]
        cache_k[0, :2], cache_v[0, :2] = k[1, :2], v[1, :2]
        rows = torch.tensor([2, 0])
        wanted = torch.stack([reference(q[0], k[0], v[0], **case),
                              reference(q[1], k[1, :2], v[1, :2], **case)])
        near(fallback.flash_attn_with_kvcache(q, cache_k, cache_v, cache_seqlens=held,
                                              cache_batch_idx=rows, **options), wanted)
        # Two new keys are written behind it.
        new_k, new_v = torch.randn(2, 2, 2, 8), torch.randn(2, 2, 2, 8)
        wanted = torch.stack([
            reference(q[0], torch.cat([k[0], new_k[0]]), torch.cat([v[0], new_v[0]]), **case),
            reference(q[1], torch.cat([k[1, :2], new_k[1]]), torch.cat([v[1, :2], new_v[1]]), **case)])
        near(fallback.flash_attn_with_kvcache(q, cache_k, cache_v, new_k, new_v, cache_seqlens=held,
                                              cache_batch_idx=rows, **options), wanted)
        near(cache_k[2, count_k:count_k + 2], new_k[0])
        # The same cache in blocks of three.
        blocks_k, blocks_v = cache_k[[2, 0]].reshape(6, 3, 2, 8), cache_v[[2, 0]].reshape(6, 3, 2, 8)
        table = torch.tensor([[0, 1, 2], [3, 4, 5]], dtype=torch.int32)
        near(fallback.flash_attn_with_kvcache(q, blocks_k, blocks_v, cache_seqlens=held + 2,
                                              block_table=table, **options), wanted)

# Without scores to tell keys apart dropout keeps the mean.
v = torch.ones(1, 64, 1, 4)
out = fallback.flash_attn_func(torch.zeros(1, 200, 1, 4), torch.zeros(1, 64, 1, 4), v, dropout_p=0.5)
assert out.std() > 0.01 and abs(out.mean() - 1) < 0.1, (out.mean(), out.std())
print("ok", fallback.tier, torch.__version__)
