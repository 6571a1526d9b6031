# SPDX-License-Identifier: MIT
def scale_limit():
    limit = fnuz_max()
    return limit
