# SPDX-License-Identifier: MIT
"""ONNX models, written field by field."""

import struct

FLOAT, INT64 = 1, 7


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(number, values):
    return b"".join(field(number, each) for each in values)


def value(name, dims, kind=FLOAT):
    """A declared input or output; dimensions are numbers or symbols."""
    shape = fields(1, [field(1, each) if isinstance(each, int) else field(2, each) for each in dims])
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def attribute(name, content):
    if isinstance(content, int):
        return field(1, name) + field(3, content) + field(20, 2)
    return field(1, name) + fields(8, content) + field(20, 7)


def node(op, inputs, outputs, **attributes):
    return (fields(1, inputs) + fields(2, outputs) + field(4, op) +
            fields(5, [attribute(*each) for each in attributes.items()]))


def tensor(name, dims, numbers):
    """Of 64-bit integers or, where one of the numbers is a float, of floats."""
    is_float = any(isinstance(each, float) for each in numbers)
    raw = struct.pack(f"<{len(numbers)}{'f' if is_float else 'q'}", *numbers)
    return fields(1, dims) + field(2, FLOAT if is_float else INT64) + field(8, name) + field(9, raw)


def external(name, dims, location):
    entry = field(1, "location") + field(2, location)
    return fields(1, dims) + field(2, FLOAT) + field(8, name) + field(13, entry) + field(14, 1)


def model(nodes, inputs, outputs, constants=(), opset=18):
    graph = field(2, "g") + fields(1, nodes) + fields(5, constants) + fields(11, inputs) + fields(12, outputs)
    return field(1, 8) + field(7, graph) + field(8, field(2, opset))
