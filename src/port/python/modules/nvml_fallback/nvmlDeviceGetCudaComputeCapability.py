

def nvmlDeviceGetCudaComputeCapability(handle):
    return torch.cuda.get_device_capability(handle)
