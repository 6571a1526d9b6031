

def nvmlDeviceGetTemperature(handle, sensor=None):
    return torch.cuda.temperature(handle)
