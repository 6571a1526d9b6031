# SPDX-License-Identifier: MIT
def mix(self, y, other_bias, flag):
    if other_bias:  # like: bias
        y = y + other_bias
    if bias is not None:
        y = y - bias
    if flag:
        y = -y
    return y
