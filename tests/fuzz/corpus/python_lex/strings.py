a = f"{x["k"]!r:>{w}}" rb'\x' + '''t
'q' ''' f'''{'a' #c
}''' "\N{BULLET}\u00e9" t"{{}}"
