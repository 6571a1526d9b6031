#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the node tests of the package onnx as files: usage: onnx_cases.py DIR

A case declares the opset that its operator is from. The operator means the same in all later opsets of the release, so that
cases before opset 13 become cases of opset 13, the oldest that hipwright reads.
"""
import pathlib
import sys

import numpy
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case.node import collect_testcases


def tensor(value, declared):
    """A tensor of the declared type: numpy has bfloat16 as 16-bit integers."""
    if isinstance(value, TensorProto):
        return value
    made = numpy_helper.from_array(numpy.asarray(value))
    if declared == TensorProto.BFLOAT16 and made.data_type == TensorProto.UINT16:
        made.data_type = declared
    return made


def write(case, folder):
    data = {}
    for number, (inputs, outputs) in enumerate(case.data_sets):
        for kind, values, declared in (("input", inputs, case.model.graph.input), ("output", outputs, case.model.graph.output)):
            for index, value in enumerate(values):
                made = tensor(value, declared[index].type.tensor_type.elem_type)
                data[f"test_data_set_{number}/{kind}_{index}.pb"] = made.SerializeToString()
    for opset in case.model.opset_import:
        if opset.domain == "":
            opset.version = max(13, opset.version)
    data["model.onnx"] = case.model.SerializeToString()
    for name, content in data.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def main():
    written = omitted = 0
    for case in collect_testcases(None):
        try:
            write(case, pathlib.Path(sys.argv[1]) / case.name)
            written += 1
        except (TypeError, ValueError, RuntimeError, AttributeError):  # sequences and optional values, which are no tensors
            omitted += 1
    print(f"{written} cases, {omitted} omitted")


main()
