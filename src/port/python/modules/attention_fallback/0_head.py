# Made by hipwright port: flash_attn's functions for ROCm. Uses the best installed implementation:
#
#   aiter       AMD's kernels
#   flash_attn  ROCm's build, if it can be imported
#   sdpa        torch's scaled_dot_product_attention (PyTorch 2.1 and later)
#   eager       plain tensor operations: slow, but correct on every GPU and on the CPU
#
# The environment variable HIP_ATTENTION selects one of them, for comparison or debugging.
import importlib
import logging
import math
import os

import torch
import torch.nn.functional as F


def _load(name):
    try:
        return importlib.import_module(name)
    except (ImportError, OSError, RuntimeError):  # missing, or not built for this ROCm
        return None


_has_sdpa = (hasattr(F, "scaled_dot_product_attention")
             and tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 1))


def _choose():
    wanted = os.environ.get("HIP_ATTENTION", "")
    if wanted not in ("", "aiter", "flash_attn", "sdpa", "eager"):
        raise ValueError(f"HIP_ATTENTION={wanted}: not one of aiter, flash_attn, sdpa, eager")
    for name in ("aiter", "flash_attn"):
        if wanted in ("", name):
            module = _load(name)
            if hasattr(module, "flash_attn_func"):
                return name, module
            if wanted:
                raise ImportError(f"HIP_ATTENTION={wanted}, which cannot be imported")
    if wanted == "sdpa" and not _has_sdpa:
        raise ImportError("HIP_ATTENTION=sdpa needs PyTorch 2.1")
    return ("sdpa" if _has_sdpa and wanted != "eager" else "eager"), None


tier, _library = _choose()
logging.getLogger(__name__).warning("attention on ROCm: %s", tier)


def _can_library(q, function, softcap, *others):
    """Whether the library's kernels support this call: half types on the GPU only."""
    if _library is None or not hasattr(_library, function):
        return False
    if tier == "aiter" and (softcap or any(others)):
        return False
    return q.is_cuda and q.dtype in (torch.float16, torch.bfloat16)


def _first(result):
    return result[0] if isinstance(result, (tuple, list)) else result


def _visible(seqlen_q, seqlen_k, lengths, causal, window_size, device):
    """The keys that a query sees: (batch or 1, 1, seqlen_q, seqlen_k); None for all of them.

    The last query stands at the last key (bottom right), as in flash_attn.
    """
    left, right = window_size[0], 0 if causal else window_size[1]
    if left < 0 and right < 0 and lengths is None:
        return None
    if lengths is None:
        lengths = torch.tensor([seqlen_k], device=device)
    ends = lengths.to(device).view(-1, 1, 1, 1)
    key = torch.arange(seqlen_k, device=device)
    place = torch.arange(seqlen_q, device=device).view(-1, 1) + ends - seqlen_q
    seen = key < ends
    if right >= 0:
        seen = seen & (key <= place + right)
    if left >= 0:
        seen = seen & (key >= place - left)
    return seen.expand(-1, 1, seqlen_q, seqlen_k)


def _alibi(slopes, seqlen_q, seqlen_k, lengths, device):
    """-slope * distance, as (batch or 1, heads, seqlen_q, seqlen_k)."""
    if lengths is None:
        lengths = torch.tensor([seqlen_k], device=device)
    ends = lengths.to(device).view(-1, 1, 1, 1)
    place = torch.arange(seqlen_q, device=device).view(-1, 1) + ends - seqlen_q
    distance = (place - torch.arange(seqlen_k, device=device)).abs()
    slopes = slopes.float() if slopes.dim() == 2 else slopes.float().unsqueeze(0)
    return -slopes[:, :, None, None] * distance


def _attend(q, k, v, dropout_p, softmax_scale, causal, window_size, softcap, alibi_slopes,
            lengths=None, first_keys=None, with_lse=False):
    """Attention over (batch, seqlen, heads, headdim): the output, and the logarithm of the sums."""
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    if k.shape[1] != q.shape[1]:  # several heads of q share one of k and v
        shared = q.shape[1] // k.shape[1]
        k, v = k.repeat_interleave(shared, dim=1), v.repeat_interleave(shared, dim=1)
    seqlen_q, seqlen_k = q.shape[2], k.shape[2]
    seen = _visible(seqlen_q, seqlen_k, lengths, causal, window_size, q.device)
    if first_keys is not None:
        key = torch.arange(seqlen_k, device=q.device)
        behind = key >= first_keys.to(q.device).view(-1, 1, 1, 1)
        seen = behind if seen is None else seen & behind
    if lengths is not None:  # data past the end of a cache is undefined, possibly NaN
        used = torch.arange(seqlen_k, device=q.device) < lengths.to(q.device).view(-1, 1)
        used = used[:, None, :, None]
        k, v = torch.where(used, k, torch.zeros_like(k)), torch.where(used, v, torch.zeros_like(v))
    bias = None
    if alibi_slopes is not None:
        bias = _alibi(alibi_slopes.to(q.device), seqlen_q, seqlen_k, lengths, q.device)
    if _has_sdpa and tier != "eager" and not softcap and not with_lse:
        # SDPA's own causal mask is aligned to the top left; on squares that is the same, and fast.
        is_square = causal and seqlen_q == seqlen_k and window_size[0] < 0
        is_causal = is_square and bias is None and lengths is None and first_keys is None
        if is_causal:
            seen = None
        mask = seen
        if bias is not None:
            mask = bias.to(q.dtype)
            if seen is not None:
                mask = mask.masked_fill(~seen, -math.inf)
        out = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=dropout_p, is_causal=is_causal, scale=softmax_scale)
        lse = None
    else:
        out, lse = _eager(q, k, v, seen, bias, dropout_p, softmax_scale, softcap)
    if seen is not None:  # a query that sees no key gets zeros, not NaN
        out = torch.where(seen.any(-1, keepdim=True), out, torch.zeros_like(out))
    return out.transpose(1, 2), lse


def _eager(q, k, v, seen, bias, dropout_p, softmax_scale, softcap):
    if softmax_scale is None:
        softmax_scale = 1.0 / math.sqrt(q.shape[-1])
    scores = torch.matmul(q.float(), k.float().transpose(-1, -2)) * softmax_scale
    if softcap:
        scores = softcap * torch.tanh(scores / softcap)
    if bias is not None:
        scores = scores + bias
    if seen is not None:
        scores = scores.masked_fill(~seen, -math.inf)
    weights = F.dropout(torch.softmax(scores, dim=-1), dropout_p)
    return torch.matmul(weights, v.float()).to(q.dtype), torch.logsumexp(scores, dim=-1)
