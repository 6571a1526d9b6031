import os

import torch

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # reports: HP510
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
