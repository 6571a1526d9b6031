#!/bin/sh
# SPDX-License-Identifier: MIT
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
exec python3 serve.py "$@"
