

def nvmlDeviceGetCount():
    return torch.cuda.device_count()
