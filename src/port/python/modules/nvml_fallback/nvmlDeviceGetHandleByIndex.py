

def nvmlDeviceGetHandleByIndex(index):
    if not 0 <= int(index) < torch.cuda.device_count():
        raise NVMLError(f"no GPU {index}")
    return int(index)  # a handle is the device index
