# SPDX-License-Identifier: MIT
# fix: HW901 unsafe
# right: python
# prints: False
try:
    import aiter
    has_aiter = True
except Exception:
    has_aiter = False

print(has_aiter)
