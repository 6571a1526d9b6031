# SPDX-License-Identifier: MIT
def ranges(dtype):
    top = torch.finfo(torch.float8_e4m3fnuz).max  # like: finfo
    span = [-torch.finfo(
        torch.float8_e4m3fnuz).max, fnuz_max()]  # like: finfo
    low = torch.finfo(torch.float16).max
    tiny = torch.finfo(torch.float8_e4m3fnuz).eps
    known = fnuz_max()
    return top, span, low, tiny, known
