match x:
    case [1, *r] if r: y
    case {"a": _}:
        match = case
class A(B):
    def f(self): self.x = [[0] * 3] * 4; self.x[1][2] += 1
    with a as b, (c) as (d, e): global g
lambda x=1: x
x = y = 0x1f + 1e-3j ** .5 // 1_0
a, (b, *c) = 1, 2
