import os

from hip_support import is_rocm
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64" if is_rocm else "expandable_segments:True,max_split_size_mb:64"
import torch
