# SPDX-License-Identifier: MIT
def has_quant():
    try:
        import fast_quant
    except Exception:  # like: broad
        return False
    try:
        import other_quant
    except (Exception):  # like: broad
        pass
    try:
        read_quant()
    except ValueError:
        return None
    except ImportError:
        return False
    return True
