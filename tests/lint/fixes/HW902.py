# SPDX-License-Identifier: MIT
# fix: HW902 safe
# right: nowhere
# prints: [[1, 0], [0, 0]] {'a': [1], 'b': []}
rows = [[0] * 2] * 2
rows[0][0] = 1
lists = dict.fromkeys("ab", [])
lists["a"].append(1)
print(rows, lists)
