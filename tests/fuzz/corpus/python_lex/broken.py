f(a,
  def g(:
	x = "abc
 y = f"{
"""doc
(]}
  z\
 $ ?
 if a