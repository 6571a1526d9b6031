import torch

if torch.version.cuda is not None:
    print("a GPU")
