

def rocm_fp8_dtype(dtype):
    """The fp8 type that this GPU computes with, for one of the OCP types.

    gfx940 to gfx942 (MI300) use the "fnuz" types, with another exponent bias; later GPUs use the
    OCP types, as NVIDIA does.
    """
    import torch

    if not _is_fnuz():
        return dtype
    return {
        torch.float8_e4m3fn: torch.float8_e4m3fnuz,
        torch.float8_e5m2: torch.float8_e5m2fnuz,
    }.get(dtype, dtype)
