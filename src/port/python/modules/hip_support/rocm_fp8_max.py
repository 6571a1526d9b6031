

def rocm_fp8_max():
    """The largest value to scale fp8 (e4m3) data to on this GPU.

    The OCP type reaches 448. The fnuz type reaches 240, but scales use 224: with the other
    exponent bias that is the same range as 448.
    """
    return 224.0 if _is_fnuz() else 448.0
