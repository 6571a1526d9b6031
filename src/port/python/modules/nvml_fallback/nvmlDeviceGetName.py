

def nvmlDeviceGetName(handle):
    return torch.cuda.get_device_name(handle)
