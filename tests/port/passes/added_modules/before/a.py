import torch

FP8_MAX = 448.0
