# SPDX-License-Identifier: MIT
def has_kernels():
    try:
        import fast_kernels
        return True
    except ImportError:
        return False
