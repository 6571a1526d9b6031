# SPDX-License-Identifier: MIT
"""A small language model that runs on one GPU."""
import os

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True,max_split_size_mb:512")
