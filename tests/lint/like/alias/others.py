# SPDX-License-Identifier: MIT
def grids(width, height, value):
    rows = [[value] * width] * height  # like: alias
    cells = [[0] * (width + 1)] * (height + 1)  # like: alias
    fine = [[value] * width for _ in range(height)]
    flat = [value] * width
    area = width * height
    return rows, cells, fine, flat, area
