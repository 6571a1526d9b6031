import torch
import tensorrt  # reports: HP507
