

def nvmlInit():
    if not torch.cuda.is_available():
        raise NVMLError("torch finds no GPU")
