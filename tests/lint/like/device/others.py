# SPDX-License-Identifier: MIT
def scratch(q, rows, cols):
    out = torch.empty((rows, cols), dtype=q.dtype, device='cuda')  # like: device
    lse = torch.empty(  # like: device
        rows,
        dtype=torch.float32,
        device="cuda",
    )
    mask = torch.ones(rows, dtype=torch.bool, device="cuda")  # like: device
    fine = torch.empty(rows, dtype=q.dtype, device=q.device)
    host = torch.empty(rows, dtype=q.dtype, device="cpu")
    name = describe(rows, kind="cuda")
    return out, lse, mask, fine, host, name
